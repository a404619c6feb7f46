import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withVenue } from '../../harness/demo/demo.ts';
import { type Run, runPlay } from '../../harness/demo/run.ts';
import { PLAYS } from '../../harness/demo/scenarios.ts';
import type { AnyRecord, Bundle } from '../../src/evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../../src/evidence/collections.ts';
import { CHECKS, differences, misplaced } from './account/account.ts';
import { isSame } from './account/compare.ts';

type Played = { readonly run: Run; readonly bundle: Bundle; readonly from: string; readonly to: string };

const played = new Map<string, Played>();
const folder = mkdtempSync(join(tmpdir(), 'forensictrace-account-'));
beforeAll(() =>
  withVenue(folder, async (venue) => {
    for (const play of PLAYS) {
      const from = new Date().toISOString();
      const run = await runPlay(play, venue);
      const bundle = JSON.parse(readFileSync(run.evidence.bundle, 'utf8')) as Bundle;
      played.set(play.name, { run, bundle, from, to: new Date().toISOString() });
    }
  }),
);
afterAll(() => rmSync(folder, { recursive: true }));

test.each(PLAYS)('every record of $name is as servers, stores and services saw it', ({ name }) => {
  const { run, bundle, from, to } = played.get(name)!;
  expect(differences({ bundle, run })).toEqual([]);
  expect(misplaced(bundle, from, to)).toEqual([]);
});

/** What a tap that ignores what it sees could write instead. */
const CONSTANTS = [null, 'planted', 7_777_777, true, false, [], {}] as const;
/** Named by the recorder itself, and held by `misplaced`, or by what refers to them. */
const OWN = new Set(['observed_at', 'sequence', 'salt']);
/** What the recorder states of its own session. */
const SESSION = new Set(['started_at', 'ended_at']);

const plantings = (bundle: Bundle, collection: Collection) => {
  const members = Object.keys(bundle[collection][0] ?? {}).filter(
    (member) => !OWN.has(member) && !SESSION.has(member) && member !== COLLECTION_INFO[collection].id,
  );
  return members.flatMap((member) =>
    CONSTANTS.flatMap((constant) => {
      const planted = bundle[collection].map((record: AnyRecord) => ({ ...record, [member]: constant }));
      return isSame(planted, bundle[collection]) ? [] : [{ member, constant, planted }];
    }),
  );
};

test.each(COLLECTIONS)('a constant planted in any member of %s is noticed', (collection) => {
  const unnoticed: string[] = [];
  let tried = 0;
  for (const { run, bundle } of played.values()) {
    for (const { member, constant, planted } of plantings(bundle, collection)) {
      tried++;
      let found: readonly string[];
      try {
        found = CHECKS[collection]({ run, bundle: { ...bundle, [collection]: planted } });
      } catch (error) {
        found = [String(error)];
      }
      if (found.length === 0) unnoticed.push(`${run.play.name}: ${member} = ${JSON.stringify(constant)}`);
    }
  }
  expect(unnoticed).toEqual([]);
  expect(tried).toBeGreaterThan(0);
});

test.each(COLLECTIONS)('a record of %s that is left out or added is noticed', (collection) => {
  for (const { run, bundle } of played.values()) {
    const records = bundle[collection] as readonly AnyRecord[];
    const [first] = records;
    if (first === undefined) continue;
    for (const changed of [records.slice(1), records.slice(0, -1), [...records, first]]) {
      expect(() => {
        expect(CHECKS[collection]({ run, bundle: { ...bundle, [collection]: changed } })).toEqual([]);
      }).toThrow();
    }
  }
});

test('a time out of the run, an order that time does not follow, and a salt used twice are noticed', () => {
  const { bundle, from, to } = [...played.values()][0]!;
  const change = (edit: Partial<AnyRecord>): Bundle => ({
    ...bundle,
    exchanges: bundle.exchanges.map((exchange) => ({ ...exchange, ...(edit as Partial<typeof exchange>) })),
  });
  for (const edit of [
    { observed_at: '2020-01-01T00:00:00.000Z' },
    { observed_at: '2999-01-01T00:00:00.000Z' },
    { sequence: 0 },
    { salt: bundle.trace_metadata[0]!.salt },
  ]) {
    expect(misplaced(change(edit), from, to)).not.toEqual([]);
  }
  for (const edit of [{ started_at: '2020-01-01T00:00:00.000Z' }, { ended_at: bundle.trace_metadata[0]!.started_at }]) {
    const trace_metadata = bundle.trace_metadata.map((trace) => ({ ...trace, ...edit }));
    expect(misplaced({ ...bundle, trace_metadata }, from, to)).not.toEqual([]);
  }
});
