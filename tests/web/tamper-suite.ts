import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sealedFiles } from '../support/pair.ts';
import { runs } from '../support/thorough.ts';
import { type Tampering, tamperedDigests, tamperings } from './bulk.ts';
import { inChromium } from './chromium.ts';
import { bulkPage, type InPage, reportHere, textsOf, traces } from './equal.ts';

/** Every edit of the largest pairs, on a machine that may be busy with other things. */
const PATIENCE_MS = 3_600_000;

/** The same here, with a pause now and then in which the runner of the tests is heard. */
const digestsHere = async (tampering: Tampering): Promise<string[]> => {
  const digests: string[] = [];
  for (const digest of tamperedDigests(tampering, reportHere)) {
    digests.push(digest);
    if (digests.length % 20 === 0) await setImmediate();
  }
  return digests;
};

/**
 * The report of the browser on single edits of bundle and receipt of the committed pairs, and of one that holds every kind of record: one edit of
 * each kind, and every edit in `npm run test:all`. A kind is what was done to which member of which list. Of `shards` suites this is number `shard`.
 */
export const tamperSuite = (shard: number, shards: number): void => {
  inChromium('the JSON report of the browser on tampered evidence', (opened) => {
    it(
      'is that of the command',
      async () => {
        const page = await bulkPage(opened);
        let tried = 0;
        for (const whole of tamperings([textsOf(sealedFiles()), ...traces()], runs(Number.POSITIVE_INFINITY, 1))) {
          const tampering = { ...whole, numbers: whole.numbers.filter((_, at) => at % shards === shard) };
          const there = page.evaluate<string[], Tampering>((given) => {
            const { bulk, forensictrace } = globalThis as unknown as InPage;
            return [...bulk.tamperedDigests(given, forensictrace.jsonReport)];
          }, tampering);
          // Once it has been sent, both sides compute at a time.
          await setTimeout(20);
          const here = await digestsHere(tampering);
          expect(await there).toEqual(here);
          expect(here).toHaveLength(tampering.numbers.length);
          tried += here.length;
        }
        console.log(`tried ${tried} edits in Chromium`);
        expect(tried).toBeGreaterThan(runs(25_000, 400));
      },
      PATIENCE_MS,
    );
  });
};
