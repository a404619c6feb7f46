import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentFault } from '../../src/index.ts';
import type { Act } from './acts.ts';
import { NAMES } from './classes.ts';
import { bytesOf, type Dataset, digestOf, type Head, type Logged, type Message } from './dataset.ts';
import { preregistration } from './preregistration.ts';
import { isReadable, textIn, valueIn, valuesIn } from './read.ts';
import { hashOf } from './receivers/jcs.ts';
import { ActShape, EventShape, HeadShape, messageShape } from './shapes.ts';
import { untrue } from './truth.ts';

const HEAD = 'dataset.json';
const ACTS = 'acts.jsonl';
const messagesFile = (name: string): string => `messages-${name}.jsonl`;
const journalFile = (log: string): string => `journal-${log}.txt`;

export const linesOf = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
/** A signer's journal: a first line that names the log, then for each record its hash, a space, and its canonical text. */
const journalOf = (text: string, name: string): readonly Logged[] =>
  text.split('\n').flatMap((line, i) => {
    if (i === 0 || line === '') return [];
    const [at, space] = [`${name} line ${i + 1}`, line.indexOf(' ')];
    const event = valueIn<Logged['event']>(line.slice(space + 1), EventShape, at);
    const hash = `sha256:${line.slice(0, space)}`;
    if (hashOf(event) !== hash) throw new EnvironmentFault(`${at} is not the record that its hash names`);
    return [{ hash, event }];
  });

/** Takes the parts of a dataset, journals as their text; writes it into a folder. */
export const writeDataset = (
  folder: string,
  head: Omit<Head, 'files'>,
  {
    messages,
    acts,
    journals,
  }: { messages: readonly Message[]; acts: readonly Act[]; journals: Readonly<Record<string, string>> },
): void => {
  const files: Record<string, string> = { [ACTS]: linesOf(acts) };
  for (const name of NAMES) files[messagesFile(name)] = linesOf(messages.filter((message) => message.class === name));
  for (const [log, text] of Object.entries(journals)) files[journalFile(log)] = text;
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const digests = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, digestOf(text)]));
  writeFileSync(join(folder, HEAD), `${JSON.stringify({ ...head, files: digests }, null, 2)}\n`);
};

const read = (folder: string, name: string): string => textIn(join(folder, name), 'file of the dataset');

/** The head, which names the files of a dataset and no others, and pins the keys of its pinned logs. */
const readHead = (folder: string): Head => {
  const head = valueIn<Head>(read(folder, HEAD), HeadShape, HEAD);
  if (head.preregistration !== preregistration())
    throw new EnvironmentFault(
      `the dataset in ${folder} was made under the pre-registration ${head.preregistration}, which is not the one in force (${preregistration()})`,
    );
  const files = [ACTS, ...NAMES.map(messagesFile), ...head.logs.map(({ name }) => journalFile(name))];
  if (String(files.sort()) !== String(Object.keys(head.files).sort()))
    throw new EnvironmentFault(`${HEAD} in ${folder} does not name the files of a dataset, each of them once`);
  const pinned = head.logs.filter((log) => log.pinned).map(({ vkey }) => vkey);
  if (String(pinned) !== String(head.trust.logs))
    throw new EnvironmentFault(`${HEAD} in ${folder} trusts other keys than those of its pinned logs`);
  return head;
};

/** All that arrives with a message. */
const textsOf = ({ earlier = [], fresh, ...message }: Message): readonly string[] => [
  ...[message, ...earlier].map((one) => Buffer.from(bytesOf(one)).toString()),
  ...(fresh === undefined ? [] : [fresh]),
];

/** Every message once, in texts that every receiver can read, and as many of each class as the head says. */
const requireMessages = ({ head: { counts }, messages }: Dataset): void => {
  const ids = new Set<string>();
  for (const message of messages) {
    const { id } = message;
    if (ids.has(id)) throw new EnvironmentFault(`the dataset has ${id} twice`);
    ids.add(id);
    if (!textsOf(message).every(isReadable)) throw new EnvironmentFault(`${id} is nested too deep for the models`);
  }
  for (const name of NAMES)
    if (messages.filter((message) => message.class === name).length !== (counts[name] ?? 0))
      throw new EnvironmentFault(`${messagesFile(name)} has not as many messages as ${HEAD} says`);
};

/** The label of every message is what the acts say. */
const requireLabels = ({ head: { me }, messages, acts }: Dataset): void => {
  const other = messages.find((message) => (untrue(message, acts, me) !== null) !== message.lie);
  if (other !== undefined) throw new EnvironmentFault(`the label of ${other.id} does not follow from ${ACTS}`);
};

/**
 * Reads a dataset. Throws EnvironmentFault when it was made under another pre-registration, a file of it is not the one that its head names or not of its
 * shape, a record not the one of its hash, or a label does not follow from the acts.
 */
export const readDataset = (folder: string): Dataset => {
  const head = readHead(folder);
  const texts = new Map(
    Object.entries(head.files).map(([name, digest]) => {
      const text = read(folder, name);
      if (digestOf(text) !== digest)
        throw new EnvironmentFault(`${name} in ${folder} is not the file that its head names`);
      return [name, text] as const;
    }),
  );
  const textOf = (name: string): string => texts.get(name)!;
  const journals = head.logs.map(({ name }) => [name, journalFile(name)] as const);
  const dataset = {
    head,
    messages: NAMES.flatMap((name) =>
      valuesIn<Message>(textOf(messagesFile(name)), messageShape(name), messagesFile(name)),
    ),
    acts: valuesIn<Act>(textOf(ACTS), ActShape, ACTS),
    journals: Object.fromEntries(journals.map(([name, file]) => [name, journalOf(textOf(file), file)])),
  };
  requireMessages(dataset);
  requireLabels(dataset);
  return dataset;
};
