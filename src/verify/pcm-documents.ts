import type { Crypto } from '../base/crypto.ts';
import { ok, type Refusal, type Result } from '../base/result.ts';
import type { PcmResult } from '../pcm/finding.ts';
import { type PcmSchema, readPcmSchema } from '../pcm/schema.ts';
import { readPcmTrust } from '../pcm/trust.ts';
import type { PcmDocuments } from './pcm-stage.ts';

/** Documents of PCM as files: whose keys are pinned, and the schemas of the intents. */
export type PcmFiles = {
  readonly trust: Uint8Array;
  readonly schemas: readonly { readonly name: string; readonly bytes: Uint8Array }[];
};

/** The files as the report names them. */
export const pcmInputs = ({ trust, schemas }: PcmFiles): readonly (readonly [string, Uint8Array])[] => [
  ['pcm-trust', trust],
  ...schemas.map(({ name, bytes }) => [`pcm-schemas/${name}`, bytes] as const),
];

const refusalsOf = (read: PcmResult<unknown>, input: string): readonly Refusal[] =>
  read.ok
    ? []
    : read.findings.map(({ reason, at, detail }) => ({
        reason: 'PCM_DOCUMENT_REFUSED',
        at: { input, pointer: at },
        detail: `${detail} (${reason})`,
      }));

/** Reads the documents of PCM; each that is refused is told. */
export const readPcmDocuments = (files: PcmFiles, crypto: Crypto): Result<PcmDocuments> => {
  const trust = readPcmTrust(files.trust, crypto);
  const schemas = files.schemas.map(({ name, bytes }) => ({ name, read: readPcmSchema(bytes, crypto) }));
  const refusals = [
    ...refusalsOf(trust, 'pcm-trust'),
    ...schemas.flatMap(({ name, read }) => refusalsOf(read, `pcm-schemas/${name}`)),
  ];
  if (!trust.ok || refusals.length > 0) return { ok: false, refusals };
  return ok({ trust: trust.value, schemas: schemas.flatMap(({ read }): PcmSchema[] => (read.ok ? [read.value] : [])) });
};
