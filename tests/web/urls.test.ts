import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { ODD_URLS, type Spelling } from '../base/odd-urls.ts';
import { inChromium } from './chromium.ts';
import { readings } from './urls-bulk.ts';

inChromium('the reader of URLs in a browser', (opened) => {
  it('reads every odd spelling as it does in Node, whatever the engine reads', async () => {
    const { outputFiles } = await build({
      entryPoints: ['tests/web/urls-bulk.ts'],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'bulk',
      platform: 'browser',
    });
    const { page, complaints } = await opened.open('<!doctype html><title>URLs</title>');
    await page.evaluate(`${outputFiles[0]!.text}; globalThis.bulk = bulk; undefined`);
    const there = await page.evaluate<string[], readonly Spelling[]>(
      (spellings) => (globalThis as unknown as { bulk: { readings: typeof readings } }).bulk.readings(spellings),
      ODD_URLS,
    );
    expect(there.length).toBeGreaterThan(600);
    expect(there).toEqual(readings(ODD_URLS));
    expect(there.filter((reading) => reading === 'null').length).toBeGreaterThan(100);
    expect(complaints).toEqual([]);
  });
});
