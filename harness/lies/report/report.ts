import { type JsonObject, neutralise, VERSION } from '../../../src/index.ts';
import { type Table, tableCsv, tableJson } from '../../experiment/tables.ts';
import { markupText } from '../../figures/markup.ts';
import { CLASSES } from '../classes.ts';
import { count, EXTENDED, isAccepted, lies, OURS, type Results } from '../score/results.ts';
import { explainedOf } from './explain.ts';
import { hypothesesOf } from './hypotheses.ts';
import { inline, list, section, tableMarkdown } from './markdown.ts';
import { acceptedPlot } from './plot.ts';
import { ANOTHER_SEED, DEPARTURES, FINDINGS, PUBLISHED } from './published.ts';
import { checksTable, reasonsTable, sizesTable, sourcesTable } from './tables-more.ts';
import { classesTable, intervalsTable, receiversTable, scopesTable } from './tables-receivers.ts';

/** How many messages the pre-registration has. */
const PREREGISTERED = Object.values(CLASSES)
  .flatMap(({ parts }) => Object.values(parts))
  .reduce((sum, size) => sum + size, 0);

/** The files of a report by name: the same results give the same bytes. */
export type Files = Readonly<Record<string, string>>;

const hypothesesTable = (results: Results, isPart: boolean): Table => ({
  id: 'hypotheses',
  title: 'Hypotheses',
  caption:
    'As pre-registered, each judged once on the whole dataset. E1 and E2 are of the extensions. Expected beforehand: that H1 fails by L10.T.06–10 and L10.F.06–10, and H2 by the two 404s, since PCM 0.1 says so of itself. Published: what the README of the protocol prints of its own dataset.',
  columns: [
    { key: 'id', title: '' },
    { key: 'text', title: 'hypothesis' },
    { key: 'bar', title: 'bar' },
    { key: 'outcome', title: 'came out' },
    { key: 'passed', title: '' },
    { key: 'published', title: 'published' },
  ],
  rows: hypothesesOf(results).map(({ id, text, bar, outcome, passed, published }) => [
    id,
    text,
    bar,
    outcome,
    isPart ? 'not judged' : passed ? 'pass' : 'FAIL',
    published,
  ]),
});

const explainedTable = (results: Results): Table => ({
  id: 'accepted-lies',
  title: 'Lies that our verifier accepted',
  caption:
    'Every one of them. Why: from what was done, by no verifier. With the extensions: the verdict of the same verifier, and its reasons, on the message with fresh evidence.',
  columns: [
    { key: 'id', title: 'message' },
    { key: 'how', title: 'what was done' },
    { key: 'why', title: 'why it is a lie' },
    { key: 'extended', title: 'with the extensions' },
    { key: 'reasons', title: 'reasons' },
  ],
  rows: explainedOf(results).map(({ id, how, why, extended, reasons }) => [id, how, why, extended, reasons.join(', ')]),
});

const againstText = (results: Results): string => {
  const lines = hypothesesOf(results)
    .filter(({ against }) => against.length > 0)
    .map(({ id, against }) => `**${id}**: ${against.join(', ')}`);
  return lines.length === 0 ? '' : `Messages that decide against a hypothesis:\n\n${list(lines)}`;
};

const findingsText = (): string =>
  FINDINGS.length === 0
    ? 'None.'
    : FINDINGS.map(({ id, title, text, mended }) => `**${id}. ${title}** ${text} *${mended}*`).join('\n\n');
const anotherSeedText = (): string => {
  const { seed, differences } = ANOTHER_SEED;
  const told = `A dataset of the seed \`${seed}\` was made and run afterwards (harness/lies/another-seed.json).`;
  if (differences.length === 0)
    return `${told} Of every class the same came, verdict by verdict and receiver by receiver.`;
  const lines = differences.map(
    ({ class: name, of, committed, another }) => `${name}, ${of}: ${committed}, and ${another} of the other seed`,
  );
  return [
    `${told} Of every class the same came, verdict by verdict and receiver by receiver, but for:`,
    list(lines),
  ].join('\n\n');
};
const departuresText = (): string =>
  DEPARTURES.length === 0 ? 'None.' : list(DEPARTURES.map(({ what, why }) => `${what} ${why}`));

const introText = (results: Results, isPart: boolean): string => {
  const { head } = results.dataset;
  const told = lies(results);
  const [plain, extended] = [OURS, EXTENDED].map((name) => count(told, (result) => isAccepted(result, name)));
  return [
    `How often does a receiving agent accept a false claim of a sending agent? ${results.results.length} messages, ${told.length} of them lies, made in real runs of a signer; each is labelled from what was done.`,
    `**Our verifier accepted ${plain} of ${told.length} lies; with the extensions ${extended}.**`,
    list([
      `dataset: seed \`${inline(head.seed)}\`, made with ${Object.entries(head.madeWith)
        .map(([name, version]) => inline(`${name} ${/\d+(?:\.\d+)+/.exec(version)?.[0] ?? version}`))
        .join('; ')}`,
      `pre-registration: \`${head.preregistration}\` (harness/lies/PREREGISTRATION.md)`,
      `report: forensictrace ${VERSION}; how long a verify call takes is in [times.md](times.md)`,
      ...(isPart
        ? [
            '**of a part of the messages: no hypothesis is judged by it, and findings and departures are those of the whole**',
          ]
        : []),
    ]),
  ].join('\n\n');
};

/** Takes the results of a run; returns the report in every form. */
export const reportFiles = (results: Results): Files => {
  const isPart = results.results.length < PREREGISTERED;
  const [hypotheses, accepted] = [hypothesesTable(results, isPart), explainedTable(results)];
  const tables = [
    ...[receiversTable, classesTable, scopesTable, reasonsTable].map((make) => make(results)),
    sourcesTable(),
    ...[checksTable, sizesTable].map((make) => make(results)),
  ];
  const markdown = [
    '# The lie benchmark: results',
    introText(results, isPart),
    '![Lies that each receiver accepted](accepted.svg)',
    'The share of the lies that each receiver accepted, with its 95 % Wilson interval; a ring is the share that the README of the protocol prints of its own dataset.',
    section(hypotheses.title, tableMarkdown(hypotheses), againstText(results)),
    section(accepted.title, accepted.rows.length === 0 ? 'None.' : tableMarkdown(accepted)),
    ...tables.map((table) => section(table.title, tableMarkdown(table))),
    section('Findings', 'What the runs taught, and what was mended.', findingsText()),
    section('Departures', 'What was done otherwise than pre-registered, and why.', departuresText()),
    section('Another seed', anotherSeedText()),
    section(
      'What is published',
      `${PUBLISHED.source}. The counts stand beside ours as a comparison; nothing is tuned to them.`,
    ),
  ].join('\n\n');
  const all = [hypotheses, accepted, ...tables, intervalsTable(results)];
  const data: JsonObject = {
    format: 'forensictrace.lies-report.v1',
    preregistration: results.dataset.head.preregistration,
    seed: results.dataset.head.seed,
    messages: results.results.length,
    hypotheses: hypothesesOf(results).map((one) => ({
      ...one,
      passed: isPart ? null : one.passed,
    })) as unknown as JsonObject[],
    findings: FINDINGS as unknown as JsonObject[],
    departures: DEPARTURES as unknown as JsonObject[],
    another_seed: ANOTHER_SEED as unknown as JsonObject,
    tables: all.map(tableJson),
  };
  return {
    'report.md': `${neutraliseLines(markdown)}\n`,
    'report.json': `${JSON.stringify(data, null, 2)}\n`,
    'accepted.svg': `${markupText(acceptedPlot(results))}\n`,
    ...Object.fromEntries(all.map((table) => [`${table.id}.csv`, tableCsv(table)])),
  };
};

/** What others wrote may hold what a terminal or a page would act on. */
const neutraliseLines = (text: string): string => text.split('\n').map(neutralise).join('\n');
