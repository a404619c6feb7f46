import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { canonical, type Signer } from '../../src/index.ts';
import type { Layout, Seal } from './model.ts';
import { documentText, writeWhole } from './write-once.ts';

/** The bytes that are signed: the canonical text of everything but the signature. It begins with a brace, so no tagged message of the same key is it. */
export const sealMessage = ({ format, files, key_id }: Omit<Seal, 'signature'>): Uint8Array =>
  Buffer.from(canonical({ format, files, key_id }));

/** The digests of the files that a seal covers, as they are on disk now. */
const sealedFiles = ({ schedule, settings, choices, outcomes }: Layout): Seal['files'] =>
  [schedule, settings, choices, outcomes].map((file) => ({
    file: basename(file),
    sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
  }));

/** Signs what no receipt covers: a label, a marker or a reply that is changed afterwards no longer fits. */
export const sealResults = (layout: Layout, signer: Signer): void => {
  const stated = {
    format: 'a2aft.experiment-seal.v1' as const,
    files: sealedFiles(layout),
    key_id: signer.key_id,
  };
  const signature = Buffer.from(signer.sign(sealMessage(stated))).toString('base64');
  writeWhole(layout.seal, documentText({ ...stated, signature } satisfies Seal));
};
