import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWire, type WireNode } from '../../src/base/wire-json.ts';
import { REPLAY_LIMITS } from '../../src/pcm/replay.ts';
import type { Prior, Vector } from './vectors.ts';

const member = (node: WireNode | undefined, name: string): WireNode | undefined =>
  node?.kind === 'object' ? node.members.find((one) => one.name === name)?.value : undefined;

type Documents = {
  readonly schemas: Readonly<Record<string, unknown>>;
  readonly trusts: Readonly<Record<string, unknown>>;
};
const NO_DOCUMENTS: Documents = { schemas: {}, trusts: {} };

const named = (pool: Readonly<Record<string, unknown>>, one: unknown): unknown =>
  typeof one === 'string' ? pool[one] : one;

/** Takes the JSON text of a vector; keeps the text of its messages, since JSON.parse loses how a number was written. */
const vectorOf = (json: string, documents: Documents = NO_DOCUMENTS): Vector => {
  const root = parseWire(json)!;
  const vector = JSON.parse(json);
  const cut = (node: WireNode | undefined): string => json.slice(node!.start, node!.end);
  const prior = member(member(root, 'replay_setup'), 'prior');
  const setup = vector.replay_setup;
  return {
    ...vector,
    text: vector.raw_text ?? cut(member(root, 'message')),
    trust: named(documents.trusts, vector.trust),
    schemas: vector.schemas.map((one: unknown) => named(documents.schemas, one)),
    replay: setup && {
      started: setup.started,
      maxNonces: setup.max_nonces ?? REPLAY_LIMITS.nonces,
      prior: setup.prior.map((one: Prior, i: number) => ({
        ...one,
        text: cut(member(prior?.kind === 'array' ? prior.items[i] : undefined, 'message')),
      })),
    },
  };
};

/** The vectors of a folder: one a line in `*.jsonl`, or one a file in `*.json`. */
export const vectorsIn = (folder: string): readonly Vector[] => {
  const names = readdirSync(folder).sort();
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const documents = names.includes('documents.json') ? (JSON.parse(read('documents.json')) as Documents) : NO_DOCUMENTS;
  const lines = names.filter((name) => name.endsWith('.jsonl')).flatMap((name) => read(name).trimEnd().split('\n'));
  const texts =
    lines.length > 0 ? lines : names.filter((name) => name.endsWith('.json') && name !== 'MANIFEST.json').map(read);
  return texts.map((text) => vectorOf(text, documents));
};
