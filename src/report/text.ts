import { neutralise } from '../base/terminal.ts';
import { FAMILY_NAMES } from '../base/words.ts';
import { field, type Paint, PLAIN, paragraph } from './layout.ts';
import type { Report, ReportElement, ReportStatement } from './model.ts';

/**
 * The text face of a report, for a terminal or a file: derived from the report alone, every value of the evidence
 * neutralised. Takes the report and how to colour; returns lines that end in a line feed.
 */
export const textOf = (report: Report, paint: Paint = PLAIN): string =>
  [
    ...head(report, paint),
    ...section(REFUSED[report.verdict] ?? 'Refused', refusalLines(report, paint), paint),
    ...section(
      'Not conclusive as a whole',
      report.verdict_reasons.flatMap((reason) => wholeLines(report, reason, paint)),
      paint,
    ),
    ...section('Findings', statementLines(report, report.findings, paint), paint),
    ...section('Warnings', statementLines(report, ofLevel(report, 'warning'), paint), paint),
    ...section('Could not be judged', statementLines(report, report.inconclusive, paint), paint),
    ...section(
      'Condition families',
      report.families.map((family) => familyLine(family, paint)),
      paint,
    ),
    ...section('Notes', statementLines(report, ofLevel(report, 'note'), paint), paint),
    ...section('Records that no edge touches', unlinkedLines(report), paint),
    ...section('What was checked', report.checked.flatMap(bullet), paint),
    ...section('What was not checked', report.not_checked.flatMap(bullet), paint),
    ...section('What no receipt can prove', report.not_provable.flatMap(bullet), paint),
    ...section(
      'Inputs as received',
      report.inputs.flatMap(({ input, sha256, size }) => field(input, `${sha256}  ${size} bytes`)),
      paint,
    ),
    '',
    paint.dim(neutralise(footer(report))),
    '',
  ].join('\n');

const footer = ({ verifier, mode }: Report): string =>
  `forensictrace ${verifier.version}, mode ${mode}, confusables of Unicode ${verifier.confusables_unicode}`;

const ofLevel = (report: Report, level: string): readonly ReportStatement[] =>
  report.observations.filter(({ reason }) => report.reasons[reason]?.level === level);

const counted = (count: number, word: string, more = ''): string[] =>
  count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}${more}`];

const evidenceText = (records: number, edges: number): string =>
  `${records} record${records === 1 ? '' : 's'}, ${edges} edge${edges === 1 ? '' : 's'}`;

const head = (report: Report, paint: Paint): string[] => {
  const observed = report.families.filter(({ status }) => status !== 'NOT_OBSERVED').length;
  const counts = [
    ...counted(
      report.refusals.length,
      report.exit_code === 2 ? 'fault' : report.exit_code === 5 ? 'contradiction' : 'refusal',
    ),
    ...counted(report.findings.length, 'finding'),
    ...counted(ofLevel(report, 'warning').length, 'warning'),
    ...counted(report.inconclusive.length, 'record', ' not judged'),
    ...(report.families.length === 0 ? [] : [`${observed} of ${report.families.length} families observed`]),
  ].join(', ');
  const told = (value: string | null): string =>
    value === null || report.signature_accepted
      ? (value ?? 'not known')
      : `${value}  (claimed: the signature was not accepted)`;
  return [
    paint.verdict(report.exit_code, report.verdict) +
      (counts === '' ? '' : `  ${counts}`) +
      (report.other_profile ? '  (under another profile than the receipt names)' : ''),
    '',
    ...field('incident', told(report.incident_id)),
    ...field('signer', told(report.signer_id)),
    ...field('key', told(report.key_id)),
    ...field('issued at', report.issued_at === null ? 'not known' : `${report.issued_at}  (the signer's claim)`),
    ...field('profile', report.profile_id ?? 'not known'),
    ...(report.records === null ? [] : field('evidence', evidenceText(report.records, report.edges ?? 0))),
  ];
};

/** A page for people holds so many entries of one kind; the JSON report holds them all. */
const SHOWN = 100;

const shown = <T>(entries: readonly T[], lines: (entry: T) => readonly string[]): string[] => [
  ...entries.slice(0, SHOWN).flatMap(lines),
  ...(entries.length <= SHOWN ? [] : [`  … and ${entries.length - SHOWN} more, all in the JSON report (--json)`]),
];

const section = (title: string, lines: readonly string[], paint: Paint): string[] =>
  lines.length === 0 ? [] : ['', paint.bold(title), ...lines];

const bullet = (text: string): string[] => paragraph(`- ${text}`, '  ', '    ');

const placeOf = (at: Report['refusals'][number]['at']): string =>
  [
    at.input,
    at.collection === undefined ? undefined : `${at.collection} ${at.id ?? '(no id)'}`,
    at.pointer === undefined ? undefined : at.pointer === '' ? 'as a whole' : `at ${at.pointer}`,
    at.offset === undefined ? undefined : `byte ${at.offset}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');

const heading = (report: Report, reason: string, paint: Paint): string =>
  `  ${paint.bold(neutralise(reason))}  ${neutralise(report.reasons[reason]?.title ?? '')}`;

/** Only exit 4 is a refusal of integrity; the others have words of their own. */
const REFUSED: Readonly<Partial<Record<Report['verdict'], string>>> = {
  COULD_NOT_CHECK: 'Could not be read',
  NOT_PROFILE_ADMISSIBLE: 'Not admissible',
};

const refusalLines = (report: Report, paint: Paint): string[] => {
  const explained = new Set<string>();
  return shown(report.refusals, ({ reason, at, detail }) => {
    const lines = [
      heading(report, reason, paint),
      ...field('where', placeOf(at)),
      ...field('seen', detail),
      ...(explained.has(reason) ? field('means', 'as above') : explanationLines(report, reason)),
    ];
    explained.add(reason);
    return lines;
  });
};

const wholeLines = (report: Report, { reason, detail }: Report['verdict_reasons'][number], paint: Paint): string[] => [
  heading(report, reason, paint),
  ...field('seen', detail),
  ...field('next', report.reasons[reason]?.next ?? ''),
];

const elementText = (element: ReportElement): string =>
  'relation' in element ? `-[${element.relation}]-` : `${element.type} ${element.id}`;

const statementLines = (report: Report, statements: readonly ReportStatement[], paint: Paint): string[] => {
  const explained = new Set<string>();
  return shown(statements, (statement) => {
    const { reason, affected, evidence_path: path, explanation, missing } = statement;
    const lines = [
      heading(report, reason, paint),
      ...field('record', `${affected.type} ${affected.id}`),
      ...field('path', path.map(elementText).join(' ')),
      ...field('seen', explanation),
      ...(missing.length === 0 ? [] : field('missing', missing.join(', '))),
      ...(explained.has(reason) ? field('means', 'as above') : explanationLines(report, reason)),
    ];
    explained.add(reason);
    return lines;
  });
};

const explanationLines = (report: Report, reason: string): string[] => [
  ...field('means', report.reasons[reason]?.means ?? ''),
  ...field('not', report.reasons[reason]?.not ?? ''),
  ...field('next', report.reasons[reason]?.next ?? ''),
];

const familyLine = ({ family, status, triggers }: Report['families'][number], paint: Paint): string =>
  `  ${neutralise(family).padEnd(5)} ${(FAMILY_NAMES[family] ?? '').padEnd(36)} ${paint.status(status, status.padEnd(13))} ${triggers} ${triggers === 1 ? 'record' : 'records'} to judge`;

const unlinkedLines = (report: Report): string[] =>
  shown(report.unlinked, ({ type, id }) => [`  ${neutralise(`${type} ${id}`)}`]);
