import type { JsonObject } from '../../src/index.ts';
import type { Evaluation } from './evaluate.ts';
import { actionsTable, choosersTable } from './tables-actions.ts';
import { deviationsOf } from './tables-deviations.ts';
import { correctnessTable, latencyTable, sizeTable } from './tables-families.ts';
import { ablationTable, overallTable } from './tables-overall.ts';
import { unintendedTable } from './tables-unintended.ts';

export type Cell = string | number | null;
/** `key` names the column in data, `title` for readers; numbers are shown with `digits` after the point. */
export type Column = { readonly key: string; readonly title: string; readonly digits?: number };
/** One table: what it shows stands in its caption, which a copy of the table takes along. */
export type Table = {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
};

const TABLES: readonly ((evaluation: Evaluation) => Table)[] = [
  correctnessTable,
  sizeTable,
  latencyTable,
  overallTable,
  ablationTable,
  actionsTable,
  choosersTable,
  unintendedTable,
];

/** The tables of the paper's evaluation, and those of its controls; each caption names every deviation from the paper. */
export const tablesOf = (evaluation: Evaluation): readonly Table[] => {
  const deviations = deviationsOf(evaluation);
  return TABLES.map((make) => {
    const table = make(evaluation);
    return { ...table, caption: `${table.caption} ${deviations}` };
  });
};

/** A cell as a reader sees it. */
export const cellText = (cell: Cell, { digits }: Column): string =>
  cell === null ? '-' : typeof cell === 'number' && digits !== undefined ? cell.toFixed(digits) : String(cell);

/** A table as data: each row by the keys of its columns, numbers in full. */
export const tableJson = ({ id, title, caption, columns, rows }: Table): JsonObject => ({
  id,
  title,
  caption,
  rows: rows.map((row) => Object.fromEntries(columns.map(({ key }, at) => [key, row[at] ?? null]))),
});

/** A spreadsheet reads a cell that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const csvCell = (cell: Cell): string => {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A table as CSV (RFC 4180), keys in the first line; the caption is not part of it. */
export const tableCsv = ({ columns, rows }: Table): string =>
  [columns.map(({ key }) => key), ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
