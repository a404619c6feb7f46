import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { layoutOf, Schedule } from '../../../harness/experiment/model.ts';
import { ended, experiment } from './command.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'experiment-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const ARGS = ['--name', 'small', '--chooser', 'scripted', '--repetitions', '1'];
const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];

test('an experiment that is killed goes on where it was: no run is lost, none is repeated', {
  timeout: 240_000,
}, async () => {
  const layout = layoutOf(root, 'small');
  const killed = experiment(['run', root, ...ARGS]);
  const gone = ended(killed);
  while (linesOf(layout.outcomes).length < 3 && killed.exitCode === null) await delay(5);
  killed.kill('SIGKILL');
  expect((await gone).code).toBe(null);
  const before = linesOf(layout.outcomes);
  expect(before.length).toBeLessThan(12);
  const bundles = before.map((line) => readFileSync(layout.bundleOf(JSON.parse(line).run_id)));
  // As if the process had been killed in the middle of a line.
  appendFileSync(layout.outcomes, '{"run_id":"run-');

  const other = await ended(experiment(['run', root, ...ARGS, '--seed', 'another']));
  expect([other.code, other.output]).toEqual([2, expect.stringContaining('is of an experiment with other settings')]);

  const { code, output } = await ended(experiment(['run', root, ...ARGS]));
  expect([code, output]).toEqual([0, expect.stringContaining('12 runs')]);
  const scheduled = Schedule.parse(JSON.parse(readFileSync(layout.schedule, 'utf8'))).runs.map(({ run_id }) => run_id);
  expect(linesOf(layout.outcomes).slice(0, before.length)).toEqual(before);
  expect(linesOf(layout.outcomes).map((line) => JSON.parse(line).run_id)).toEqual(scheduled);
  const acting = linesOf(layout.choices)
    .map((line) => JSON.parse(line))
    .filter(({ role }) => role === 'acting');
  expect(acting.map(({ run_id }) => run_id)).toEqual(scheduled);
  expect(before.map((line) => readFileSync(layout.bundleOf(JSON.parse(line).run_id)))).toEqual(bundles);

  const sealed = readFileSync(layout.seal, 'utf8');
  expect((await ended(experiment(['run', root, ...ARGS]))).code).toBe(0);
  expect(readFileSync(layout.seal, 'utf8')).toBe(sealed);
});
