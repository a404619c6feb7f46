import type { Crypto } from '../../base/crypto.ts';
import type { Proven } from '../evidence.ts';
import { isClaimablePath, matchPath } from '../paths.ts';
import { HASH } from '../shapes.ts';
import { judgeAttested, type OpenedCall, openedCalls, pathOf } from './calls.ts';
import { best, type ClaimRule, isOfStrings, type Judgement, unproven } from './judgement.ts';

const TOOL = 'Write';

const holds = ({ tool, args }: OpenedCall, digest: string, crypto: Crypto): boolean =>
  tool === TOOL && typeof args.content === 'string' && `sha256:${crypto.sha256Hex(args.content)}` === digest;

/** The Write calls that ended well and wrote these bytes. */
export const writesOf = (records: readonly Proven[], digest: string, crypto: Crypto): readonly OpenedCall[] =>
  openedCalls(records).filter((call) => holds(call, digest, crypto));

export const judgeWrite = (call: OpenedCall, claimed: string): Judgement[] => {
  const path = pathOf(call.args);
  const match = path === null ? 'other' : matchPath(claimed, path);
  if (match === 'other') return [];
  return match === 'same'
    ? [judgeAttested(call, 'written')]
    : [
        unproven(
          'PCM_CLAIM_PATH_UNTOLD',
          `a Write of ${JSON.stringify(path)} can't be told from the claimed path (seq ${call.result.seq})`,
        ),
      ];
};

/** `file_written {path, digest}`: a Write call of this path wrote these bytes (docs/PCM.md section 12). */
export const fileWritten: ClaimRule = {
  malformed: (args) => {
    if (!isOfStrings(args, 'path', 'digest')) return 'its args are path and digest alone, strings';
    if (!HASH.test(args.digest as string)) return 'digest is not sha256: and 64 lower-case hex digits';
    return isClaimablePath(args.path as string) ? null : 'path is not absolute, or holds a ..';
  },
  judge: ({ path, digest }, records, { crypto }) =>
    best(
      writesOf(records, digest as string, crypto).flatMap((call) => judgeWrite(call, path as string)),
      'no opened Write call of this path and content ended well',
    ),
};
