import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Pair, reportDigests } from './bulk.ts';
import { committed, inChromium } from './chromium.ts';
import { bulkPage, type InPage, namesIn, reportHere, textsOf, traces } from './equal.ts';

const EXPERIMENTS = [
  ...namesIn('traces/experiment').map((name) => textsOf(committed(name, 'experiment'))),
  ...namesIn('traces/experiment-python').map((name) => textsOf(committed(name, 'experiment-python', 'experiment-v03'))),
];

inChromium('the JSON report of the browser', (opened) => {
  it('is that of the command on every committed bundle', async () => {
    const pairs = [...traces(), ...EXPERIMENTS];
    expect(pairs.length).toBe(12 + 240 + 24);
    const page = await bulkPage(opened);
    const digests = page.evaluate<string[], readonly Pair[]>((given) => {
      const { bulk, forensictrace } = globalThis as unknown as InPage;
      return bulk.reportDigests(given, forensictrace.jsonReport);
    }, pairs);
    // Once it has been sent, both sides compute at a time.
    await setTimeout(100);
    const expected = reportDigests(pairs, reportHere);
    expect(await digests).toEqual(expected);
  }, 300_000);
});
