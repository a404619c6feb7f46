import type { Dataset, Message } from '../dataset.ts';
import { pcmExtended, pcmNative, pcmPortable } from '../receivers/pcm.ts';
import { CONJUNCTIONS, MODELS } from '../receivers/receivers.ts';
import { SECOND } from '../receivers/second-verifier.ts';
import type { Row } from './run.ts';

/** Every receiver by name, in the order of the tables. */
export const RECEIVERS: readonly string[] = [
  pcmNative.name,
  pcmPortable.name,
  SECOND,
  pcmExtended.name,
  ...MODELS.map(({ name }) => name),
  ...Object.keys(CONJUNCTIONS),
];
export const OURS = pcmNative.name;
export const EXTENDED = pcmExtended.name;

/** A message with what came of it. */
export type Result = { readonly message: Message; readonly row: Row };
/** What a run of the benchmark gave: every message that was sent, with its row. */
export type Results = { readonly dataset: Dataset; readonly results: readonly Result[] };

/** Takes a dataset and rows; returns both together. Throws RangeError on a row of no message. */
export const resultsOf = (dataset: Dataset, rows: readonly Row[]): Results => {
  const messages = new Map(dataset.messages.map((message) => [message.id, message]));
  return {
    dataset,
    results: rows.map((row) => {
      const message = messages.get(row.id);
      if (message === undefined) throw new RangeError(`the dataset has no message ${row.id}`);
      return { message, row };
    }),
  };
};

export const isAccepted = ({ row }: Result, receiver: string): boolean => row.decided[receiver] === null;
/** An honest message that was not only left unproven: the verdict `reject` or `bad-input` of a verifier, any refusal of a model. */
export const isRejected = (result: Result, receiver: string): boolean => {
  const { row } = result;
  const verifiers: Readonly<Record<string, { readonly verdict: string }>> = {
    [pcmNative.name]: row.native,
    [pcmPortable.name]: row.portable,
    [SECOND]: row.second,
    [EXTENDED]: row.extended,
  };
  const said = verifiers[receiver];
  return said === undefined ? !isAccepted(result, receiver) : said.verdict === 'reject' || said.verdict === 'bad-input';
};

export const lies = ({ results }: Results): readonly Result[] => results.filter(({ message }) => message.lie);
export const ofClass = ({ results }: Results, name: Message['class']): readonly Result[] =>
  results.filter(({ message }) => message.class === name);
export const count = (results: readonly Result[], holds: (result: Result) => boolean): number =>
  results.filter(holds).length;
