import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Choice, layoutOf, markerOf, Outcome, Schedule } from '../../../harness/experiment/model.ts';
import { FAMILIES, type Records } from '../../../src/index.ts';
import { ended, experiment } from './command.ts';

const root = mkdtempSync(join(tmpdir(), 'experiment-'));
const layout = layoutOf(root, 'small');
const connections = join(root, 'connections');
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);
let printed = '';

beforeAll(async () => {
  const preload = pathToFileURL('tests/harness/experiment/loopback-preload.mjs').href;
  const { code, output } = await ended(
    experiment(['run', root, '--name', 'small', '--chooser', 'scripted', '--repetitions', '1'], {
      NODE_OPTIONS: `--import ${preload}`,
      CONNECTIONS_FILE: connections,
    }),
  );
  printed = output;
  expect([code, output]).toEqual([0, expect.stringContaining('12 runs')]);
}, 240_000);
afterAll(() => rmSync(root, { recursive: true }));

test('each run of each family is sealed, verified in three configurations and judged as it went', () => {
  expect(printed).toContain('12 runs, each sealed, verified in three configurations, and judged as it went.');
  const outcomes = linesOf(layout.outcomes).map((line) => Outcome.parse(JSON.parse(line)));
  expect(outcomes.map(({ run_id }) => run_id)).toEqual(
    Schedule.parse(JSON.parse(readFileSync(layout.schedule, 'utf8'))).runs.map(({ run_id }) => run_id),
  );
  for (const { side, observed, sent, failure, target, family } of outcomes) {
    expect([family, side, observed, sent, failure, target !== null]).toEqual([
      family,
      side,
      side === 'condition',
      true,
      null,
      side === 'condition',
    ]);
  }
  expect(new Set(outcomes.map(({ family }) => family))).toEqual(new Set(FAMILIES));
});

test('every run has a choice of each chooser, and the reply that acted is the action that was carried out', () => {
  const choices = linesOf(layout.choices).map((line) => Choice.parse(JSON.parse(line)));
  const outcomes = linesOf(layout.outcomes).map((line) => Outcome.parse(JSON.parse(line)));
  for (const { run_id, action } of outcomes) {
    const asked = choices.filter((choice) => choice.run_id === run_id);
    expect(asked.map(({ role }) => role)).toEqual(['acting', 'constant', 'random']);
    expect(asked[0]).toMatchObject({ action, valid: true, reply: JSON.stringify({ action }) });
  }
});

test('the marker of each run arrived where its family says, and no bundle names a family, a side or a key of another run', () => {
  for (const { run_id, marker_seen } of linesOf(layout.outcomes).map((line) => Outcome.parse(JSON.parse(line)))) {
    expect(marker_seen.length).toBeGreaterThan(0);
    const text = readFileSync(layout.bundleOf(run_id), 'utf8');
    expect(text).toContain(markerOf(run_id));
    expect(text).not.toMatch(/condition|control|run-[0-9a-f]{16}/);
    expect(text.match(/mark-[0-9a-f]{16}/g)!.every((marker) => marker === markerOf(run_id))).toBe(true);
  }
});

test('the harness signs its observations as a harness, and every bundle says that no model took part', () => {
  const taps = new Set(['sdk-client', 'harness', 'profile']);
  for (const { run_id } of linesOf(layout.outcomes).map((line) => Outcome.parse(JSON.parse(line)))) {
    const { trace_metadata, discovery_events, ...rest } = JSON.parse(
      readFileSync(layout.bundleOf(run_id), 'utf8'),
    ) as Records;
    expect(trace_metadata[0]).toMatchObject({ ended: 'complete', gaps: [] });
    expect(trace_metadata[0]!.coverage_notes).toContain('no model took part: every action was chosen by a script');
    expect(discovery_events.map(({ observer }) => observer)).toEqual(discovery_events.map(() => 'harness'));
    const observers = Object.values(rest).flatMap((list) =>
      Array.isArray(list) ? list.flatMap(({ observer }) => observer ?? []) : [],
    );
    expect(observers.filter((observer) => !taps.has(observer))).toEqual([]);
  }
});

test('no process of a run connects to anything but loopback or looks up a name', () => {
  const told = linesOf(connections).map((line) => line.split(' '));
  expect(told.filter(([, what, host]) => what === 'lookup' || host !== '127.0.0.1')).toEqual([]);
  // The harness itself, the agents that send or ask for workers, and nobody who only serves.
  expect(new Set(told.map(([pid]) => pid)).size).toBeGreaterThanOrEqual(4);
});

test('the key of the receipts is gone when the last run is sealed', () => {
  expect(existsSync(join(root, 'work', 'small'))).toBe(false);
});
