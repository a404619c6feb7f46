import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COLLECTION_INFO, type Collection } from '../../src/evidence/collections.ts';
import { deriveEdges } from '../../src/relate/derive.ts';
import { finalize } from '../../src/store/finalize.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { statement, testSigner } from '../support/seal.ts';
import { runs } from '../support/thorough.ts';
import { folder, verified } from './lab.ts';

const child = fileURLToPath(new URL('killed-child.ts', import.meta.url));

/** Kills the child after it has said so many lines and some time more; returns what it said. */
const killed = async (dir: string, lines: number, delay: number): Promise<string[]> => {
  const running = spawn(process.execPath, ['--import', 'tsx', child, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  running.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.split('\n').length > lines) setTimeout(() => running.kill('SIGKILL'), delay);
  });
  await once(running, 'close');
  return said.split('\n').slice(0, -1);
};

const seal = (dir: string) => {
  const [journal, bundle, receipt] = ['journal', 'bundle.json', 'receipt.json'].map((end) =>
    join(dir, `incident-1.${end}`),
  );
  const { issued_at: _, ...stated } = statement();
  finalize({
    journal: journal!,
    bundle: bundle!,
    receipt: receipt!,
    signer: () => testSigner(),
    statement: stated,
    clock: Date.now,
    derive: deriveEdges,
    crypto: nativeCrypto,
  });
  return verified(bundle!, receipt!);
};

const moments = Array.from(
  { length: runs(12, 3) },
  () => [1 + Math.floor(Math.random() * 40), Math.random() * 8] as const,
);

test.each(moments)(
  'killed -9 after %i acknowledgements and %d ms: each is in the recovered bundle',
  async (lines, delay) => {
    const place = folder();
    try {
      const said = await killed(place.path, lines, delay);
      expect(said.length).toBeGreaterThanOrEqual(lines);
      const { refusals, records } = seal(place.path);
      expect(refusals).toEqual([]);
      expect(records.trace_metadata).toMatchObject([
        { ended: 'recovered', coverage: { client_wire: true, capability_use: true, routing: false } },
      ]);
      expect(records.trace_metadata[0]!.gaps.at(-1)!.what).toContain('stopped before its end');
      const seenBy = <T extends { readonly observer: string; readonly task_id: string | null }>(
        rows: readonly T[],
        task: string,
      ) => rows.filter((row) => row.observer === 'sdk-client' && row.task_id === task);
      for (const line of said) {
        const [what, id] = line.split(' ') as [string, string];
        if (what === 'state') expect(seenBy(records.task_transitions, id).length, line).toBeGreaterThan(0);
        else if (what === 'artifact') {
          const told = said.filter((other) => other === line).length;
          expect(seenBy(records.artifacts, id).length, line).toBeGreaterThanOrEqual(told);
        } else {
          const collection = what as Collection;
          const ids = records[collection].map(
            (row) => (row as Record<string, unknown>)[COLLECTION_INFO[collection].id],
          );
          expect(ids, line).toContain(id);
        }
      }
    } finally {
      place.remove();
    }
  },
);

test('a journal cut in the middle of a line is recovered, one damaged elsewhere is refused by line', async () => {
  const place = folder();
  try {
    await killed(place.path, 20, 0);
    const journal = join(place.path, 'incident-1.journal');
    appendFileSync(journal, '0123456789abcdef {"kind":"reco');
    expect(seal(place.path).records.trace_metadata).toMatchObject([{ ended: 'recovered' }]);
    const bytes = readFileSync(journal);
    bytes[bytes.indexOf('\n', bytes.indexOf('\n') + 1) + 40]! ^= 1;
    writeFileSync(journal, bytes);
    expect(() => seal(place.path)).toThrow(/line 3/);
  } finally {
    place.remove();
  }
});
