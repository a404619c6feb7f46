import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { onTestFinished } from 'vitest';

/** A folder for one test; it is not made yet. */
export const newFolder = (): string => {
  const parent = mkdtempSync(join(tmpdir(), 'a2aft-log-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, 'log');
};

/** Builds tests/attest/log/child.ts to one file, since fifty starts would each wait for a compiler; returns its path. */
export const buildChild = (folder: string): string => {
  const outfile = join(folder, 'child.mjs');
  const entry = fileURLToPath(new URL('child.ts', import.meta.url));
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' });
  return outfile;
};

/** Starts another signer; it ends with the test. */
export const startChild = (child: string, ...args: readonly string[]): ChildProcess => {
  const running = spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'close');
  });
  return running;
};
