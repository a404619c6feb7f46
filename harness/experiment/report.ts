import { createHash } from 'node:crypto';
import { VERSION } from '../../src/index.ts';
import { element, type Markup, markupText } from '../figures/markup.ts';
import type { Evaluation } from './evaluate.ts';
import { FAULTS, type Fault } from './evaluate-faults.ts';
import { PLOTS } from './report-plots.ts';
import { type Cell, type Column, cellText, type Table } from './tables.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 66rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
p { max-width: 48rem; } figure { margin: 1rem 0; }
.wide { overflow-x: auto; margin-top: .8rem; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
figcaption { max-width: 60rem; padding-top: .6rem; font-size: .8rem; opacity: .8; }
th, td { padding: .2rem .7rem; text-align: left; border-bottom: 1px solid var(--line); white-space: nowrap; }
th.number, td.number { text-align: right; }
tbody tr:last-child.all { font-weight: 600; }
.verdict { padding: .6rem 1rem; border-left: .4rem solid #2f9e68; background: var(--soft); }
.verdict.bad { border-color: #d0465a; }
`;

const policy = (): string =>
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

const isNumber = (rows: Table['rows'], at: number): boolean => rows.some((row) => typeof row[at] === 'number');

const tableOf = ({ columns, rows }: Table): Markup => {
  const kinds = columns.map((_, at) => (isNumber(rows, at) ? { class: 'number' } : {}));
  const cells = (tag: string, texts: readonly string[]) => texts.map((text, at) => element(tag, kinds[at], text));
  const bodyRow = (row: readonly Cell[]): Markup =>
    element(
      'tr',
      row[0] === 'all' ? { class: 'all' } : {},
      ...cells(
        'td',
        columns.map((column: Column, at) => cellText(row[at] ?? null, column)),
      ),
    );
  return element(
    'table',
    {},
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ...cells(
          'th',
          columns.map(({ title }) => title),
        ),
      ),
    ),
    element('tbody', {}, ...rows.map(bodyRow)),
  );
};

const sectionOf = (table: Table, evaluation: Evaluation): Markup => {
  const plotted = PLOTS[table.id]?.(evaluation) ?? null;
  return element(
    'section',
    { id: table.id },
    element('h2', {}, table.title),
    element(
      'figure',
      {},
      ...(plotted === null ? [] : [plotted]),
      element('div', { class: 'wide' }, tableOf(table)),
      element('figcaption', {}, table.caption),
    ),
  );
};

/** How many faults are told one by one; the rest is counted. */
const TOLD = 50;

const faultsSection = (faults: readonly Fault[]): Markup =>
  element(
    'section',
    { id: 'faults' },
    element('h2', {}, `What is wrong with these results (${faults.length})`),
    element(
      'ul',
      {},
      ...faults
        .slice(0, TOLD)
        .map(({ reason, at, detail }) =>
          element('li', {}, element('code', {}, reason), ` ${at}: ${FAULTS[reason].title}. ${detail}`),
        ),
      ...(faults.length > TOLD ? [element('li', {}, `and ${faults.length - TOLD} more`)] : []),
    ),
  );

/**
 * One page of HTML with all tables and plots: it loads nothing, holds no script, and its policy allows only its own
 * stylesheet, so that no text of the results can become active. Takes the sentence that sums the results up; returns the text of the page.
 */
export const reportPage = (
  evaluation: Evaluation,
  tables: readonly Table[],
  faults: readonly Fault[],
  summary: { readonly text: string; readonly good: boolean },
): string => {
  const { schedule } = evaluation;
  const title = `Experiment ${schedule.seed}: ${evaluation.runs.length} of ${schedule.runs.length} runs`;
  const body = element(
    'body',
    {},
    element('h1', {}, title),
    element('p', { class: summary.good ? 'verdict' : 'verdict bad' }, summary.text),
    ...(faults.length === 0 ? [] : [faultsSection(faults)]),
    ...tables.map((table) => sectionOf(table, evaluation)),
    element(
      'p',
      {},
      `Made by forensictrace ${VERSION} from schedule, settings, choices, outcomes, bundles and receipts alone.`,
    ),
  );
  const head = [
    element('meta', { charset: 'utf-8' }),
    element('meta', { 'http-equiv': 'Content-Security-Policy', content: policy() }),
    element('meta', { name: 'viewport', content: 'width=device-width' }),
    element('title', {}, title),
  ];
  return `<!doctype html>\n<html lang="en"><head>${head.map(markupText).join('')}<style>${STYLE}</style></head>${markupText(body)}</html>\n`;
};
