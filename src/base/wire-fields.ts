import { isWellFormed } from './utf8.ts';
import type { WireNode } from './wire-json.ts';

/** Why a typed field could not be read off wire text without ambiguity (FORMAT section 3). */
export const WIRE_ISSUES = [
  'unparsable',
  'truncated',
  'duplicate_name',
  'outside_model',
  'wrong_type',
  'unterminated',
] as const;
export type WireIssue = (typeof WIRE_ISSUES)[number];

/** Member names and array positions from the outermost value inwards. */
export type WirePath = readonly (string | number)[];

export type WireLookUp = { readonly found: WireNode } | { readonly absent: true } | { readonly issue: WireIssue };

const ABSENT: WireLookUp = { absent: true };

/** A typed field: null with no issue where it is absent or JSON null, null with an issue where it cannot be told. */
export type WireField<T> =
  | { readonly value: T; readonly issue: null }
  | { readonly value: null; readonly issue: WireIssue | null };

/**
 * Takes the outermost value and a path; returns the value there. A step into JSON null or a missing member is absent, a step
 * into any other kind is `wrong_type`, and a name that stands twice in an object on the path is `duplicate_name`.
 */
export const lookUp = (node: WireNode, path: WirePath): WireLookUp => {
  let current = node;
  for (const step of path) {
    const next = stepInto(current, step);
    if (!('found' in next)) return next;
    current = next.found;
  }
  return { found: current };
};

const stepInto = (node: WireNode, step: string | number): WireLookUp => {
  if (node.kind === 'null') return ABSENT;
  if (typeof step === 'number') {
    if (node.kind !== 'array') return { issue: 'wrong_type' };
    const item = node.items[step];
    return item === undefined ? { absent: true } : { found: item };
  }
  const there = member(node, step);
  return there === null ? ABSENT : typeof there === 'string' ? { issue: there } : { found: there };
};

/** What stands at a place: null where there is nothing, the issue where it cannot be told. A look-up for every field of every record makes no more of it. */
export type Found = WireNode | WireIssue | null;

/** One step of `lookUp`: to the member of that name. */
export const member = (node: WireNode, name: string): Found => {
  if (node.kind === 'null') return null;
  if (node.kind !== 'object') return 'wrong_type';
  let found: WireNode | null = null;
  for (const held of node.members) {
    if (held.name !== name) continue;
    if (found !== null) return 'duplicate_name';
    found = held.value;
  }
  return found;
};

type Read<T> = (node: WireNode) => { readonly read: T } | { readonly issue: WireIssue };

const NOTHING = { value: null, issue: null } as const;

const fieldAt = <T>(node: WireNode, path: WirePath, read: Read<T>): WireField<T> => {
  const there = path.length === 0 ? null : lookUp(node, path);
  if (there !== null && 'issue' in there) return { value: null, issue: there.issue };
  if (there !== null && 'absent' in there) return NOTHING;
  const found = there === null ? node : there.found;
  if (found.kind === 'null') return NOTHING;
  const result = read(found);
  return 'issue' in result ? { value: null, issue: result.issue } : { value: result.read, issue: null };
};

/** The string there; one with an unpaired surrogate is `outside_model`. */
export const stringAt = (node: WireNode, path: WirePath): WireField<string> => fieldAt(node, path, readString);

const readString: Read<string> = (found) => {
  if (found.kind !== 'string') return { issue: 'wrong_type' };
  return isWellFormed(found.value) ? { read: found.value } : { issue: 'outside_model' };
};

/** The integer there; a number that is not spelled as an integer of FORMAT section 1 is `outside_model`. */
export const integerAt = (node: WireNode, path: WirePath): WireField<number> =>
  fieldAt(node, path, (found) => {
    if (found.kind !== 'number') return { issue: 'wrong_type' };
    const value = Number(found.token);
    return Number.isSafeInteger(value) && String(value) === found.token ? { read: value } : { issue: 'outside_model' };
  });

export const booleanAt = (node: WireNode, path: WirePath): WireField<boolean> =>
  fieldAt(node, path, ({ kind }) =>
    kind === 'true' || kind === 'false' ? { read: kind === 'true' } : { issue: 'wrong_type' },
  );

/** The items of the array there. */
export const itemsAt = (node: WireNode, path: WirePath): WireField<readonly WireNode[]> =>
  fieldAt(node, path, (found) => (found.kind === 'array' ? { read: found.items } : { issue: 'wrong_type' }));

/** The object there, as a node to look further into. */
export const objectAt = (node: WireNode, path: WirePath): WireField<WireNode & { readonly kind: 'object' }> =>
  fieldAt(node, path, (found) => (found.kind === 'object' ? { read: found } : { issue: 'wrong_type' }));

/** The JSON token there, exactly as it stands in `text`; JSON null is the token `null` here, as a JSON-RPC id may be it. */
export const tokenAt = (text: string, node: WireNode, path: WirePath): WireField<string> => {
  const there = lookUp(node, path);
  if ('issue' in there) return { value: null, issue: there.issue };
  return { value: 'absent' in there ? null : text.slice(there.found.start, there.found.end), issue: null };
};
