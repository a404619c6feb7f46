import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PcmFiles } from '../../src/verify/pcm-documents.ts';
import { bytesOf, keyOf, LOG } from '../pcm/lab.ts';
import { FILES, forgedTrace } from '../verify/pcm-lab.ts';
import { outFile, resultsIn, tempFolder, verifyFolder } from './lab.ts';

const { files } = forgedTrace();
/** A folder of one pair, of which a request carries a message that its key did not sign. */
const folder = tempFolder();
writeFileSync(join(folder, 'forged.bundle.json'), files.bundle);
writeFileSync(join(folder, 'forged.receipt.json'), files.receipt);

const verified = async (pcm: PcmFiles | null, out = outFile()) => {
  const by = {
    trust: files.trust,
    profile: { file: 'p.json', bytes: files.profile },
    ...(pcm === null ? {} : { pcm }),
  };
  const { known, exit_code } = await verifyFolder(folder, { by, out });
  const reasons = resultsIn(out)[0]!.reasons.filter((reason) => reason.startsWith('PCM_'));
  return { known, exit_code, reasons, out };
};

describe('the messages of many bundles', () => {
  it('are verified under the keys and schemas that are given, and else not', async () => {
    expect(await verified(null)).toMatchObject({ exit_code: 0, reasons: [] });
    expect(await verified(FILES)).toMatchObject({ exit_code: 1, reasons: ['PCM_TRACE_REJECTED'] });
  });

  it('are refused with each pair when a document is', async () => {
    const wrong = { ...FILES, trust: bytesOf({ logs: [LOG.vkey, keyOf(2, LOG.name).vkey] }) };
    expect(await verified(wrong)).toMatchObject({ exit_code: 2, reasons: ['PCM_DOCUMENT_REFUSED'] });
  });

  it.each<[string, PcmFiles | null]>([
    ['without', null],
    ['with other keys', { ...FILES, trust: bytesOf({ logs: [keyOf(2, LOG.name).vkey] }) }],
    ['with another schema', { ...FILES, schemas: [] }],
  ])('are verified again %s, and not under the same documents', async (_, other) => {
    const { out } = await verified(FILES);
    expect(await verified(FILES, out)).toMatchObject({ known: 1, exit_code: 1 });
    expect((await verified(other, out)).known).toBe(0);
  });
});
