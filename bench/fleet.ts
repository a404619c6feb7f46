import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../harness/figures/statistics.ts';
import { type Fixture, fixtureOf, type Lab, openLab } from './fixture.ts';

/** `tsx bench/fleet.ts`: bundles a second that `verify-all` verifies with one thread and with two, beside one loop over the same files, in turn; one line of text, or JSON. */

const MAIN = fileURLToPath(new URL('../dist/src/cli/main.cjs', import.meta.url));
const COMMITMENTS = 50;
/** So many bundles are made; a run verifies them again and again. */
const DISTINCT = 200;

type Sides = { readonly loop: number; readonly one: number; readonly two: number };
type Fleet = {
  readonly commitments: number;
  readonly pairs: number;
  readonly rounds: number;
  readonly environment: { readonly node: string; readonly platform: string; readonly cores: number };
  /** Bundles a second, medians; of the command without its start. */
  readonly rates: Sides;
  readonly two_by_one: number;
  readonly one_by_loop: number;
};

/** Writes the pairs and two lists: of each pair `times` times, and of each once. */
const writeFleet = (folder: string, lab: Lab, fixtures: readonly Fixture[], times: number) => {
  const lines = fixtures.map(({ files }, at) => {
    const [bundle, receipt] = [join(folder, `${at}.bundle.json`), join(folder, `${at}.receipt.json`)];
    writeFileSync(bundle, files.bundle);
    writeFileSync(receipt, files.receipt);
    return `${bundle}\t${receipt}\n`;
  });
  const [long, short] = [join(folder, 'long.tsv'), join(folder, 'short.tsv')];
  writeFileSync(long, lines.join('').repeat(times + 1));
  writeFileSync(short, lines.join(''));
  const [trust, profile] = [join(folder, 'trust'), join(folder, 'profile')];
  writeFileSync(trust, lab.files.trust);
  writeFileSync(profile, lab.files.profile);
  return { long, short, by: ['--trust', trust, '--profile', profile, '--out', join(folder, 'results.ndjson')] };
};

/** Seconds of one run of the command. */
const timeOf = (folder: string, args: readonly string[]): number => {
  rmSync(join(folder, 'results.ndjson'), { force: true });
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'verify-all', ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`verify-all ended with ${status}: ${stderr}`);
  return (performance.now() - started) / 1000;
};

const runFleet = (times: number, rounds: number): Fleet => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-fleet-'));
  try {
    const lab = openLab();
    const fixtures = Array.from({ length: DISTINCT }, (_, seed) => fixtureOf(lab, COMMITMENTS, 'artifacts', seed));
    const { long, short, by } = writeFleet(folder, lab, fixtures, times);
    const pairs = DISTINCT * times;
    /** What the longer of two runs takes more is the verification of its pairs, and no start. */
    const command = (jobs: string): number => {
      const start = timeOf(folder, [`@${short}`, ...by, '--jobs', jobs]);
      return pairs / (timeOf(folder, [`@${long}`, ...by, '--jobs', jobs]) - start);
    };
    const loop = (): number => {
      const started = performance.now();
      for (let time = 0; time < times; time++) {
        for (const at of fixtures.keys()) {
          const read = (kind: string): Uint8Array => readFileSync(join(folder, `${at}.${kind}.json`));
          const { verdict } = lab.verifier.verifyFiles({ bundle: read('bundle'), receipt: read('receipt') });
          if (verdict !== 'FORENSICALLY_CONSISTENT') throw new Error(`a fixture was judged ${verdict}`);
        }
      }
      return (pairs * 1000) / (performance.now() - started);
    };
    const sides = { loop, one: () => command('1'), two: () => command('2') };
    const names = ['loop', 'one', 'two'] as const;
    const told = { loop: [] as number[], one: [] as number[], two: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      for (const at of names.keys()) {
        const name = names[(round + at) % names.length]!;
        told[name].push(sides[name]());
      }
    }
    const rates = { loop: median(told.loop), one: median(told.one), two: median(told.two) };
    const byRound = (a: readonly number[], b: readonly number[]): number => median(a.map((rate, at) => rate / b[at]!));
    const environment = { node: process.version, platform: process.platform, cores: availableParallelism() };
    const ratios = { two_by_one: byRound(told.two, told.one), one_by_loop: byRound(told.one, told.loop) };
    return { commitments: COMMITMENTS, pairs, rounds, environment, rates, ...ratios };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const lineOf = ({ pairs, rounds, commitments, rates, two_by_one, one_by_loop }: Fleet): string =>
  `two threads verify ${two_by_one.toFixed(2)} times as many bundles as one, one ${one_by_loop.toFixed(2)} times as many as a loop ` +
  `(${Math.round(rates.two)}, ${Math.round(rates.one)} and ${Math.round(rates.loop)} a second; ${rounds} × ${pairs} bundles of ${commitments} commitments)`;

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const fleet = runFleet(Number(values.times), Number(values.rounds));
process.stdout.write(values.json ? `${JSON.stringify(fleet, null, 2)}\n` : `${lineOf(fleet)}\n`);
