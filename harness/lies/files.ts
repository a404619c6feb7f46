import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentFault } from '../../src/index.ts';
import type { Act } from './acts.ts';
import { NAMES } from './classes.ts';
import { type Dataset, digestOf, type Head, type Logged, type Message } from './dataset.ts';
import { preregistration } from './preregistration.ts';

const HEAD = 'dataset.json';
const ACTS = 'acts.jsonl';
const messagesFile = (name: string): string => `messages-${name}.jsonl`;
const journalFile = (log: string): string => `journal-${log}.txt`;

export const linesOf = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
export const valuesOf = <T>(text: string): readonly T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

/** A signer's journal: a first line that names the log, then for each record its hash, a space, and its canonical text. */
const journalOf = (text: string): readonly Logged[] =>
  text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.indexOf(' ');
      return {
        hash: `sha256:${line.slice(0, at).replace(/^sha256:/, '')}`,
        event: JSON.parse(line.slice(at + 1)) as Logged['event'],
      };
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

const read = (folder: string, name: string): string => {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot read ${name} of the dataset`);
  }
};

/** Reads a dataset. Throws EnvironmentFault when a file of it is not the one that its head names, or it was made under another pre-registration. */
export const readDataset = (folder: string): Dataset => {
  const head = JSON.parse(read(folder, HEAD)) as Head;
  if (head.preregistration !== preregistration())
    throw new EnvironmentFault(
      `the dataset in ${folder} was made under the pre-registration ${head.preregistration}, which is not the one in force (${preregistration()})`,
    );
  const texts = new Map(
    Object.entries(head.files).map(([name, digest]) => {
      const text = read(folder, name);
      if (digestOf(text) !== digest)
        throw new EnvironmentFault(`${name} in ${folder} is not the file that its head names`);
      return [name, text] as const;
    }),
  );
  return {
    head,
    messages: NAMES.flatMap((name) => valuesOf<Message>(texts.get(messagesFile(name)) ?? '')),
    acts: valuesOf<Act>(texts.get(ACTS)!),
    journals: Object.fromEntries(head.logs.map(({ name }) => [name, journalOf(texts.get(journalFile(name))!)])),
  };
};
