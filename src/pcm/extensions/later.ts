import type { Crypto } from '../../base/crypto.ts';
import { pathOf } from '../claims/calls.ts';
import { failed, type Judgement, unproven } from '../claims/judgement.ts';
import { matchPath } from '../paths.ts';
import type { PcmObject } from '../value.ts';
import { type Deed, mayRun } from './deeds.ts';

/** The tools of the class fs that change a file. */
const EDITS: readonly string[] = ['Edit', 'MultiEdit', 'NotebookEdit'];
const WRITE = 'Write';

const how = ({ tool, ok, args, seq }: Deed): string =>
  `${tool ?? 'a call'} (seq ${seq}${ok === null ? ', without a result' : ''}${args === null ? ', not opened' : ''})`;

const untold = (deed: Deed, what: string): Judgement[] => [unproven('PCM_FRESH_UNTOLD', `${how(deed)} ${what}`)];

/** What a later call says of a suite that passed. */
const againstSuite = (deed: Deed, suite: string): Judgement[] => {
  const { args, ok } = deed;
  if (ok === true || (args !== null && args.command !== suite)) return [];
  if (args !== null)
    return ok === false
      ? [failed('PCM_FRESH_LATER_RUN', `the same suite failed later (seq ${deed.seq})`)]
      : untold(deed, 'is of the same suite');
  return mayRun(deed) ? untold(deed, 'may be of the same suite') : [];
};

/** What a later Write that is opened says of a file. */
const againstWritten = (deed: Deed, args: PcmObject, claimed: ActedOn, crypto: Crypto): Judgement[] => {
  const path = pathOf(args);
  const match = path === null ? 'cannot be told' : matchPath(claimed.path, path);
  const isSame = typeof args.content === 'string' && `sha256:${crypto.sha256Hex(args.content)}` === claimed.digest;
  if (match === 'other' || isSame) return [];
  return match === 'same' && deed.ok === true
    ? [failed('PCM_FRESH_LATER_WRITE', `the same file was written again, with other content (seq ${deed.seq})`)]
    : untold(deed, 'may have written the file');
};

type ActedOn = { readonly path: string; readonly digest: string };

/** What a later call says of a file that was written. */
const againstFile = (deed: Deed, claimed: ActedOn, crypto: Crypto): Judgement[] => {
  const { tool, args, ok } = deed;
  const writes = tool === WRITE || (tool !== null && EDITS.includes(tool));
  if (!writes) return mayRun(deed) ? untold(deed, 'may have changed the file') : [];
  if (ok === false) return [];
  if (args === null) return untold(deed, 'may have changed the file');
  if (tool === WRITE) return againstWritten(deed, args, claimed, crypto);
  const path = pathOf(args);
  return path !== null && matchPath(claimed.path, path) === 'other' ? [] : untold(deed, 'may have changed the file');
};

/** Takes what was done after a suite passed; returns each call that is against it. */
export const suiteDoubts = (deeds: readonly Deed[], suite: string): readonly Judgement[] =>
  deeds.flatMap((deed) => againstSuite(deed, suite));

/** Takes what was done after a file was written; returns each call that is against it. */
export const fileDoubts = (deeds: readonly Deed[], claimed: ActedOn, crypto: Crypto): readonly Judgement[] =>
  deeds.flatMap((deed) => againstFile(deed, claimed, crypto));
