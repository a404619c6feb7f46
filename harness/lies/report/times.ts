import * as z from 'zod';
import { type Table, tableCsv } from '../../experiment/tables.ts';
import { quantile } from '../../figures/statistics.ts';
import { valueIn } from '../read.ts';
import type { Times } from '../score/times.ts';
import { tableMarkdown } from './markdown.ts';

const Milliseconds = z
  .record(z.string(), z.number().nonnegative())
  .refine((of) => Object.keys(of).length > 0, 'nothing was measured');
const TimesShape = z.strictObject({ native: Milliseconds, portable: Milliseconds });

/** Takes the text of times.json; returns what was measured. Throws EnvironmentFault on another shape. */
export const readTimes = (text: string, name: string): Times => valueIn(text, TimesShape, name);

/** How long a verify call takes: of the messages that could be read, the median and the 99th percentile, in milliseconds. */
const timesTable = (times: Times): Table => ({
  id: 'times',
  title: 'Time of the verify call',
  caption:
    'Milliseconds of the verify call alone, over the messages that could be read; of each message the median of five calls. Measured once, on a machine with other work; nothing depends on it.',
  columns: [
    { key: 'receiver', title: 'receiver' },
    { key: 'messages', title: 'n' },
    { key: 'p50', title: 'p50', digits: 2 },
    { key: 'p99', title: 'p99', digits: 2 },
  ],
  rows: Object.entries(times).map(([name, of]) => {
    const values = Object.values(of);
    return [`PCM (${name})`, values.length, quantile(values, 0.5), quantile(values, 0.99)];
  }),
});

/** What was measured, apart from what the same results always give. */
export const timesFiles = (times: Times): Readonly<Record<string, string>> => {
  const table = timesTable(times);
  return { 'times.md': `# ${table.title}\n\n${tableMarkdown(table)}\n`, 'times.csv': tableCsv(table) };
};
