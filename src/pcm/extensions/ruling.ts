import { judgeCall, type OpenedCall } from '../claims/calls.ts';
import { judgeWrite, writesOf } from '../claims/file-written.ts';
import type { ClaimContext, Judgement } from '../claims/judgement.ts';
import { callsOfSuite } from '../claims/tests-passed.ts';
import type { Claim } from '../envelope.ts';
import type { Proven } from '../evidence.ts';
import { deedsAfter } from './deeds.ts';
import { filesAt, sameBytes } from './file.ts';
import { fileDoubts, suiteDoubts } from './later.ts';
import type { ExtensionName, Extensions } from './options.ts';
import { ageOf, type Range, rangeFrom } from './range.ts';
import { onTree } from './tree.ts';

/** What an extension says of one call that proves a claim: in words how it holds, the judgement where it does not, null where it asks nothing. */
export type Ruling = string | Judgement | null;

/** A claim that PCM 0.1 has as proven, and the records of its evidence. */
export type Subject = { readonly claim: Claim; readonly records: readonly Proven[]; readonly context: ClaimContext };

const isProven = (judgement: Judgement | undefined): boolean => judgement?.result === 'proven';

/** The calls that prove a claim of a state, the newest first; none of a claim that says that something happened. */
export const provingCalls = ({ claim: { type, args }, records, context }: Subject): readonly OpenedCall[] => {
  const calls: readonly OpenedCall[] =
    type === 'tests_passed'
      ? callsOfSuite(records, args.suite as string).filter((call) => isProven(judgeCall(call, 'shell', '')))
      : type === 'file_written'
        ? writesOf(records, args.digest as string, context.crypto).filter((call) =>
            isProven(judgeWrite(call, args.path as string)[0]),
          )
        : [];
  return [...calls].sort((a, b) => b.result.seq - a.result.seq);
};

type ClaimedFile = { readonly path: string; readonly digest: string };

/** What is against a call of the range. Bytes that the receiver compared itself need not be feared to have changed. */
const doubtsOf = (
  range: Range,
  call: OpenedCall,
  { claim, context }: Subject,
  asked: Extensions,
): readonly Judgement[] => {
  const deeds = deedsAfter(range, call);
  if (claim.type === 'tests_passed') return suiteDoubts(deeds, claim.args.suite as string);
  const claimed = claim.args as ClaimedFile;
  const doubts = fileDoubts(deeds, claimed, context.crypto);
  const isCompared = typeof sameBytes(claimed.digest, filesAt(claimed.path, asked.files)) === 'string';
  return isCompared ? doubts.filter(({ result }) => result === 'failed') : doubts;
};

const isFresh = (call: OpenedCall, subject: Subject, asked: Extensions): Ruling => {
  const range = rangeFrom(subject.records, call.decision);
  if ('result' in range) return range;
  const doubts = doubtsOf(range, call, subject, asked);
  return doubts.find(({ result }) => result === 'failed') ?? ageOrDoubt(ageOf(range, asked.fresh!), doubts);
};

const ageOrDoubt = (age: string | Judgement, doubts: readonly Judgement[]): Ruling =>
  typeof age === 'string' ? (doubts[0] ?? age) : age;

/** What each extension that is asked for says of one call that proves a claim of a state. */
export const RULINGS: Readonly<
  Record<ExtensionName, (call: OpenedCall, subject: Subject, asked: Extensions) => Ruling>
> = {
  fresh: isFresh,
  tree: (call, { claim }, { tree }) => (claim.type === 'tests_passed' ? onTree(call, tree!) : null),
  file: (_, { claim: { type, args } }, { files }) =>
    type === 'file_written' ? sameBytes(args.digest as string, filesAt(args.path as string, files)) : null,
  'any-response': () => null,
};
