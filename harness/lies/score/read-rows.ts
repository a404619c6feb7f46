import * as z from 'zod';
import { EnvironmentFault } from '../../../src/index.ts';
import type { Dataset } from '../dataset.ts';
import { valuesIn } from '../read.ts';
import { pcmExtended, pcmNative, pcmPortable } from '../receivers/pcm.ts';
import { CONJUNCTIONS, MODELS } from '../receivers/receivers.ts';
import { SECOND } from '../receivers/second-verifier.ts';
import { REASON_CLASSES } from './reason-class.ts';
import { RECEIVERS } from './results.ts';
import type { Row, Said } from './run.ts';

const SaidShape = z.strictObject({
  verdict: z.enum(['accept', 'accept-unproven', 'reject', 'bad-input', 'threw']),
  class: z.enum(REASON_CLASSES),
  reasons: z.array(z.string()),
  claims: z.array(z.enum(['proven', 'unproven', 'failed'])),
});
const RowShape = z.strictObject({
  id: z.string(),
  lie: z.boolean(),
  native: SaidShape,
  portable: SaidShape,
  second: SaidShape,
  extended: SaidShape,
  decided: z.record(z.enum(RECEIVERS), z.string().nullable()),
  broken: z.partialRecord(z.enum(MODELS.map(({ name }) => name)), z.array(z.string())),
});

/** What a receiver that threw, or accepted, is taken to have said: nothing against the message. */
const isAcceptance = ({ verdict }: Said): boolean => verdict === 'accept' || verdict === 'threw';

/** The receivers of which a row says one thing here and another there. */
const contradicted = ({ native, portable, second, extended, decided, broken }: Row): readonly string[] => {
  const verifiers = {
    [pcmNative.name]: native,
    [pcmPortable.name]: portable,
    [SECOND]: second,
    [pcmExtended.name]: extended,
  };
  const expected: Record<string, string | null> = Object.fromEntries(
    MODELS.map(({ name, rules }) => [name, rules.find(({ id }) => broken[name]?.includes(id))?.id ?? null]),
  );
  for (const [name, of] of Object.entries(CONJUNCTIONS))
    expected[name] = of.map((one) => expected[one] ?? null).find((check) => check !== null) ?? null;
  return [
    ...MODELS.filter(({ name, rules }) => broken[name]?.some((check) => !rules.some(({ id }) => id === check))).map(
      ({ name }) => name,
    ),
    ...Object.entries(verifiers)
      .filter(([name, said]) => isAcceptance(said) !== (decided[name] === null))
      .map(([name]) => name),
    ...Object.keys(expected).filter((name) => expected[name] !== decided[name]),
  ];
};

/**
 * Takes a dataset and the text of verdicts.jsonl; returns its rows. Throws EnvironmentFault on a row that is not of its shape, of no message or of one
 * twice, labelled otherwise, or at odds with itself. Whether the receivers said so only another run tells.
 */
export const readRows = ({ messages }: Dataset, text: string, name: string): readonly Row[] => {
  const labels = new Map(messages.map(({ id, lie }) => [id, lie]));
  const rows = valuesIn<Row>(text, RowShape, name);
  if (!rows.some(({ lie }) => lie)) throw new EnvironmentFault(`${name} has no verdict of a lie`);
  const ids = new Set<string>();
  for (const [i, row] of rows.entries()) {
    const refuse = (why: string): never => {
      throw new EnvironmentFault(`${name} verdict ${i + 1}: ${why}`);
    };
    if (!labels.has(row.id)) refuse('the dataset has no such message');
    if (ids.has(row.id)) refuse(`${row.id} is there twice`);
    ids.add(row.id);
    if (labels.get(row.id) !== row.lie) refuse(`${row.id} is labelled otherwise in the dataset`);
    const [receiver] = contradicted(row);
    if (receiver !== undefined) refuse(`${row.id}: what is said of ${receiver} is at odds with itself`);
  }
  return rows;
};
