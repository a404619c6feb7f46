import type * as z from 'zod';
import type { JsonObject } from '../base/json-value.ts';
import { requireFormat, requireObject } from '../base/read-document.ts';
import { readJson } from '../base/read-json.ts';
import type { Reason } from '../base/reasons.ts';
import { ok, type Refusal, type Result } from '../base/result.ts';
import { fitsOf } from '../evidence/fits.ts';
import { FAMILY_FORMAT, FamilyDefinition } from '../rules/family.ts';
import { PROFILE_FORMAT, Profile } from '../rules/profile.ts';

/** A verifier's own document: what its digest is made over, and what its schema made of it. */
export type Document<T> = { readonly document: JsonObject; readonly value: T };

const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const faultsOf = (error: z.ZodError, reason: Reason, input: string): Refusal[] =>
  error.issues.map((issue) => ({
    reason,
    at: { input, pointer: pointerOf([...issue.path, ...('keys' in issue ? issue.keys.slice(0, 1) : [])]) },
    detail: issue.message,
  }));

type Kind<T> = { readonly schema: z.ZodType<T>; readonly format: string; readonly reason: Reason };

const PROFILE: Kind<Profile> = { schema: Profile, format: PROFILE_FORMAT, reason: 'PROFILE_MALFORMED' };
const FAMILY: Kind<FamilyDefinition> = {
  schema: FamilyDefinition,
  format: FAMILY_FORMAT,
  reason: 'FAMILIES_MALFORMED',
};

const readObject = (bytes: Uint8Array, input: string): Result<JsonObject> => {
  const json = readJson(bytes, { input, recordAttributes: false });
  return json.ok ? requireObject(json.value, input, '') : json;
};

/** A file of another kind is told as that, not as each member it lacks. */
const read = <T>(bytes: Uint8Array, { schema, format, reason }: Kind<T>, input: string): Result<Document<T>> => {
  const object = readObject(bytes, input);
  const formatted = object.ok ? requireFormat(object.value, format, input, '') : object;
  if (!formatted.ok) return formatted;
  // Most documents have no fault, and the quick test is ready long before the schema is.
  if (fitsOf(schema)(formatted.value)) return ok({ document: formatted.value, value: formatted.value as T });
  const fit = schema.safeParse(formatted.value);
  return fit.success
    ? ok({ document: formatted.value, value: fit.data })
    : { ok: false, refusals: faultsOf(fit.error, reason, input) };
};

/** Reads a verification profile; a fault names the member by JSON pointer. */
export const readProfile = (bytes: Uint8Array): Result<Document<Profile>> => read(bytes, PROFILE, 'profile');

/** Reads the family definitions of a run, each named by its file; two of one family are a fault. */
export const readFamilies = (
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Result<readonly Document<FamilyDefinition>[]> => {
  const results = files.map(({ name, bytes }) => read(bytes, FAMILY, `families/${name}`));
  const faults = results.flatMap((result) => (result.ok ? [] : result.refusals));
  const definitions = results.flatMap((result) => (result.ok ? [result.value] : []));
  const seen = new Set<string>();
  for (const [at, { value }] of definitions.entries()) {
    if (seen.has(value.family_id)) {
      faults.push({
        reason: 'FAMILIES_MALFORMED',
        at: { input: `families/${files[at]?.name}`, pointer: '/family_id' },
        detail: `${value.family_id} is defined twice`,
      });
    }
    seen.add(value.family_id);
  }
  return faults.length > 0 ? { ok: false, refusals: faults } : ok(definitions);
};

/** Reads a settings document: any object of restricted JSON. */
export const readSettings = (bytes: Uint8Array): Result<JsonObject> => readObject(bytes, 'settings');
