import { isObject, type JsonObject, type JsonValue } from '../base/json-value.ts';
import { COLLECTION_INFO, COLLECTIONS } from '../evidence/collections.ts';

/** A value that differs: where in its record (RFC 6901), and how it reads on each side; null where that side has none. */
export type FieldChange = { readonly pointer: string; readonly a: string | null; readonly b: string | null };
export type Change =
  | { readonly kind: 'only_a' | 'only_b'; readonly collection: string; readonly id: string }
  | {
      readonly kind: 'changed';
      readonly collection: string;
      readonly id: string;
      readonly fields: readonly FieldChange[];
    }
  /** The same records in another order. */
  | { readonly kind: 'reordered'; readonly collection: string };

export type Difference = {
  /** The first of them. */
  readonly changes: readonly Change[];
  readonly counts: {
    readonly only_a: number;
    readonly only_b: number;
    readonly changed: number;
    readonly reordered: number;
  };
};

const CHANGES = 1000;
const FIELDS = 100;
const AROUND = 40;
const SHOWN = 160;

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** A name is a stranger's: `__proto__` is a member like any other. */
const member = (value: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined;

/** The part of a text around a character, which in a body of a megabyte nobody finds alone. */
const excerpt = (text: string, around: number): string => {
  const start = Math.max(0, around - AROUND);
  const end = start + SHOWN;
  const part = text.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`;
};

const firstDifference = (a: string, b: string): number => {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
};

/** How a value reads beside the other, around the first character that differs; text stands in quotes. */
const shown = (value: JsonValue | undefined, other: JsonValue | undefined): string | null => {
  if (value === undefined) return null;
  if (typeof value === 'string')
    return `"${excerpt(value, typeof other === 'string' ? firstDifference(value, other) : 0)}"`;
  const text = JSON.stringify(value);
  return excerpt(text, other === undefined ? 0 : firstDifference(text, JSON.stringify(other)));
};

const same = (a: JsonValue | undefined, b: JsonValue | undefined): boolean => {
  if (!isObject(a) || !isObject(b)) return Array.isArray(a) && Array.isArray(b) ? sameList(a, b) : a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
  );
};

const sameList = (a: readonly JsonValue[], b: readonly JsonValue[]): boolean =>
  a.length === b.length && a.every((value, at) => same(value, b[at]));

/** The members in which two objects differ; lists are compared whole. The depth is bounded by the reader. */
const fieldsOf = (a: JsonObject, b: JsonObject, pointer = '', found: FieldChange[] = []): readonly FieldChange[] => {
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (found.length >= FIELDS) break;
    const [left, right] = [member(a, name), member(b, name)];
    const place = `${pointer}/${escapePointer(name)}`;
    if (isObject(left) && isObject(right)) fieldsOf(left, right, place, found);
    else if (!same(left, right)) found.push({ pointer: place, a: shown(left, right), b: shown(right, left) });
  }
  return found;
};

type Row = { readonly id: string; readonly value: JsonObject };

/** The rows of a list, each under an id of its own: where two have the same, the later are counted. */
const rowsByName = (list: JsonValue | undefined, idMember: string): readonly Row[] => {
  const seen = new Map<string, number>();
  return (Array.isArray(list) ? list : []).map((row) => {
    const value: JsonObject = isObject(row) ? row : { value: row };
    const given = member(value, idMember);
    const id = typeof given === 'string' ? given : '(no id)';
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return { id: count === 1 ? id : `${id} (${count})`, value };
  });
};

const changesOf = function* (collection: string, a: readonly Row[], b: readonly Row[]): Generator<Change> {
  const others = new Map(b.map(({ id, value }) => [id, value]));
  const own = new Set(a.map(({ id }) => id));
  for (const { id, value } of a) {
    const other = others.get(id);
    if (other === undefined) yield { kind: 'only_a', collection, id };
    else if (!same(value, other)) yield { kind: 'changed', collection, id, fields: fieldsOf(value, other) };
  }
  for (const { id } of b) if (!own.has(id)) yield { kind: 'only_b', collection, id };
  const order = (rows: readonly Row[], shared: { has: (id: string) => boolean }): string =>
    rows
      .filter(({ id }) => shared.has(id))
      .map(({ id }) => id)
      .join('\n');
  if (order(a, others) !== order(b, own)) yield { kind: 'reordered', collection };
};

const LISTS = [...COLLECTIONS, 'edges'] as const;

/** The members of a bundle that are no list of records or edges. */
const frameOf = (bundle: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(bundle).filter(([name, value]) => !LISTS.some((list) => list === name) || !Array.isArray(value)),
  );

/** What differs between two bundles of any shape, record by record and member by member; the first thousand, and how many there are. */
export const differenceOf = (a: JsonObject, b: JsonObject): Difference => {
  const changes: Change[] = [];
  const counts = { only_a: 0, only_b: 0, changed: 0, reordered: 0 };
  const add = (change: Change): void => {
    counts[change.kind]++;
    if (changes.length < CHANGES) changes.push(change);
  };
  const frame = fieldsOf(frameOf(a), frameOf(b));
  if (frame.length > 0) add({ kind: 'changed', collection: 'bundle', id: '', fields: frame });
  for (const name of LISTS) {
    const id = name === 'edges' ? 'edge_id' : COLLECTION_INFO[name].id;
    for (const change of changesOf(name, rowsByName(member(a, name), id), rowsByName(member(b, name), id))) add(change);
  }
  return { changes, counts };
};
