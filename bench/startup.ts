import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../harness/figures/statistics.ts';
import { fixtureOf, openLab } from './fixture.ts';

/** `tsx bench/startup.ts`: what the command takes from its start to its end, beside Node that does nothing, in turn; a table, or JSON. */

const MAIN = fileURLToPath(new URL('../dist/src/cli/main.cjs', import.meta.url));
const COMMITMENTS = 50;

type Row = { readonly name: string; readonly ms: number; readonly over_bare_ms: number; readonly by_bare: number };

const timeOf = (args: readonly string[]): number => {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - started;
};

const runStartup = (rounds: number): readonly Row[] => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-startup-'));
  try {
    const lab = openLab();
    const { files } = fixtureOf(lab, COMMITMENTS, 'artifacts', 1);
    const place = (name: string, bytes: Uint8Array): string => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    };
    const [bundle, receipt] = [place('bundle', files.bundle), place('receipt', files.receipt)];
    const [profile, trust] = [place('profile', lab.files.profile), place('trust', lab.files.trust)];
    const commands: Readonly<Record<string, readonly string[]>> = {
      'node -e 0': ['-e', '0'],
      'forensictrace --help': [MAIN, '--help'],
      [`forensictrace verify (${COMMITMENTS} commitments)`]: [
        MAIN,
        'verify',
        bundle,
        receipt,
        profile,
        '--trust',
        trust,
      ],
    };
    const names = Object.keys(commands);
    const times = names.map((): number[] => []);
    for (const args of Object.values(commands)) timeOf(args);
    for (let round = 0; round < rounds; round++) {
      for (const turn of names.keys()) {
        const at = (turn + round) % names.length;
        times[at]!.push(timeOf(commands[names[at]!]!));
      }
    }
    const bare = times[0]!;
    return names.map((name, at) => ({
      name,
      ms: median(times[at]!),
      over_bare_ms: median(times[at]!.map((time, round) => time - bare[round]!)),
      by_bare: median(times[at]!.map((time, round) => time / bare[round]!)),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '30' }, json: { type: 'boolean', default: false } },
});
const rows = runStartup(Number(values.rounds));
const environment = { node: process.version, platform: process.platform, cores: availableParallelism() };
const table = rows.map(
  ({ name, ms, over_bare_ms, by_bare }) =>
    `${name.padEnd(44)} ${ms.toFixed(0).padStart(6)} ms  ${over_bare_ms.toFixed(0).padStart(5)} over bare  ${by_bare.toFixed(2)} times bare\n`,
);
process.stdout.write(values.json ? `${JSON.stringify({ environment, rows }, null, 2)}\n` : table.join(''));
