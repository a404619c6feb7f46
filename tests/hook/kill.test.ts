import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { runRecover } from '../../src/cli/recover.ts';
import type { Records } from '../../src/evidence/bundle.ts';
import { COLLECTION_INFO, type Collection } from '../../src/evidence/collections.ts';
import type { RecordEntry } from '../../src/store/entry.ts';
import { readJournal } from '../../src/store/journal.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { runs } from '../support/thorough.ts';
import { EXCHANGES, linesOf, randomOf, startCommand, twoAtATime, untilLines } from './kill-lab.ts';
import { type Lab, openLab } from './support.ts';

/** Of child and of parent each. */
const KILLS = runs(25, 5);

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});

/** After how many answers, and how many milliseconds later, something is killed. */
type Moment = readonly [answers: number, later: number];
const momentsOf = (seed: number): readonly Moment[] => {
  const random = randomOf(seed);
  return Array.from({ length: KILLS }, () => [1 + Math.floor(random() * 30), random() * 12] as const);
};

const messageOf = ({ request_body }: Records['exchanges'][number]): string | null =>
  request_body === null ? null : JSON.parse(request_body.text).params.message.messageId;

/** What the program has the answer to was told from both sides, in full. */
const requireAcknowledged = (records: Records, ids: readonly string[], at: string): void => {
  const answered = new Map<string, string[]>();
  for (const exchange of records.exchanges) {
    const id = messageOf(exchange);
    if (id === null || !exchange.response_body?.text.includes(`an answer to ${id}"`) || exchange.status !== 200)
      continue;
    answered.set(id, [...(answered.get(id) ?? []), exchange.attributes?.side ?? '']);
  }
  for (const id of ids) {
    expect(answered.get(id)?.sort(), `${at}: ${id}`).toEqual(['client', 'server']);
    expect(records.artifacts.filter(({ artifact_id }) => artifact_id === `of-${id}`).length, `${at}: ${id}`).toBe(2);
  }
};

/** Runs the program again and again in one capture: a recorder for each kill would take most of the time. */
const AGAIN = `for each in "$@"; do node ${EXCHANGES} "$each" 5000; done`;
const KILLS_EACH = 5;

test(`kill -9 of the program at ${KILLS} moments: what it has the answer to is in the bundle`, {
  timeout: 240_000,
}, async () => {
  const moments = momentsOf(1);
  const captures = Array.from({ length: KILLS / KILLS_EACH }, (_, at) =>
    moments.slice(at * KILLS_EACH, (at + 1) * KILLS_EACH),
  );
  await twoAtATime(captures, async (kills, at) => {
    const incident = `child-${at}`;
    const logs = kills.map((_, run) => join(lab.folder, `${incident}-${run}.log`));
    const running = startCommand(lab.commandLine(incident, ['bash', '-c', AGAIN, 'bash', ...logs]));
    for (const [run, [answers, later]] of kills.entries()) {
      const [first] = await untilLines(logs[run]!, answers, running);
      await sleep(later);
      process.kill(Number(first!.split('-')[0]), 'SIGKILL');
    }
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(128 + 9);
    const { records } = lab.sealed(incident);
    for (const [run, [answers, later]] of kills.entries())
      requireAcknowledged(records, linesOf(logs[run]!), `killed at ${answers} + ${later} ms`);
  });
});

/** What the journal holds by now: each record once, as it was written last. */
const journalled = (journal: string): readonly RecordEntry[] => {
  const copy = `${journal}.copy`;
  copyFileSync(journal, copy);
  const entries = new Map<string, RecordEntry>();
  for (const entry of readJournal(copy, nativeCrypto)) {
    if (entry.kind === 'record') entries.set(`${entry.collection} ${idOf(entry.collection, entry.record)}`, entry);
  }
  return [...entries.values()];
};
const idOf = (collection: Collection, record: object): string =>
  (record as Readonly<Record<string, string>>)[COLLECTION_INFO[collection].id]!;

test(`kill -9 of the recorder at ${KILLS} moments: what its journal held is recovered, and the program runs on`, {
  timeout: 240_000,
}, async () => {
  const recovering = { profile: 'profiles/general.json', key: join(lab.folder, 'key.pem'), signer: 'ci' };
  let held = 0;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await twoAtATime(momentsOf(2), async ([answers, later], at) => {
    // So many more that the capture is never over before its recorder is killed.
    const [incident, log, count] = [`parent-${at}`, join(lab.folder, `parent-${at}.log`), answers + 150];
    const running = startCommand(lab.commandLine(incident, ['node', EXCHANGES, log, String(count)]));
    await untilLines(log, answers, running);
    await sleep(later);
    const acknowledged = journalled(`${lab.stemOf(incident)}.journal`);
    process.kill(running.pid, 'SIGKILL');
    const { signal, stdout } = await running.ended;
    expect([signal, stdout]).toEqual(['SIGKILL', `${count} exchanges passed\n`]);
    expect(linesOf(log).length).toBe(count);

    expect(runRecover(`${lab.stemOf(incident)}.journal`, recovering)).toBe(0);
    const { records, outcome } = lab.sealed(incident);
    expect(records.trace_metadata).toMatchObject([{ ended: 'recovered' }]);
    expect(outcome.verdict).not.toBe('FORENSICALLY_CONSISTENT');
    held += acknowledged.length;
    for (const { collection, record } of acknowledged) {
      const ids = records[collection].map((row) => idOf(collection, row));
      expect(ids, `killed at ${answers} + ${later} ms`).toContain(idOf(collection, record));
    }
  });
  // A recorder may lie far behind the program, but not in every run.
  expect(held).toBeGreaterThan(KILLS);
});
