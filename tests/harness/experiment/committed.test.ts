import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isAsItShould } from '../../../harness/experiment/evaluate.ts';
import { Choice, layoutOf, Settings } from '../../../harness/experiment/model.ts';
import { judgeResults } from '../../../src/cli/experiment-results.ts';

/** The committed experiments, and how many runs each must have. */
const COMMITTED = [
  ['experiment', 240, 'a2a-js 1.0 SendMessage'],
  ['experiment-python', 24, 'a2a-python 0.3 message/send'],
] as const;

test.each(COMMITTED)(
  '%s: %i runs of a real model, verified from disk and judged as they went',
  async (name, count, path) => {
    const { evaluation, faults, exitCode } = await judgeResults('.', { name });
    expect([exitCode, faults]).toEqual([0, []]);
    const { runs, settings } = evaluation!;
    expect(runs).toHaveLength(count);
    expect(runs.filter((run) => !isAsItShould(run))).toEqual([]);
    expect([settings.sdk.path, settings.chooser.backend]).toEqual([path, 'ollama']);
  },
);

test.each(COMMITTED)('%s: settings that say what was run, and one reply to one question', (name) => {
  const layout = layoutOf('.', name);
  const { chooser } = Settings.parse(JSON.parse(readFileSync(layout.settings, 'utf8')));
  expect(chooser.model!.layers.length).toBeGreaterThan(0);
  expect([chooser.options!.num_thread, chooser.server!.binary_sha256, chooser.server!.build]).toEqual([
    1,
    expect.stringMatching(/^[0-9a-f]{64}$/),
    expect.stringContaining('go install'),
  ]);
  const lines = readFileSync(layout.choices, 'utf8').split('\n').slice(0, -1);
  const replies = new Map<string, Set<string>>();
  for (const { role, prompt_sha256, reply } of lines.map((line) => Choice.parse(JSON.parse(line)))) {
    if (prompt_sha256 === null) continue;
    const key = `${role} ${prompt_sha256}`;
    replies.set(key, (replies.get(key) ?? new Set()).add(reply));
  }
  // Five pairs of tasks and one that both runs share; the same without their tasks.
  expect(replies.size).toBe(11 + 6);
  expect([...replies.values()].filter((different) => different.size !== 1)).toEqual([]);
});
