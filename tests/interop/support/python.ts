import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, test } from 'vitest';

/** The interpreter of the environment that `npm test` makes from requirements.txt. */
export const PYTHON = '.venv/bin/python';
const STAMP = '.venv/requirements.sha256';

/** A suite that needs Python. Without it the suite is reported as SKIPPED, and fails where CI is set. */
export const describeWithPython = (name: string, suite: () => void): void => {
  if (existsSync(PYTHON) && existsSync(STAMP)) {
    describe(name, suite);
    return;
  }
  const why = `${name}: SKIPPED, there is no complete ${PYTHON}; \`npm test\` makes it (needs python3 with venv, and a package index)`;
  process.stderr.write(`${why}\n`);
  if (process.env.CI) {
    test(name, () => {
      throw new Error(why);
    });
  } else test.skip(why, () => {});
};

/** Sends JSON lines to the oracle in batch mode; returns its answers in order. Throws when it fails. */
export const askOracle = async <Answer>(questions: readonly object[]): Promise<readonly Answer[]> => {
  const child = spawn(PYTHON, ['-B', 'tests/interop/oracle.py', '--batch'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const pieces: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (piece: Buffer) => pieces[stream].push(piece));
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  child.stdin.on('error', () => {});
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  const status = await ended;
  if (status !== 0) throw new Error(`the oracle ended with ${status}: ${Buffer.concat(pieces.stderr).toString()}`);
  const lines = Buffer.concat(pieces.stdout).toString().split('\n').slice(0, -1);
  if (lines.length !== questions.length) throw new Error(`${questions.length} questions, ${lines.length} answers`);
  return lines.map((line) => JSON.parse(line) as Answer);
};
