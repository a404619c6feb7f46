import { type Judgement, unproven } from '../claims/judgement.ts';
import { matchPath } from '../paths.ts';
import type { ActedFile } from './options.ts';

/** The files that a receiver acts on, of the path of a claim. */
export const filesAt = (path: string, files: readonly ActedFile[] = []): readonly ActedFile[] =>
  files.filter((file) => matchPath(path, file.path) === 'same');

/** Takes a claim and the files of its path that the receiver acts on; returns in words that they have its bytes, or that they have not; null without files. */
export const sameBytes = (digest: string, files: readonly ActedFile[]): string | Judgement | null => {
  if (files.length === 0) return null;
  const other = files.find((file) => file.digest !== digest);
  return other === undefined
    ? 'the file that you act on has these bytes'
    : unproven('PCM_FILE_OTHER', `the file that you act on has ${other.digest}`);
};
