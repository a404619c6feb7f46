import { tablesOf } from '../../harness/experiment/tables.ts';
import { faultsText, type Judged, judgeResults, type ResultsOptions, tableText } from './experiment-results.ts';
import { emit, json } from './output.ts';

/** The tables that follow from the evidence alone; latency is another on each machine. */
const SHOWN = new Set(['correctness', 'overall', 'ablation', 'unintended']);

const dataOf = ({ evaluation, faults, exitCode, summary }: Judged) => ({
  summary,
  exit_code: exitCode,
  faults,
  runs: (evaluation?.runs ?? []).map(({ run, outcome, verdicts, findings, expected, intended, agrees, localised }) => ({
    ...run,
    action: outcome.action,
    observed: outcome.observed,
    verdicts,
    findings,
    expected,
    intended,
    agrees,
    localised,
  })),
});

const textOf = ({ evaluation, faults, summary, caveat }: Judged): string => {
  const tables = evaluation === null ? [] : tablesOf(evaluation).filter(({ id }) => SHOWN.has(id));
  return [`${summary}\n${caveat}`, faultsText(faults), ...tables.map(tableText)]
    .filter((part) => part !== '')
    .join('\n');
};

/** `forensictrace experiment verify`: returns the exit code of the results. Reads the named files only; opens no socket. */
export const runExperimentVerify = async (root: string, options: ResultsOptions): Promise<number> => {
  const judged = await judgeResults(root, options);
  emit(options.json ? json(dataOf(judged)) : textOf(judged));
  return judged.exitCode;
};
