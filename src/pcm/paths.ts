/** How the path of a call compares with the path of a claim. */
export type PathMatch = 'same' | 'cannot be told' | 'other';

const DRIVE = /^[A-Za-z]:[\\/]/;
const partsOf = (path: string, separator: RegExp): readonly string[] =>
  path.split(separator).filter((part) => part !== '' && part !== '.');

const equal = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((part, i) => part === b[i]);
const isTail = (tail: readonly string[], of: readonly string[]): boolean =>
  tail.length <= of.length && equal(tail, of.slice(of.length - tail.length));

const isPosix = (path: string): boolean => path.startsWith('/');
const separatorOf = (claimed: string): RegExp => (isPosix(claimed) ? /\// : /[\\/]/);

/** Takes the path of a claim; false when it is relative on either system, or holds a `..` (docs/PCM.md section 12). */
export const isClaimablePath = (path: string): boolean =>
  (isPosix(path) || DRIVE.test(path)) && !partsOf(path, separatorOf(path)).includes('..');

/** Only what follows the last `..` is certain. */
const certain = (parts: readonly string[]): readonly string[] => parts.slice(parts.lastIndexOf('..') + 1);

const matchPosix = (claimed: string, call: string): PathMatch => {
  const [want, have] = [partsOf(claimed, /\//), partsOf(call, /\//)];
  if (isPosix(call) && !have.includes('..')) return equal(want, have) ? 'same' : 'other';
  return isTail(certain(have), want) ? 'cannot be told' : 'other';
};

/** On POSIX a drive path is a relative one, and the record does not say where the call ran: only the very same string proves. */
const matchDrive = (claimed: string, call: string): PathMatch => {
  if (call === claimed) return 'same';
  const [want, have] = [partsOf(claimed, /[\\/]/), partsOf(call, /[\\/]/)];
  if (DRIVE.test(call) && !have.includes('..')) return equal(want, have) ? 'cannot be told' : 'other';
  // `C:x` is relative to the working directory of its drive.
  const onDrive = /^[A-Za-z]:/.test(call) ? partsOf(call.slice(2), /[\\/]/) : have;
  if (onDrive !== have && call.slice(0, 2) !== claimed.slice(0, 2)) return 'other';
  return isTail(certain(onDrive), want) ? 'cannot be told' : 'other';
};

/** Takes the path of a claim, which isClaimablePath has passed, and that of a call; both are read by the claim's rules. */
export const matchPath = (claimed: string, call: string): PathMatch =>
  isPosix(claimed) ? matchPosix(claimed, call) : matchDrive(claimed, call);
