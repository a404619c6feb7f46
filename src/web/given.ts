import { isObject } from '../base/json-value.ts';
import { readJson } from '../base/read-json.ts';
import { BUNDLE_FORMAT } from '../evidence/bundle.ts';
import type { ReportFiles } from '../report/face.ts';
import type { Beside } from '../report/html/carried.ts';
import { FAMILY_FORMAT } from '../rules/family.ts';
import { PROFILE_FORMAT } from '../rules/profile.ts';
import { RECEIPT_FORMAT } from '../seal/receipt.ts';
import { TRUST_FORMAT } from '../seal/trust-schema.ts';

/** Where a file can be put; a verification needs the first four. */
export const PLACES = {
  bundle: { name: 'Bundle', format: BUNDLE_FORMAT, need: 'needed' },
  receipt: { name: 'Receipt', format: RECEIPT_FORMAT, need: 'needed' },
  profile: { name: 'Profile', format: PROFILE_FORMAT, need: 'needed' },
  trust: { name: 'Trust store', format: TRUST_FORMAT, need: 'needed' },
  families: { name: 'Family definitions', format: FAMILY_FORMAT, need: 'many' },
  settings: { name: 'Settings', format: null, need: 'one' },
  logs: { name: 'Keys of logs (PCM)', format: null, need: 'one' },
  schemas: { name: 'Schemas of intents (PCM)', format: null, need: 'many' },
} as const satisfies Record<string, { name: string; format: string | null; need: 'needed' | 'one' | 'many' }>;
export type Place = keyof typeof PLACES;
export const PLACE_NAMES = Object.keys(PLACES) as Place[];

export type GivenFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The page that carried it; null: it was given as a file. */
  readonly by: string | null;
};
export type Given = { readonly [P in Place]: readonly GivenFile[] };

export const NOTHING: Given = {
  bundle: [],
  receipt: [],
  profile: [],
  trust: [],
  families: [],
  settings: [],
  logs: [],
  schemas: [],
};

/** What a file says it is; the verifier then finds out whether it is. */
export const placeOf = (bytes: Uint8Array): Place | null => {
  const read = readJson(bytes, { input: 'file', recordAttributes: true });
  if (!read.ok || !isObject(read.value)) return null;
  const { format, body, logs, pcm_schema: schema } = read.value;
  if (schema !== undefined) return 'schemas';
  if (format === undefined && Array.isArray(logs)) return 'logs';
  const stated = isObject(body) ? body.format : format;
  return PLACE_NAMES.find((place) => PLACES[place].format !== null && PLACES[place].format === stated) ?? null;
};

/** With a file in its place: instead of the one there, or beside those of other names. */
export const withFile = (given: Given, place: Place, file: GivenFile): Given => ({
  ...given,
  [place]: PLACES[place].need === 'many' ? [...given[place].filter(({ name }) => name !== file.name), file] : [file],
});

/** With what a page carries instead of all but the trust store. */
export const withCarried = (
  given: Given,
  by: string,
  { bundle, receipt, profile }: Omit<ReportFiles, 'trust'>,
  { families = [], settings, pcm }: Beside,
): Given => {
  const file = (name: string, bytes: Uint8Array): GivenFile => ({ name, bytes, by });
  return {
    ...given,
    bundle: [file('bundle', bundle)],
    receipt: [file('receipt', receipt)],
    profile: [file('profile', profile)],
    families: families.map(({ name, bytes }) => file(name, bytes)),
    settings: settings === undefined ? [] : [file('settings', settings)],
    logs: pcm === undefined ? [] : [file('keys of logs', pcm.trust)],
    schemas: (pcm?.schemas ?? []).map(({ name, bytes }) => file(name, bytes)),
  };
};

/** Why nothing can be verified yet; null when it can. */
export const lacking = (given: Given): string | null => {
  const missing = PLACE_NAMES.filter((place) => PLACES[place].need === 'needed' && given[place].length === 0);
  if (missing.length > 0)
    return `Not given yet: ${missing.map((place) => PLACES[place].name.toLowerCase()).join(', ')}.`;
  return given.schemas.length > 0 && given.logs.length === 0
    ? 'Schemas of intents are read with keys of logs alone: give those too, or remove the schemas.'
    : null;
};

/** In the order in which the command reads a folder. */
const byName = (a: GivenFile, b: GivenFile): number => (a.name < b.name ? -1 : 1);

/** The files of a verification, as the command would read them. Takes what lacks nothing, and the incident asked about or an empty text. */
export const filesOf = (given: Given, incident: string): ReportFiles => {
  const [bundle, receipt, profile, trust, settings, logs] = (
    ['bundle', 'receipt', 'profile', 'trust', 'settings', 'logs'] as const
  ).map((place) => given[place][0]?.bytes);
  return {
    bundle: bundle!,
    receipt: receipt!,
    profile: profile!,
    trust: trust!,
    ...(given.families.length === 0 ? {} : { families: given.families.toSorted(byName) }),
    ...(settings === undefined ? {} : { settings }),
    ...(logs === undefined ? {} : { pcm: { trust: logs, schemas: given.schemas } }),
    ...(incident === '' ? {} : { expectedIncident: incident }),
  };
};
