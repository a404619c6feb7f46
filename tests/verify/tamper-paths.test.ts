import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { canonical } from '../../src/base/canonical.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import type { Refusal } from '../../src/base/result.ts';
import { bytesOf } from '../support/bundle.ts';
import { type Edit, edits } from '../support/edit.ts';
import { sealed, trustDocument } from '../support/seal.ts';
import { runs } from '../support/thorough.ts';
import { openPaths, ordered, orderedReceipt } from './paths.ts';
import { committedPairs, expectedOf, names } from './tamper-suite.ts';

/** Thousands of edits, each on every path, on a machine that may be busy with other things. */
const PATIENCE_MS = 7_200_000;
/** One edit of so many, primes: of the committed pairs, which `tamper-0` and `-1` try in whole, a part in any case. */
const OF_BUILT = runs(1, 307);
const OF_COMMITTED = runs(101, 5003);
const OF_RECEIPTS = runs(7, 401);

const profile = readFileSync('profiles/general.json');
const pairs = [
  { name: 'built', ...sealed(), trust: bytesOf(trustDocument()), stride: OF_BUILT },
  ...committedPairs()
    .slice(0, runs(Number.POSITIVE_INFINITY, 1))
    .map((pair) => ({ ...pair, trust: readFileSync('receipts/trust.json'), stride: OF_COMMITTED })),
];

/** Every stride-th edit that is another document. */
function* spread(root: JsonObject, stride: number): Iterable<Edit<JsonObject>> {
  const text = canonical(root);
  let number = 0;
  for (const edit of edits(root)) if (number++ % stride === 0 && canonical(edit.value) !== text) yield edit;
}

describe.each(pairs)('$name', ({ bundle, receipt, trust, stride }) => {
  const { paths, close } = openPaths({ profile, trust, mode: 'root-only', otherProfile: false });
  afterAll(close);

  test('verifies on every path as it is', async () => {
    for (const [path, verify] of Object.entries(paths)) {
      expect([path, (await verify(ordered(bundle), orderedReceipt(receipt))).verdict]).toEqual([
        path,
        'INTEGRITY_VERIFIED',
      ]);
    }
  });

  test(
    'no edit of the bundle verifies on any path, and each is named',
    async () => {
      let tried = 0;
      for (const edit of spread(bundle, stride)) {
        tried++;
        for (const [path, verify] of Object.entries(paths)) {
          const { verdict, refusals } = await verify(ordered(edit.value), orderedReceipt(receipt));
          const named = expectedOf(bundle, edit).every((one) => names(refusals as readonly Refusal[], one));
          expect({ path, kind: edit.kind, at: edit.path, verdict, named }).toEqual({
            path,
            kind: edit.kind,
            at: edit.path,
            verdict: edit.path[0] === 'format' ? 'COULD_NOT_CHECK' : 'INTEGRITY_REFUSED',
            named: true,
          });
        }
      }
      expect(tried).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );

  test(
    'no edit of the receipt verifies on any path',
    async () => {
      for (const edit of spread(receipt, OF_RECEIPTS)) {
        for (const [path, verify] of Object.entries(paths)) {
          const { verdict } = await verify(ordered(bundle), orderedReceipt(edit.value));
          expect({ path, at: edit.path, verdict }).not.toMatchObject({ verdict: 'INTEGRITY_VERIFIED' });
        }
      }
    },
    PATIENCE_MS,
  );
});
