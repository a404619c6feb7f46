import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';

export type Path = readonly (string | number)[];

/** What stands at a path. */
export const at = (root: JsonValue, path: Path): JsonValue =>
  path.reduce<JsonValue>((node, step) => (node as JsonObject)[step as string]!, root);

/** A shallow copy; a missing `__proto__` stays missing. */
const copyOf = <T extends JsonValue>(node: T): T =>
  (Array.isArray(node) ? node.slice() : Object.assign(Object.create(null), node)) as T;

/** A copy of the root that differs at the path alone; everything beside the path is shared with the root. */
const edited = <T extends JsonValue>(root: T, path: Path, edit: (value: JsonValue) => JsonValue): T => {
  const [step, ...rest] = path;
  if (step === undefined) return edit(root) as T;
  const copy = copyOf(root) as JsonObject;
  copy[step as string] = edited(copy[step as string]!, rest, edit);
  return copy as T;
};

export const replaced = <T extends JsonValue>(root: T, path: Path, value: unknown): T =>
  edited(root, path, () => value as JsonValue);

/** A copy without the member or element at the path. */
export const removed = <T extends JsonValue>(root: T, path: Path): T => {
  const step = path.at(-1)!;
  return edited(root, path.slice(0, -1), (parent) => {
    const copy = copyOf(parent);
    if (Array.isArray(copy)) copy.splice(step as number, 1);
    else delete (copy as JsonObject)[step as string];
    return copy;
  });
};

/** A copy with another element before index `to` of the list at the path. */
export const inserted = <T extends JsonValue>(root: T, path: Path, to: number, value: unknown): T =>
  edited(root, path, (list) => (list as JsonValue[]).toSpliced(to, 0, value as JsonValue));

const swapped = <T extends JsonValue>(root: T, path: Path): T => {
  const step = path.at(-1) as number;
  return edited(root, path.slice(0, -1), (list) => {
    const [first, second] = (list as JsonValue[]).slice(step, step + 2);
    return (list as JsonValue[]).toSpliced(step, 2, second!, first!);
  });
};

/** Another value of the same type and, where it can be, of the same shape. */
const changed = (value: JsonValue): JsonValue => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return changedText(value);
  return value === null ? 'x' : null;
};

const changedText = (text: string): string => {
  const first = text.charAt(0);
  if (first === '9' || first === 'f' || first === 'z')
    return String.fromCharCode(first.charCodeAt(0) - 1) + text.slice(1);
  return /[0-9a-y]/.test(first) ? String.fromCharCode(first.charCodeAt(0) + 1) + text.slice(1) : `${text}x`;
};

export type Edit<T extends JsonValue> = {
  readonly kind: 'changed' | 'removed' | 'duplicated' | 'swapped';
  readonly path: Path;
  readonly value: T;
};

/**
 * Every single edit of a document: each value changed, each member or element removed, each element duplicated and
 * swapped with its neighbour.
 */
export function* edits<T extends JsonValue>(root: T, path: Path = [], node: JsonValue = root): Generator<Edit<T>> {
  if (path.length > 0) {
    yield { kind: 'changed', path, value: edited(root, path, changed) };
    yield { kind: 'removed', path, value: removed(root, path) };
  }
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const [index, element] of node.entries()) {
      const place = [...path, index];
      yield { kind: 'duplicated', path: place, value: inserted(root, path, index + 1, element) };
      if (index + 1 < node.length) yield { kind: 'swapped', path: place, value: swapped(root, place) };
    }
  }
  for (const step of Array.isArray(node) ? node.keys() : Object.keys(node)) {
    yield* edits(root, [...path, step], (node as JsonObject)[step as string]!);
  }
}
