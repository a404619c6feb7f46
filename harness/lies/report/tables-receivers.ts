import type { Cell, Column, Table } from '../../experiment/tables.ts';
import { wilson } from '../../figures/statistics.ts';
import { CLASSES } from '../classes.ts';
import { LIES, OTHERS } from '../dataset.ts';
import {
  count,
  isAccepted,
  isRejected,
  lies,
  ofClass,
  RECEIVERS,
  type Result,
  type Results,
} from '../score/results.ts';
import { PUBLISHED } from './published.ts';

const percent = (share: number): number => share * 100;
const shareColumns = (key: string, title: string): readonly Column[] => [
  { key, title },
  { key: `${key}_percent`, title: '%', digits: 1 },
  { key: `${key}_low`, title: 'from', digits: 1 },
  { key: `${key}_high`, title: 'to', digits: 1 },
];
const shareCells = (hits: number, of: number): readonly Cell[] => {
  const interval = wilson(hits, of);
  return interval === null
    ? [hits, null, null, null]
    : [hits, percent(hits / of), percent(interval.low), percent(interval.high)];
};

/** How often each receiver accepted a lie and refused an honest message, with what was published of another dataset. */
export const receiversTable = (results: Results): Table => {
  const [told, honest] = [lies(results), ofClass(results, 'honest')];
  return {
    id: 'receivers',
    title: 'Receivers',
    caption:
      `False accepts: of ${told.length} lies, those that were accepted. Honest rejects: of ${honest.length} honest messages, those with the verdict reject or bad-input, or ` +
      'refused by a model. Each with its share and its 95 % Wilson interval, in per cent. Published: the counts that the README of the protocol prints of a dataset of its own, of 712 and of 83; a * was derived from what it prints.',
    columns: [
      { key: 'receiver', title: 'receiver' },
      ...shareColumns('false_accepts', 'false accepts'),
      { key: 'published_false_accepts', title: 'published' },
      ...shareColumns('honest_rejects', 'honest rejects'),
      { key: 'published_honest_rejects', title: 'published' },
    ],
    rows: RECEIVERS.map((name) => [
      name,
      ...shareCells(
        count(told, (result) => isAccepted(result, name)),
        told.length,
      ),
      PUBLISHED.accepted(name),
      ...shareCells(
        count(honest, (result) => isRejected(result, name)),
        honest.length,
      ),
      PUBLISHED.honestRejected(name),
    ]),
  };
};

/** Names of receivers as heads of narrow columns. */
const SHORT: Readonly<Record<string, string>> = {
  'PCM (native)': 'PCM',
  'PCM (portable)': 'portable',
  'PCM (second verifier)': 'second',
  'PCM (native), extensions': 'ext.',
  'A2A, plain': 'A2A',
  'Signature only': 'sig.',
  'A2A, signed Agent Card': 'card',
  'Message envelope, signed': 'env.',
  'RFC 9421, as ANP uses it': '9421',
  'SCITT receipts': 'SCITT',
  'AP2 mandates': 'AP2',
  'Verifiable Intent': 'VI',
  'AP2, SCITT and RFC 9421': 'three',
  'All six': 'six',
};
const receiverColumns: readonly Column[] = RECEIVERS.map((name) => ({ key: name, title: SHORT[name] ?? name }));
const KEY = `Columns: ${RECEIVERS.map((name) => `${SHORT[name] ?? name} = ${name}`).join('; ')}.`;

const acceptedCells = (of: readonly Result[]): readonly Cell[] =>
  RECEIVERS.map((name) => count(of, (result) => isAccepted(result, name)));

/** How many messages of each class each receiver accepted. */
export const classesTable = (results: Results): Table => {
  const row = (name: (typeof LIES)[number] | (typeof OTHERS)[number]): readonly Cell[] => {
    const of = ofClass(results, name);
    return [name, CLASSES[name].title, of.length, ...acceptedCells(of)];
  };
  return {
    id: 'classes',
    title: 'Accepted, by class',
    caption: `How many of each class each receiver accepted. Of lies every one is a false accept; of the rest, whoever accepts fewer loses true messages. ${KEY}`,
    columns: [
      { key: 'class', title: 'class' },
      { key: 'title', title: 'what it is' },
      { key: 'messages', title: 'n' },
      ...receiverColumns,
    ],
    rows: [
      ...LIES.map(row),
      ['all', 'lies', lies(results).length, ...acceptedCells(lies(results))],
      ...OTHERS.map(row),
    ],
  };
};

/** One line for each class and receiver, with intervals: for machines. */
export const intervalsTable = (results: Results): Table => ({
  id: 'intervals',
  title: 'Every class at every receiver',
  caption: 'Accepted (of lies: false accepts) and rejected, each with its share and 95 % Wilson interval in per cent.',
  columns: [
    { key: 'class', title: 'class' },
    { key: 'receiver', title: 'receiver' },
    { key: 'messages', title: 'n' },
    ...shareColumns('accepted', 'accepted'),
    ...shareColumns('rejected', 'rejected'),
  ],
  rows: [...LIES, ...OTHERS].flatMap((name) => {
    const of = ofClass(results, name);
    return RECEIVERS.map((receiver) => [
      name,
      receiver,
      of.length,
      ...shareCells(
        count(of, (result) => isAccepted(result, receiver)),
        of.length,
      ),
      ...shareCells(
        count(of, (result) => isRejected(result, receiver)),
        of.length,
      ),
    ]);
  }),
});

/** How many lies of each scope each receiver accepted. */
export const scopesTable = (results: Results): Table => {
  const scopes = ['claim', 'evidence', 'authority', 'delivery', 'encoding', 'message'] as const;
  return {
    id: 'scopes',
    title: 'Accepted lies, by what of the message the lie is in',
    caption: `How many lies of each scope each receiver accepted. ${KEY}`,
    columns: [{ key: 'scope', title: 'scope' }, { key: 'lies', title: 'lies' }, ...receiverColumns],
    rows: scopes.map((scope) => {
      const of = lies(results).filter(({ message }) => CLASSES[message.class].scope === scope);
      return [scope, of.length, ...acceptedCells(of)];
    }),
  };
};
