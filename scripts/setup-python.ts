/** Makes `.venv` with what tests/interop needs, once per content of its requirements. Says so when it cannot. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const REQUIREMENTS = 'tests/interop/requirements.txt';
const STAMP = join('.venv', 'requirements.sha256');

const digest = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex');
const isCurrent = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest;

if (!isCurrent) {
  try {
    process.stderr.write(`making .venv for tests/interop (${REQUIREMENTS})\n`);
    execFileSync('python3', ['-m', 'venv', '.venv'], { stdio: 'inherit' });
    execFileSync(
      join('.venv', 'bin', 'pip'),
      ['install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS],
      {
        stdio: 'inherit',
      },
    );
    writeFileSync(STAMP, digest);
  } catch (error) {
    process.stderr.write(
      `SKIPPED: no Python environment (${(error as Error).message}); the tests in tests/interop say so too\n`,
    );
    if (process.env.CI) process.exitCode = 1;
  }
}
