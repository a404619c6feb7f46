import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { layoutOf } from '../../../harness/experiment/model.ts';
import type { Records } from '../../../src/index.ts';
import { describeWithPython } from '../../interop/support/python.ts';
import { ended, experiment } from './command.ts';

describeWithPython('agents of the Python SDK', () => {
  test('the same runs over message/send of A2A 0.3 are verified and judged as they went', async () => {
    const root = mkdtempSync(join(tmpdir(), 'experiment-'));
    try {
      const args = ['--name', 'python', '--chooser', 'scripted', '--agents', 'python', '--repetitions', '1'];
      const { code, output } = await ended(experiment(['run', root, ...args]));
      expect([code, output]).toEqual([0, expect.stringContaining('12 runs, each sealed')]);
      const { traces } = layoutOf(root, 'python');
      const bundles = readdirSync(traces).filter((name) => name.endsWith('.bundle.json'));
      const methods = bundles.flatMap((name) => {
        const { exchanges } = JSON.parse(readFileSync(join(traces, name), 'utf8')) as Records;
        return exchanges.map(({ rpc_method }) => rpc_method);
      });
      expect(new Set(methods)).toEqual(new Set(['message/send']));
      expect(bundles).toHaveLength(12);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
