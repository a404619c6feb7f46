import {
  booleanAt,
  integerAt,
  itemsAt,
  memberOf,
  stringAt,
  tokenAt,
  type WireField,
  type WireIssue,
  type WireLookUp,
} from '../../base/wire-fields.ts';
import type { WireNode } from '../../base/wire-json.ts';

/** Record strings hold this many UTF-16 units; a longer one on the wire is outside the model. */
const TEXT_LIMIT = 65_536;

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

const stepsOf = (path: DottedPath): readonly Step[] => {
  const known = STEPS.get(path) ?? path.split('.').map(stepOf);
  STEPS.set(path, known);
  return known;
};

const step = (node: WireNode, { name, other }: Step): WireLookUp => {
  const there = memberOf(node, name);
  if (other === null || 'issue' in there || ('found' in there && there.found.kind !== 'null')) return there;
  const spelled = memberOf(node, other);
  return 'absent' in spelled ? there : spelled;
};

/** The value at a dotted path: at each step the member of that name, else of its snake_case spelling (ProtoJSON parsers take both; the camelCase one wins). */
export const at = (node: WireNode, path: DottedPath): WireLookUp => {
  let there: WireLookUp = { found: node };
  for (const next of stepsOf(path)) {
    if (!('found' in there)) return there;
    there = step(there.found, next);
  }
  return there;
};

/** The first of the paths that leads to something other than JSON null; an issue on the way to it counts as something. */
export const firstAt = (node: WireNode, paths: readonly DottedPath[]): WireLookUp => {
  let last: WireLookUp = { absent: true };
  for (const path of paths) {
    const there = at(node, path);
    if ('issue' in there || ('found' in there && there.found.kind !== 'null')) return there;
    if ('found' in there) last = there;
  }
  return last;
};

type Reader<T> = (node: WireNode) => WireField<T>;

const NOTHING = { value: null, issue: null } as const;
const typed =
  <T>(read: Reader<T>) =>
  (node: WireNode, paths: readonly DottedPath[]): WireField<T> => {
    const there = firstAt(node, paths);
    if ('issue' in there) return { value: null, issue: there.issue };
    return 'absent' in there ? NOTHING : read(there.found);
  };

/** A string of any length. */
export const longString = typed((node) => stringAt(node, []));
/** A string that fits a record field. */
export const shortString = typed<string>((node) => withinLimit(stringAt(node, [])));
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
