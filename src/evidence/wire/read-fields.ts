import { isWellFormed } from '../../base/utf8.ts';
import {
  booleanAt,
  type Found,
  integerAt,
  itemsAt,
  member,
  stringAt,
  tokenAt,
  type WireField,
  type WireIssue,
  type WireLookUp,
} from '../../base/wire-fields.ts';
import type { WireNode } from '../../base/wire-json.ts';

/** Record strings hold this many UTF-16 units; a longer one on the wire is outside the model. */
export const TEXT_LIMIT = 65_536;

/** A path of paths.ts: member names joined by dots, from the outermost value; the empty one is the value itself. */
export type DottedPath = string;

/** A name, and its snake_case spelling where that is another one. */
type Step = { readonly name: string; readonly other: string | null };

const stepOf = (name: string): Step => {
  const other = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { name, other: other === name ? null : other };
};

/** The paths are those of paths.ts, a few dozen; each is taken apart once. */
const STEPS = new Map<DottedPath, readonly Step[]>([['', []]]);

export const stepsOf = (path: DottedPath): readonly Step[] => {
  const known = STEPS.get(path);
  if (known !== undefined) return known;
  const steps = path.split('.').map(stepOf);
  STEPS.set(path, steps);
  return steps;
};

const isNode = (found: Found): found is WireNode => typeof found === 'object' && found !== null;

const step = (node: WireNode, { name, other }: Step): Found => {
  const there = member(node, name);
  if (other === null || typeof there === 'string' || (there !== null && there.kind !== 'null')) return there;
  return member(node, other) ?? there;
};

/** `at`, without an object for the answer. */
export const find = (node: WireNode, path: DottedPath): Found => {
  let there: Found = node;
  for (const next of stepsOf(path)) {
    if (!isNode(there)) return there;
    there = step(there, next);
  }
  return there;
};

const findFirst = (node: WireNode, paths: readonly DottedPath[]): Found => {
  let last: Found = null;
  for (const path of paths) {
    const there = find(node, path);
    if (typeof there === 'string' || (there !== null && there.kind !== 'null')) return there;
    last = there ?? last;
  }
  return last;
};

const ABSENT: WireLookUp = { absent: true };
const lookUpOf = (found: Found): WireLookUp =>
  found === null ? ABSENT : typeof found === 'string' ? { issue: found } : { found };

/** The value at a dotted path: at each step the member of that name, else of its snake_case spelling (ProtoJSON parsers take both; the camelCase one wins). */
export const at = (node: WireNode, path: DottedPath): WireLookUp => lookUpOf(find(node, path));

/** The first of the paths that leads to something other than JSON null; an issue on the way to it counts as something. */
export const firstAt = (node: WireNode, paths: readonly DottedPath[]): WireLookUp => lookUpOf(findFirst(node, paths));

type Reader<T> = (node: WireNode) => WireField<T>;

const NOTHING = { value: null, issue: null } as const;
const typed =
  <T>(read: Reader<T>) =>
  (node: WireNode, paths: readonly DottedPath[]): WireField<T> => {
    const there = findFirst(node, paths);
    if (typeof there === 'string') return { value: null, issue: there };
    return there === null || there.kind === 'null' ? NOTHING : read(there);
  };

const text: Reader<string> = (node) =>
  node.kind === 'string' && isWellFormed(node.value) ? { value: node.value, issue: null } : stringAt(node, []);
/** A string of any length. */
export const longString = typed(text);
/** A string that fits a record field. */
export const shortString = typed<string>((node) => withinLimit(text(node)));
export const integer = typed((node) => integerAt(node, []));
export const boolean = typed((node) => booleanAt(node, []));
export const items = typed((node) => itemsAt(node, []));
/** The JSON token as written in `text`, `null` too: a JSON-RPC id. */
export const token = (text: string, node: WireNode, paths: readonly DottedPath[]): WireField<string> => {
  const there = firstAt(node, paths);
  if ('issue' in there) return { value: null, issue: there.issue };
  return 'absent' in there ? NOTHING : withinLimit(tokenAt(text, there.found, []));
};

const withinLimit = (field: WireField<string>): WireField<string> =>
  field.value !== null && field.value.length > TEXT_LIMIT ? { value: null, issue: 'outside_model' } : field;

/** The issues of one record while its fields are read. */
export class Issues {
  private byField: Map<string, WireIssue> | null = null;

  /** Notes the issue of a field, if any; returns its value. */
  take<T>(name: string, field: WireField<T>): T | null {
    if (field.issue !== null) this.note(name, field.issue);
    return field.value;
  }

  note(name: string, issue: WireIssue): void {
    this.byField ??= new Map();
    this.byField.set(name, issue);
  }

  /** The record member `wire_issue`: null when there is none. */
  wireIssue(): Record<string, WireIssue> | null {
    return this.byField === null ? null : Object.fromEntries(this.byField);
  }
}
