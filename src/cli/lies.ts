import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../harness/documents.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { EXIT } from './exit.ts';
import { emit, json } from './output.ts';
import { progressOn } from './progress.ts';

const VERDICTS = 'verdicts.jsonl';
const TIMES = 'times.json';

/** What the benchmark is made of is no part of the package. */
const requireCheckout = (): void => {
  if (existsSync(join(packageRoot(), 'harness', 'lies', 'PREREGISTRATION.md'))) return;
  throw new EnvironmentFault('the lie benchmark is not a part of the package', [
    'run it in a checkout of the repository',
  ]);
};

const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot make the folder ${folder}`);
  }
};

type GenOptions = { readonly seed: string; readonly out: string; readonly json?: boolean };
/** `forensictrace lies gen`: makes a dataset; returns 0. */
export const runLiesGen = async ({ seed, out, json: asJson }: GenOptions): Promise<number> => {
  requireCheckout();
  const { generate } = await import('../../harness/lies/gen/generate.ts');
  const progress = progressOn(process.stderr);
  const counts = await generate({ seed, out }, (done, of) => progress.step(done, of, 'classes'));
  progress.end();
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  emit(asJson ? json({ counts, total }) : `${total} messages of ${Object.keys(counts).length} classes are in ${out}\n`);
  return EXIT.CONSISTENT;
};

type RunOptions = { readonly out: string; readonly sample: number; readonly json?: boolean };
/** `forensictrace lies run`: sends messages to receivers, writes what came of them; returns 0. */
export const runLiesRun = async (folder: string, { out, sample, json: asJson }: RunOptions): Promise<number> => {
  requireCheckout();
  const { linesOf, readDataset } = await import('../../harness/lies/files.ts');
  const { runAll, sampleOf } = await import('../../harness/lies/score/run.ts');
  const { measure } = await import('../../harness/lies/score/times.ts');
  const whole = readDataset(folder);
  const dataset = { ...whole, messages: sampleOf(whole.messages, sample) };
  makeFolder(out);
  const progress = progressOn(process.stderr);
  const rows = await runAll(dataset, (done, of) => progress.step(done, of, 'messages'));
  progress.end();
  emit(linesOf(rows), join(out, VERDICTS));
  emit(json(measure(dataset)), join(out, TIMES));
  const accepted = rows.filter(({ lie, native }) => lie && native.verdict === 'accept').length;
  const lies = rows.filter(({ lie }) => lie).length;
  const told = `${rows.length} messages; ${accepted} of ${lies} lies were accepted by our verifier. The verdicts are in ${out}\n`;
  emit(asJson ? json({ messages: rows.length, lies, accepted }) : told);
  return EXIT.CONSISTENT;
};

type ReportOptions = { readonly results: string; readonly out?: string; readonly json?: boolean };
/** `forensictrace lies report`: prints the report of a run, or writes it in every form; returns 0. */
export const runLiesReport = async (folder: string, { results, out, json: asJson }: ReportOptions): Promise<number> => {
  requireCheckout();
  const { readDataset } = await import('../../harness/lies/files.ts');
  const { textIn } = await import('../../harness/lies/read.ts');
  const { reportFiles } = await import('../../harness/lies/report/report.ts');
  const { readTimes, timesFiles } = await import('../../harness/lies/report/times.ts');
  const { readRows } = await import('../../harness/lies/score/read-rows.ts');
  const { resultsOf } = await import('../../harness/lies/score/results.ts');
  const textOf = (name: string): string => textIn(join(results, name), 'result of lies run');
  const dataset = readDataset(folder);
  const files = reportFiles(resultsOf(dataset, readRows(dataset, textOf(VERDICTS), VERDICTS)));
  if (out !== undefined) {
    makeFolder(out);
    const all = { ...files, ...timesFiles(readTimes(textOf(TIMES), TIMES)) };
    for (const [name, text] of Object.entries(all)) emit(text, join(out, name));
  }
  emit(asJson ? files['report.json']! : out === undefined ? files['report.md']! : `the report is in ${out}\n`);
  return EXIT.CONSISTENT;
};
