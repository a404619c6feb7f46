import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDocuments } from '../../../harness/documents.ts';
import { openChoosers } from '../../../harness/experiment/choosers/choosers.ts';
import { execute, type Venue } from '../../../harness/experiment/execute.ts';
import { layoutOf, type Outcome } from '../../../harness/experiment/model.ts';
import { makeSchedule } from '../../../harness/experiment/schedule.ts';
import { settingsOf } from '../../../harness/experiment/settings.ts';
import { JS_STAGE } from '../../../harness/experiment/stage.ts';
import { absent, type PlaceName, type Troupe } from '../../../harness/experiment/troupe.ts';
import type { Family } from '../../../src/index.ts';
import { testSigner } from '../../support/seal.ts';

const folder = mkdtempSync(join(tmpdir(), 'experiment-'));
const schedule = makeSchedule('run', 'absent', 1);
let venue: Venue;
let troupe: Troupe;

beforeAll(async () => {
  const choosers = await openChoosers({ backend: 'scripted' });
  troupe = JS_STAGE.start();
  venue = {
    documents: readDocuments(),
    settings: settingsOf(choosers, schedule, JS_STAGE.sdk),
    signer: () => testSigner(),
    troupe,
    protocol: JS_STAGE.protocol,
    work: join(folder, 'captures'),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(troupe).map((player) => player.stop()));
  rmSync(folder, { recursive: true });
});

/** The outcome of a family's condition, without some place. */
const outcomeWithout = (family: Family, action: string, without?: PlaceName): Promise<Outcome> => {
  const run = schedule.runs.find((one) => one.family === family && one.side === 'condition')!;
  const players = without === undefined ? troupe : { ...troupe, [without]: absent(without) };
  return execute(run, action, layoutOf(folder, 'absent'), { ...venue, troupe: players });
};

const told = ({ observed, sent, failure, target, marker_seen }: Outcome) => ({
  observed,
  sent,
  failed: failure !== null,
  target: target !== null,
  marker_seen,
});

test.each<[Family, string, PlaceName[]]>([
  ['AS', 'use_last_offer', ['researcher', 'researcher-2']],
  ['CC', 'ask_to_purchase', ['researcher']],
  ['CO', 'hand_on', ['planner', 'researcher', 'reviewer']],
  ['HOTF', 'approve_later', ['reviewer', 'queue']],
  ['ASRF', 'retrieve_uri', ['researcher', 'uri-service']],
  ['ATSI', 'render_as_received', ['researcher', 'renderer']],
])('%s needs each of its processes: without one, its outcome is another', async (family, action, needed) => {
  const whole = await outcomeWithout(family, action);
  expect(told(whole)).toMatchObject({ observed: true, sent: true, failed: false, target: true });
  for (const name of needed) {
    const outcome = await outcomeWithout(family, action, name);
    expect([name, told(outcome)]).not.toEqual([name, told(whole)]);
    expect([name, outcome.observed, outcome.target]).toEqual([name, false, null]);
    expect(outcome.log.some(({ place }) => place === name)).toBe(false);
  }
});

test('after an invalid reply nothing is carried out', async () => {
  const [run] = schedule.runs;
  const outcome = await execute(run!, null, layoutOf(folder, 'absent'), venue);
  expect(outcome).toMatchObject({ action: null, sent: false, observed: false, target: null, failure: null, log: [] });
});
