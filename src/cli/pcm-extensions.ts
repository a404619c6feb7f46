import type { ActedFile, Extensions } from '../pcm/extensions/options.ts';
import { isClaimablePath } from '../pcm/paths.ts';
import { pcmTime } from '../pcm/time.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { readInput } from '../store/read.ts';
import { UsageFault } from './exit.ts';

/** What a receiver asks beyond PCM 0.1, as the command line names it (docs/PCM-EXTENSIONS.md). */
export type ExtensionOptions = {
  readonly fresh?: boolean;
  readonly maxAge?: string;
  readonly tree?: string;
  readonly file?: readonly string[];
  readonly anyResponse?: boolean;
};

const SECONDS = /^\d{1,9}$/;
const TREE = /^[0-9a-f]{40}$/;

const freshOf = ({ fresh = false, maxAge }: ExtensionOptions): Extensions['fresh'] => {
  if (maxAge === undefined) return fresh ? {} : undefined;
  if (!fresh) throw new UsageFault('--max-age is the age of the head that --fresh asks for', ['Add --fresh.']);
  if (!SECONDS.test(maxAge)) throw new UsageFault(`--max-age ${maxAge} is no whole number of seconds`);
  return { maxAge: { seconds: Number(maxAge), now: pcmTime(Date.now()) } };
};

/** `CLAIMED=PATH`, divided at the first `=`, or one path for both. */
const fileOf = (text: string): ActedFile => {
  const at = text.indexOf('=');
  const [path, file] = at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + 1)];
  if (!isClaimablePath(path))
    throw new UsageFault(`--file ${text}: a claim is of an absolute path without ..`, [
      'Name the path as the claim writes it, and the file that you have: --file /repo/a.py=./a.py',
    ]);
  return { path, digest: `sha256:${nativeCrypto.sha256Hex(readInput(file, 'file'))}` };
};

/** Takes the options; returns what is asked, reading the files that they name, or undefined for nothing. Throws UsageFault, EnvironmentFault. */
export const extensionsOf = (options: ExtensionOptions): Extensions | undefined => {
  const { tree, file = [], anyResponse = false } = options;
  const fresh = freshOf(options);
  if (tree !== undefined && !TREE.test(tree))
    throw new UsageFault(`--tree ${tree} is no git tree: 40 hex digits, in lower case`, [
      "Try: git rev-parse 'HEAD^{tree}'",
    ]);
  if (fresh === undefined && tree === undefined && file.length === 0 && !anyResponse) return undefined;
  return {
    ...(fresh === undefined ? {} : { fresh }),
    ...(tree === undefined ? {} : { tree }),
    files: file.map(fileOf),
    anyResponse,
  };
};
