import { isClaimablePath } from '../paths.ts';
import { HASH } from '../shapes.ts';
import { microsOf } from '../time.ts';

/** A file that the receiver acts on: the path as claims write it, and `sha256:` of its bytes. */
export type ActedFile = { readonly path: string; readonly digest: string };

/** What a receiver asks beyond PCM 0.1 (docs/PCM-EXTENSIONS.md). Nothing is asked by default. */
export type Extensions = {
  /** Every record of the run from the call to a head, which is at most `seconds` from the clock of the receiver. */
  readonly fresh?: { readonly maxAge?: { readonly seconds: number; readonly now: string } };
  /** The git tree that the receiver acts on, 40 hex digits. */
  readonly tree?: string;
  readonly files?: readonly ActedFile[];
  /** A host is reached when it answered, whatever it answered. */
  readonly anyResponse?: boolean;
};

export const EXTENSION_NAMES = ['fresh', 'tree', 'file', 'any-response'] as const;
export type ExtensionName = (typeof EXTENSION_NAMES)[number];

/** What an extension says of a claim: whether it holds, null where it asks nothing of it, and why. */
export type Extended = { readonly name: ExtensionName; readonly holds: boolean | null; readonly detail: string };

/** The extensions that are asked for. */
export const namesOf = ({ fresh, tree, files = [], anyResponse = false }: Extensions): readonly ExtensionName[] => {
  const asked = {
    fresh: fresh !== undefined,
    tree: tree !== undefined,
    file: files.length > 0,
    'any-response': anyResponse,
  };
  return EXTENSION_NAMES.filter((name) => asked[name]);
};

/** Takes what a receiver asks; throws RangeError when nothing could ever meet it. */
export const requireExtensions = ({ fresh, tree, files = [] }: Extensions): void => {
  const { maxAge } = fresh ?? {};
  if (maxAge !== undefined && !(maxAge.seconds >= 0)) throw new RangeError('the age of a head is a number of seconds');
  if (maxAge !== undefined && microsOf(maxAge.now) === null) throw new RangeError(`no time of PCM: ${maxAge.now}`);
  if (tree !== undefined && !/^[0-9a-f]{40}$/.test(tree)) throw new RangeError(`no git tree: ${tree}`);
  const file = files.find(({ path, digest }) => !isClaimablePath(path) || !HASH.test(digest));
  if (file !== undefined) throw new RangeError(`no file that a claim could be of: ${file.path}`);
};
