import * as z from 'zod';
import { decodeBase64 } from '../../base/base64.ts';
import { readJson } from '../../base/read-json.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import type { VerifierInput } from '../../verify/verify.ts';
import type { ReportFiles } from '../face.ts';

/** The files that a page carries, by role: the trust store comes from its reader. */
export const CARRIED = ['bundle', 'receipt', 'profile'] as const;
export type CarriedRole = (typeof CARRIED)[number];
/** What else a verification was given: it is carried as one document, where anything was. */
export type Beside = Pick<VerifierInput, 'families' | 'settings' | 'pcm' | 'expectedIncident'>;

export const carriedId = (role: CarriedRole | 'beside'): string => `carried-${role}`;

type Base64 = (bytes: Uint8Array) => string;
type NamedFile = { readonly name: string; readonly bytes: Uint8Array };

const Base64Text = z.string().transform((text, context): Uint8Array => {
  const bytes = decodeBase64(text);
  if (bytes !== null) return bytes;
  context.addIssue('is not base64');
  return z.NEVER;
});
const Named = z.strictObject({ name: z.string(), bytes: Base64Text });
const BesideDocument = z.strictObject({
  families: z.array(Named).optional(),
  settings: Base64Text.optional(),
  pcm: z.strictObject({ trust: Base64Text, schemas: z.array(Named) }).optional(),
  incident: z.string().optional(),
});

const inBase64 = (files: readonly NamedFile[], base64: Base64) =>
  files.map(({ name, bytes }) => ({ name, bytes: base64(bytes) }));

const besideText = ({ families, settings, pcm, expectedIncident }: Beside, base64: Base64): string | null => {
  const document = {
    ...(families === undefined ? {} : { families: inBase64(families, base64) }),
    ...(settings === undefined ? {} : { settings: base64(settings) }),
    ...(pcm === undefined ? {} : { pcm: { trust: base64(pcm.trust), schemas: inBase64(pcm.schemas, base64) } }),
    ...(expectedIncident === undefined ? {} : { incident: expectedIncident }),
  };
  return Object.keys(document).length === 0 ? null : JSON.stringify(document);
};

/** Reads what `carriedOf` made of the documents beside the evidence; null where it is none. */
export const readBeside = (bytes: Uint8Array): Beside | null => {
  const read = readJson(bytes, { input: 'page', recordAttributes: false });
  const fit = read.ok ? BesideDocument.safeParse(read.value) : null;
  if (!fit?.success) return null;
  const { incident, ...documents } = fit.data;
  return { ...documents, ...(incident === undefined ? {} : { expectedIncident: incident }) } as Beside;
};

/** The size of all that a page would carry, in bytes. */
export const carriedSize = ({ bundle, receipt, profile, families = [], settings, pcm }: ReportFiles): number =>
  [
    bundle,
    receipt,
    profile,
    ...[...families, ...(pcm?.schemas ?? [])].map(({ bytes }) => bytes),
    settings,
    pcm?.trust,
  ].reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0);

/** The base64 texts that a page carries, by element id. */
export const carriedOf = (files: ReportFiles, base64: Base64): Readonly<Record<string, string>> => {
  const beside = besideText(files, base64);
  return {
    ...Object.fromEntries(CARRIED.map((role) => [carriedId(role), base64(files[role])])),
    ...(beside === null ? {} : { [carriedId('beside')]: base64(encodeUtf8(beside)) }),
  };
};
