import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { reportPage } from '../../harness/experiment/report.ts';
import { type Table, tableCsv, tableJson, tablesOf } from '../../harness/experiment/tables.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { faultsText, type Judged, judgeResults, type ResultsOptions, tableText } from './experiment-results.ts';
import { emit, json } from './output.ts';

type ReportOptions = ResultsOptions & { readonly out?: string };

const dataOf = ({ faults, exitCode, summary }: Judged, tables: readonly Table[]) => ({
  format: 'a2aft.experiment-tables.v1',
  summary,
  exit_code: exitCode,
  faults,
  tables: tables.map(tableJson),
});

const textOf = ({ faults, summary }: Judged, tables: readonly Table[]): string =>
  [`${summary}\n`, faultsText(faults), ...tables.map(tableText)].filter((part) => part !== '').join('\n');

const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot make the folder ${folder}`);
  }
};

/**
 * `forensictrace experiment report`: prints the tables, or writes them into a folder as text, JSON, CSV and a page of HTML.
 * Returns the exit code of the results, which the tables do not hide.
 */
export const runExperimentReport = async (root: string, { out, ...options }: ReportOptions): Promise<number> => {
  const judged = await judgeResults(root, options);
  const { evaluation, faults, exitCode, summary } = judged;
  const tables = evaluation === null ? [] : tablesOf(evaluation);
  const text = textOf(judged, tables);
  const data = json(dataOf(judged, tables));
  if (out === undefined || evaluation === null) {
    emit(options.json ? data : text);
    return exitCode;
  }
  makeFolder(out);
  emit(text, join(out, 'tables.txt'));
  emit(data, join(out, 'tables.json'));
  for (const table of tables) emit(tableCsv(table), join(out, `${table.id}.csv`));
  emit(reportPage(evaluation, tables, faults, { text: summary, good: exitCode === 0 }), join(out, 'report.html'));
  emit(options.json ? data : `${summary}\n\nTables and page are in ${out}\n`);
  return exitCode;
};
