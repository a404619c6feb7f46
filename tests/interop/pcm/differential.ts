import { spawn } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import type { PcmOutcome } from '../../../src/pcm/result.ts';
import { nativeCrypto } from '../../../src/store/native-crypto.ts';
import { outcomeOf, type Vector } from '../../pcm/vectors.ts';
import { PYTHON } from '../support/python.ts';

/** Sends vectors to the second verifier; returns its results in order. Throws when it fails. */
const askSecond = async (vectors: readonly Vector[]): Promise<readonly Comparable[]> => {
  const child = spawn(PYTHON, ['-B', 'tests/interop/pcm/oracle.py', '--batch'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  child.stdin.on('error', () => {});
  child.stdin.end(vectors.map((vector) => `${JSON.stringify(questionOf(vector))}\n`).join(''));
  const status = await ended;
  if (status !== 0) throw new Error(`the second verifier ended with ${status}`);
  const lines = Buffer.concat(pieces).toString().split('\n').slice(0, -1);
  if (lines.length !== vectors.length) throw new Error(`${vectors.length} messages, ${lines.length} results`);
  return lines.map((line) => JSON.parse(line) as Comparable);
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const questionOf = (vector: Vector): object => ({
  message: base64(vector.text),
  trust: base64(JSON.stringify(vector.trust)),
  schemas: vector.schemas.map((one) => base64(JSON.stringify(one))),
  me: vector.me,
  strict: vector.strict,
  now: vector.now,
  replay: vector.replay && {
    started: vector.replay.started,
    max_nonces: vector.replay.maxNonces,
    prior: vector.replay.prior.map(({ text, now, me }) => ({ message: base64(text), now, me: me ?? vector.me })),
  },
});

type Comparable = { readonly verdict: string; readonly reasons?: readonly string[] };

const distinct = (reasons: readonly string[]): readonly string[] => [...new Set(reasons)].sort();

/** Every member of a result that is no text for people; of the findings their reasons. */
const comparable = (outcome: PcmOutcome | 'config-error'): Comparable => {
  if (outcome === 'config-error') return { verdict: outcome };
  const reasons = distinct(outcome.findings.map(({ reason }) => reason));
  if (outcome.verdict === 'bad-input') return { verdict: outcome.verdict, reasons };
  const { signature, replay, schema, grants, claims, skipped, verdict } = outcome;
  return {
    verdict,
    signature,
    replay: { ok: replay.ok },
    schema: { ok: schema.ok, ref: schema.ref },
    grants: { result: grants.result, steps: grants.steps, root: grants.root },
    claims: claims.map(({ detail: _detail, ...judged }) => judged),
    skipped,
    reasons,
  } as Comparable;
};

/** As it is printed: without the null prototypes that what was approved has. */
const plain = (one: Comparable): Comparable => JSON.parse(JSON.stringify(one)) as Comparable;

/** A text with several faults is refused for any one of them (docs/PCM.md section 2), and the vectors do not say for which document. */
const told = ({ reasons, ...members }: Comparable, isOneFault: boolean): object =>
  members.verdict === 'config-error' || (members.verdict === 'bad-input' && !isOneFault)
    ? members
    : { ...members, reasons: distinct(reasons!) };

/** The vectors on which ours and the second verifier differ, with both results; `isOneFault` when a text that cannot be read has one fault. */
export const disagreements = async (vectors: readonly Vector[], isOneFault = true): Promise<readonly object[]> => {
  const answers = await askSecond(vectors);
  return vectors.flatMap((vector, at) => {
    const [ours, theirs] = [plain(comparable(outcomeOf(vector, nativeCrypto))), answers[at]!].map((one) =>
      told(one, isOneFault),
    );
    return isDeepStrictEqual(ours, theirs)
      ? []
      : [{ name: vector.name, text: vector.text.slice(0, 200), ours, theirs }];
  });
};
