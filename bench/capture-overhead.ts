import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../harness/figures/statistics.ts';

/** `tsx bench/capture-overhead.ts`: the same exchanges with and without a capture, in turn, told as ratios of one run; one line of text, or JSON. */

const MAIN = fileURLToPath(new URL('../dist/src/cli/main.cjs', import.meta.url));
const PROGRAM = fileURLToPath(new URL('capture-overhead-program.mjs', import.meta.url));
const POLL_MS = 50;

/** Milliseconds: of one exchange, and of the whole run from start to sealed bundle. KiB: the recorder's peak; null where the system does not tell. */
type Run = { readonly exchange: number; readonly whole: number; readonly peak: number | null };
type Side = { readonly exchange_ms: number; readonly whole_ms: number };
type Overhead = {
  readonly exchanges: number;
  readonly bytes: number;
  readonly rounds: number;
  readonly environment: { readonly node: string; readonly platform: string; readonly cores: number };
  readonly bare: Side;
  readonly captured: Side;
  /** Captured by bare. */
  readonly ratio: { readonly exchange: number; readonly whole: number };
  readonly recorder_peak_kib: number | null;
};

/** The most memory that a process had so far (proc(5), status). */
const peakOf = (pid: number): number | null => {
  try {
    const told = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return told === undefined ? null : Number(told);
  } catch {
    return null;
  }
};

/** Runs a command that prints the time of an exchange. Throws Error when it fails. */
const timed = async (args: readonly string[]): Promise<Run> => {
  const from = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let peak: number | null = null;
  const polling = setInterval(() => {
    peak = peakOf(child.pid!) ?? peak;
  }, POLL_MS);
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  clearInterval(polling);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}\n${stderr}`);
  return { exchange: Number(stdout), whole: performance.now() - from, peak };
};

const sideOf = (runs: readonly Run[]): Side => ({
  exchange_ms: median(runs.map(({ exchange }) => exchange)),
  whole_ms: median(runs.map(({ whole }) => whole)),
});

/** Measures `rounds` runs of each side, in turn; every second round begins with the other side. */
const runOverhead = async (exchanges: number, bytes: number, rounds: number): Promise<Overhead> => {
  const folder = mkdtempSync(join(tmpdir(), 'capture-overhead-'));
  try {
    const key = join(folder, 'key.pem');
    execFileSync(process.execPath, [MAIN, 'keys', 'generate', '--out', key]);
    const program = [PROGRAM, String(exchanges), String(bytes)];
    const runs: { readonly bare: Run[]; readonly captured: Run[] } = { bare: [], captured: [] };
    for (let round = 0; round < rounds; round++) {
      const naming = ['--key', key, '--signer', 'bench', '--out', folder, '--incident', `round-${round}`];
      const commands = { bare: program, captured: [MAIN, 'capture', ...naming, '--', process.execPath, ...program] };
      const order = round % 2 === 0 ? (['bare', 'captured'] as const) : (['captured', 'bare'] as const);
      for (const side of order) runs[side].push(await timed(commands[side]));
    }
    const [bare, captured] = [sideOf(runs.bare), sideOf(runs.captured)];
    const ratio = { exchange: captured.exchange_ms / bare.exchange_ms, whole: captured.whole_ms / bare.whole_ms };
    const peaks = runs.captured.map(({ peak }) => peak).filter((peak) => peak !== null);
    const environment = { node: process.version, platform: process.platform, cores: availableParallelism() };
    const recorder_peak_kib = peaks.length === 0 ? null : Math.max(...peaks);
    return { exchanges, bytes, rounds, environment, bare, captured, ratio, recorder_peak_kib };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The one line that tells it. */
const lineOf = ({ exchanges, bytes, rounds, ratio, captured, bare, recorder_peak_kib }: Overhead): string => {
  const peak = recorder_peak_kib === null ? '' : `; the recorder took ${Math.round(recorder_peak_kib / 1024)} MiB`;
  const times = `${bare.exchange_ms.toFixed(2)} to ${captured.exchange_ms.toFixed(2)} ms`;
  return `captured, an exchange takes ${ratio.exchange.toFixed(2)} times as long (${times}), the run ${ratio.whole.toFixed(2)} times (${rounds} × ${exchanges} exchanges, ${bytes} bytes of text)${peak}`;
};

const { values } = parseArgs({
  options: {
    exchanges: { type: 'string', default: '500' },
    bytes: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const overhead = await runOverhead(Number(values.exchanges), Number(values.bytes), Number(values.rounds));
process.stdout.write(values.json ? `${JSON.stringify(overhead, null, 2)}\n` : `${lineOf(overhead)}\n`);
