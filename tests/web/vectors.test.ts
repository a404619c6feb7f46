import { build } from 'esbuild';
import { expect, it } from 'vitest';
import type { Vector } from '../pcm/vectors.ts';
import { vectorsIn } from '../pcm/vectors-folder.ts';
import { inChromium } from './chromium.ts';
import type { vectorDifferences } from './vectors-bulk.ts';

inChromium('the verifier of messages in a browser', (opened) => {
  it('says of every vector what the vector expects, and notices one that expects otherwise', async () => {
    const { outputFiles } = await build({
      entryPoints: ['tests/web/vectors-bulk.ts'],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'bulk',
      platform: 'browser',
    });
    const { page, complaints } = await opened.open('<!doctype html><title>vectors</title>');
    await page.evaluate(`${outputFiles[0]!.text}; globalThis.bulk = bulk; undefined`);
    const run = (vectors: readonly Vector[]) =>
      page.evaluate<ReturnType<typeof vectorDifferences>, string>(
        (given) =>
          (globalThis as unknown as { bulk: { vectorDifferences: typeof vectorDifferences } }).bulk.vectorDifferences(
            JSON.parse(given),
          ),
        JSON.stringify(vectors),
      );
    const vectors = vectorsIn('tests/vectors/pcm');
    expect(await run(vectors)).toEqual({ ran: 384, differences: [] });
    const other = vectors.map((vector) => ({ ...vector, expected: 'bad-input' as const }));
    expect((await run(other)).differences.length).toBeGreaterThan(300);
    expect(complaints).toEqual([]);
  }, 120_000);
});
