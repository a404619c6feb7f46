import type { JsonObject } from '../base/json-value.ts';
import { neutralise } from '../base/terminal.ts';
import { type Change, differenceOf, type FieldChange } from '../report/diff.ts';
import { EXIT } from './exit.ts';
import { emit, json } from './output.ts';

/** As diff(1) ends when files differ; 2 stays for what could not be read. */
const DIFFERENT = 1;

const SIGNS = { only_a: '-', only_b: '+', changed: '~', reordered: '~' } as const;

const titleOf = (change: Change): string => {
  const sign = SIGNS[change.kind];
  if (change.kind === 'reordered') return `${sign} ${change.collection}: the same in another order`;
  return `${sign} ${change.collection}${change.id === '' ? '' : `/${change.id}`}`;
};

/** Two values that fit on a line stand on one. */
const LINE = 100;

const fieldLines = ({ pointer, a, b }: FieldChange): readonly string[] => {
  const [before, after] = [a ?? '(not there)', b ?? '(not there)'].map(neutralise) as [string, string];
  const name = neutralise(pointer);
  if (name.length + before.length + after.length <= LINE) return [`    ${name}  ${before} → ${after}`];
  return [`    ${name}`, `      - ${before}`, `      + ${after}`];
};

const linesOf = (change: Change): readonly string[] => [
  neutralise(titleOf(change)),
  ...(change.kind === 'changed' ? change.fields.flatMap(fieldLines) : []),
];

/** `forensictrace inspect A --diff B`: what differs, by record and member; 0 when nothing does, 1 when something does. */
export const diffBundles = (
  a: JsonObject,
  b: JsonObject,
  options: { readonly json?: boolean; readonly out?: string },
): number => {
  const difference = differenceOf(a, b);
  const { only_a, only_b, changed, reordered } = difference.counts;
  const total = only_a + only_b + changed + reordered;
  const left = total - difference.changes.length;
  const text = [
    'Nothing below was checked: run forensictrace verify. - is only in the first bundle, + only in the second.',
    '',
    ...difference.changes.flatMap(linesOf),
    ...(left > 0 ? [`… and ${left} more`] : []),
    ...(total > 0 ? [''] : []),
    total === 0
      ? 'No record, edge or member differs.'
      : `${only_a} only in the first, ${only_b} only in the second, ${changed} changed, ${reordered} lists reordered`,
    '',
  ].join('\n');
  emit(options.json ? json(difference) : text, options.out);
  return total === 0 ? EXIT.CONSISTENT : DIFFERENT;
};
