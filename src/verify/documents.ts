import type * as z from 'zod';
import { isObject, type JsonObject } from '../base/json-value.ts';
import { readJson } from '../base/read-json.ts';
import type { Reason } from '../base/reasons.ts';
import { ok, type Refusal, type Result, refused } from '../base/result.ts';
import { FamilyDefinition } from '../rules/family.ts';
import { Profile } from '../rules/profile.ts';

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

const read = <T>(bytes: Uint8Array, schema: z.ZodType<T>, reason: Reason, input: string): Result<Document<T>> => {
  const json = readJson(bytes, { input, recordAttributes: false });
  if (!json.ok) return json;
  const fit = schema.safeParse(json.value);
  return fit.success
    ? ok({ document: json.value as JsonObject, value: fit.data })
    : { ok: false, refusals: faultsOf(fit.error, reason, input) };
};

/** Reads a verification profile; a fault names the member by JSON pointer. */
export const readProfile = (bytes: Uint8Array): Result<Document<Profile>> =>
  read(bytes, Profile, 'PROFILE_MALFORMED', 'profile');

/** Reads the family definitions of a run, each named by its file; two of one family are a fault. */
export const readFamilies = (
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Result<readonly Document<FamilyDefinition>[]> => {
  const results = files.map(({ name, bytes }) =>
    read(bytes, FamilyDefinition, 'FAMILIES_MALFORMED', `families/${name}`),
  );
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
export const readSettings = (bytes: Uint8Array): Result<JsonObject> => {
  const json = readJson(bytes, { input: 'settings', recordAttributes: false });
  if (!json.ok) return json;
  if (isObject(json.value)) return ok(json.value);
  return refused({
    reason: 'READ_NOT_AN_OBJECT',
    at: { input: 'settings', pointer: '' },
    detail: 'a JSON object is expected',
  });
};
