import { create } from 'xmlbuilder2';
import { neutralise } from '../base/terminal.ts';
import { FAMILY_NAMES } from '../base/words.ts';
import type { Face } from './face.ts';
import { cut } from './line.ts';
import type { Report } from './model.ts';
import { type Said, saidBy } from './statements.ts';

/** How a check ended, in the words of JUnit: a failure is what a report holds against the evidence, an error what it could not decide. */
type Case = {
  readonly group: string;
  readonly name: string;
  readonly result?: {
    readonly as: 'failure' | 'error' | 'skipped';
    readonly type?: string;
    readonly message: string;
    readonly text?: string;
  };
};

const SHOWN = 1000;
const TEXT_SHOWN = 4096;

/** XML 1.0 section 2.2 has no place for controls, halves of surrogate pairs and these two, not even escaped. */
const plain = (text: string): string =>
  neutralise(cut(text, TEXT_SHOWN)).replace(/[\ufffe\uffff]/g, (one) => `\\u{${one.charCodeAt(0).toString(16)}}`);

const stageCases = ({ stages, verdict }: Report): readonly Case[] =>
  stages.map(({ stage, status }): Case => {
    const check = { group: 'verification', name: stage };
    if (status === 'passed') return check;
    if (status !== 'refused')
      return {
        ...check,
        result: { as: 'skipped', message: status === 'not_reached' ? 'not reached' : 'not in this mode' },
      };
    return { ...check, result: { as: verdict === 'COULD_NOT_CHECK' ? 'error' : 'failure', message: verdict } };
  });

const resultOf = (level: string): 'failure' | 'error' | null => {
  if (level === 'warning' || level === 'note') return null;
  return level === 'inconclusive' || level === 'read' ? 'error' : 'failure';
};

const saidCase = ({ reasons }: Report, { reason, level, family, text, row }: Said): Case => {
  const entry = reasons[reason];
  const as = resultOf(level);
  return {
    group: family ?? 'evidence',
    name: `${reason} ${row === null ? 'the evidence as a whole' : `${row.collection}/${row.id}`}`,
    ...(as === null
      ? {}
      : {
          result: {
            as,
            type: reason,
            message: `${entry?.title ?? reason}: ${text}`,
            text: [text, entry?.means, `Does not mean: ${entry?.not}`, `Next: ${entry?.next}`]
              .map((line) => plain(line ?? ''))
              .join('\n'),
          },
        }),
  };
};

/** Families of which nothing else is said. */
const familyCases = ({ families }: Report, said: readonly Said[]): readonly Case[] => {
  const judged = new Set(said.filter(({ level }) => resultOf(level) !== null).map(({ family }) => family));
  return families
    .filter(({ family }) => !judged.has(family))
    .map(({ family, status }): Case => {
      const check = { group: family, name: `${FAMILY_NAMES[family]}: ${status}` };
      return status === 'CONSISTENT'
        ? check
        : { ...check, result: { as: 'skipped', message: `${status}: not watched for, or no measure` } };
    });
};

const casesOf = (report: Report): readonly Case[] => {
  const said = saidBy(report).filter(({ level }) => level !== 'note');
  const left = said.length - SHOWN;
  return [
    ...stageCases(report),
    ...said.slice(0, SHOWN).map((one) => saidCase(report, one)),
    ...(left <= 0
      ? []
      : [
          {
            group: 'evidence',
            name: 'more',
            result: { as: 'error' as const, message: `${left} more, all in the JSON report` },
          },
        ]),
    ...familyCases(report, said),
  ];
};

const elementOf = ({ group, name, result }: Case): object => ({
  '@classname': `forensictrace.${group}`,
  '@name': plain(name),
  '@time': '0',
  ...(result === undefined
    ? {}
    : {
        [result.as]: {
          '@message': plain(result.message),
          ...(result.type === undefined ? {} : { '@type': result.type }),
          ...(result.text === undefined ? {} : { '#': result.text }),
        },
      }),
});

/**
 * Test results in the XML that CI systems read (the form of JUnit's Ant task): the steps of the verification, what the report says, and the
 * families of which it says nothing. There is a failure or an error exactly when the exit code is not 0.
 */
export const junit: Face = ({ report }) => {
  const cases = casesOf(report);
  const count = (as: string): string => String(cases.filter(({ result }) => result?.as === as).length);
  const counts = {
    '@tests': String(cases.length),
    '@failures': count('failure'),
    '@errors': count('error'),
    '@skipped': count('skipped'),
    '@time': '0',
  };
  const name =
    report.incident_id === null
      ? report.verdict
      : `${report.verdict} ${plain(report.incident_id)}${report.signature_accepted ? '' : ' (claimed)'}`;
  const limits = [...report.not_checked, ...report.not_provable].map(plain).join('\n');
  const suite = { '@name': name, ...counts, testcase: cases.map(elementOf), 'system-out': limits };
  const xml = create(
    { version: '1.0', encoding: 'UTF-8' },
    { testsuites: { '@name': 'forensictrace', ...counts, testsuite: suite } },
  );
  return [`${xml.end({ prettyPrint: true })}\n`];
};
