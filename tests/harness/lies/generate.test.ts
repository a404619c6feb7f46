import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { NAMES } from '../../../harness/lies/classes.ts';
import type { Message } from '../../../harness/lies/dataset.ts';
import { readDataset } from '../../../harness/lies/files.ts';
import { generate } from '../../../harness/lies/gen/generate.ts';
import { describeWithPython } from '../../interop/support/python.ts';
import { runs } from '../../support/thorough.ts';

const folder = mkdtempSync(join(tmpdir(), 'lies-generated-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the seed fixes of a message; ids and times are the signer's. */
const fixed = ({ id, how, lie, sender }: Message) => ({ id, how, lie, sender });

const MINUTES = 1_800_000;

describeWithPython('a dataset', () => {
  test(
    'of the committed seed has the same keys, counts, messages and labels',
    async () => {
      const committed = readDataset('traces/lies');
      // One class that runs no suite takes seconds; all of them take minutes.
      const classes = runs(1, 0) === 1 ? NAMES : (['L16'] as const);
      const counts = await generate({ seed: committed.head.seed, out: folder, classes });
      const made = readDataset(folder);
      expect(counts).toEqual(Object.fromEntries(classes.map((name) => [name, committed.head.counts[name]])));
      expect(made.head.logs).toEqual(committed.head.logs);
      const of = ({ messages }: typeof made) =>
        messages.filter((message) => classes.some((name) => name === message.class)).map(fixed);
      expect(of(made)).toEqual(of(committed));
    },
    MINUTES,
  );
});
