import type * as z from 'zod';
import type { JsonValue } from '../base/json-value.ts';
import { fitsOf } from '../evidence/fits.ts';

export type FaultKind = 'missing' | 'unknown' | 'type' | 'value';
/** One member that does not fit a schema; `path` leads to it. */
export type Fault = { readonly kind: FaultKind; readonly path: readonly PropertyKey[]; readonly detail: string };

/**
 * Takes a value and a strict schema; returns the members that do not fit, in the schema's order. The schema judges
 * only: the caller keeps the value, since a parser may drop members (`__proto__`) that were committed.
 */
export const faultsOf = (schema: z.ZodType, value: JsonValue): readonly Fault[] => {
  if (quickTest(schema)(value)) return [];
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue): Fault[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((name) => ({
        kind: 'unknown',
        path: [...issue.path, name],
        detail: 'the format has no such member',
      }));
    }
    if (!isPresent(value, issue.path)) {
      return [{ kind: 'missing', path: issue.path, detail: 'the format requires this member' }];
    }
    const kind = issue.code === 'invalid_type' || issue.code === 'invalid_union' ? 'type' : 'value';
    return [{ kind, path: issue.path, detail: issue.message }];
  });
};

const QUICK = new WeakMap<z.ZodType, ReturnType<typeof fitsOf>>();

const quickTest = (schema: z.ZodType): ReturnType<typeof fitsOf> => {
  const known = QUICK.get(schema) ?? fitsOf(schema);
  QUICK.set(schema, known);
  return known;
};

const isPresent = (value: JsonValue, path: readonly PropertyKey[]): boolean => {
  let node: unknown = value;
  for (const step of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return false;
    node = (node as Record<PropertyKey, unknown>)[step];
  }
  return true;
};

/** RFC 6901 pointer of a path. */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
