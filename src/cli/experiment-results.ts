import { readDocuments } from '../../harness/documents.ts';
import { type Evaluation, evaluate, exitCodeOfEvaluation, isAsItShould } from '../../harness/experiment/evaluate.ts';
import { FAULTS, type Fault, type FaultReason } from '../../harness/experiment/evaluate-faults.ts';
import { layoutOf, type Settings } from '../../harness/experiment/model.ts';
import { PYTHON_STAGE } from '../../harness/experiment/python-stage.ts';
import { JS_STAGE } from '../../harness/experiment/stage.ts';
import { cellText, type Table } from '../../harness/experiment/tables.ts';
import { paragraph } from '../report/layout.ts';
import { readFolder } from '../store/read.ts';
import { table } from './output.ts';
import { progressOn } from './progress.ts';

export type ResultsOptions = {
  readonly name: string;
  readonly trust?: string;
  readonly families?: string;
  readonly json?: boolean;
};

/** Results as they were evaluated, and the one sentence that sums them up. */
export type Judged = {
  readonly evaluation: Evaluation | null;
  readonly faults: readonly Fault[];
  readonly exitCode: ReturnType<typeof exitCodeOfEvaluation>;
  readonly summary: string;
  /** Whose keys it was held to, where these came with the results; else nothing. */
  readonly caveat: string;
};

/** Whoever makes results over can sign them under a key of his own, and put that beside them. */
const caveatOf = (trust: string): string =>
  paragraph(
    `Held to the keys in ${trust}, which came with the results; --trust FILE holds them to keys of yours.`,
    '',
    '',
  )
    .map((line) => `${line}\n`)
    .join('');

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const summaryOf = (evaluation: Evaluation | null, faults: readonly Fault[], exitCode: number): string => {
  if (faults.length > 0) return `${counted(faults.length, 'fault')} in these results: they are not to be relied on.`;
  const runs = evaluation?.runs ?? [];
  const other = runs.filter((run) => !isAsItShould(run)).length;
  return exitCode === 0
    ? `${counted(runs.length, 'run')}, each sealed, verified in three configurations, and judged as it went.`
    : `${counted(runs.length, 'run')}, each sealed and verified; ${other} not judged as it went.`;
};

/** Evaluates results under a folder; the trust store is the one beside the receipts unless another is named. */
export const judgeResults = async (root: string, { name, trust, families }: ResultsOptions): Promise<Judged> => {
  const layout = layoutOf(root, name);
  const documents = readDocuments();
  const against = {
    profileFor: (path: Settings['sdk']['path']) =>
      readDocuments([JS_STAGE, PYTHON_STAGE].find(({ sdk }) => sdk.path === path)!.profile).profile.bytes,
    families: families === undefined ? documents.families : readFolder(families, 'families'),
    trust: trust ?? layout.trust,
  };
  const progress = progressOn(process.stderr);
  const { evaluation, faults } = await evaluate(layout, against, progress.step);
  progress.end();
  const exitCode = exitCodeOfEvaluation(evaluation, faults);
  return {
    evaluation,
    faults,
    exitCode,
    summary: summaryOf(evaluation, faults, exitCode),
    caveat: trust === undefined ? caveatOf(layout.trust) : '',
  };
};

/** How many places a fault is told at; one edited document shows in every run. */
const PLACES = 5;

/** Faults of one reason together: how many, what it means, and where first. */
export const faultsText = (faults: readonly Fault[]): string =>
  (Object.keys(FAULTS) as FaultReason[])
    .map((reason) => ({ reason, those: faults.filter((fault) => fault.reason === reason) }))
    .filter(({ those }) => those.length > 0)
    .flatMap(({ reason, those }) => [
      `${reason} (${those.length}): ${FAULTS[reason].title}`,
      ...those.slice(0, PLACES).flatMap(({ at, detail }) => paragraph(`${at}: ${detail}`, '  ', '    ')),
      ...(those.length > PLACES ? [`  and ${those.length - PLACES} more`] : []),
    ])
    .map((line) => `${line}\n`)
    .join('');

/** A table as text: title, rows, and its caption below. */
export const tableText = ({ title, caption, columns, rows }: Table): string => {
  const lines = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column, at) => cellText(row[at] ?? null, column))),
  ];
  return `${title}\n\n${table(lines)}\n${paragraph(caption, '', '').join('\n')}\n`;
};
