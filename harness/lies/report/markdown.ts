import { type Cell, type Column, cellText, type Table } from '../../experiment/tables.ts';

/** Text that stands in a cell of Markdown as it is. */
const cellOf = (text: string): string => text.replaceAll('|', '\\|').replace(/[\r\n]+/g, ' ');

/** Text of others within a line of ours: it begins no line, and ends no code. */
export const inline = (text: string): string => text.replace(/[\r\n`]+/g, ' ');

const isNumber = ({ rows }: Table, at: number): boolean => rows.some((row) => typeof row[at] === 'number');

const rowOf = (cells: readonly string[]): string => `| ${cells.map(cellOf).join(' | ')} |`;

/** A table as Markdown: its rows, and its caption below. */
export const tableMarkdown = (table: Table): string => {
  const { columns, rows, caption } = table;
  const rule = columns.map((_, at) => (isNumber(table, at) ? '---:' : '---'));
  const body = rows.map((row) =>
    rowOf(columns.map((column: Column, at) => cellText((row[at] ?? null) as Cell, column))),
  );
  return [rowOf(columns.map(({ title }) => title)), `| ${rule.join(' | ')} |`, ...body, '', caption].join('\n');
};

export const section = (title: string, ...parts: readonly string[]): string => [`## ${title}`, ...parts].join('\n\n');
export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
