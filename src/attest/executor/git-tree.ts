import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type GitBounds, type GitPlace, runGit } from './git.ts';

/** A minute, and 1 GiB for the largest file: a tree may be large, and whoever fills it may want the signer to wait. */
const BOUNDS: GitBounds = { timeoutMs: 60_000, fileBlocks: 2 * 1024 * 1024 };
const TREE = /^[0-9a-f]{40}$/;
/** Files count as the bytes they are: an attribute that lies in the tree could have git hash a file as other bytes. */
const RAW = '* -text -ident -filter -working-tree-encoding\n';
/** Mode of an entry that stands for the commit of a repository within: git hashes nothing of its files. */
const WITHIN = '160000 ';

/** The hash of a git tree, 40 hex digits; or in the words of the log why there is none, and in those of git, which may hold names of files. */
export type TreeReading = { readonly tree: string } | { readonly none: string; readonly why?: string };

/** Takes a folder; returns the work tree that it is in, or null. */
export const workTreeOf = (folder: string): string | null => {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? null : workTreeOf(above);
};

const hashed = async (place: GitPlace, { timeoutMs, fileBlocks }: GitBounds): Promise<TreeReading> => {
  const until = performance.now() + timeoutMs;
  const git = (...args: readonly string[]) =>
    runGit(place, args, { timeoutMs: Math.max(1, until - performance.now()), fileBlocks });
  await git('init', '--quiet', '--template=');
  await mkdir(join(place.scratch, 'git', 'info'), { recursive: true });
  await writeFile(join(place.scratch, 'git', 'info', 'attributes'), RAW);
  await git('-c', 'core.compression=1', '-c', 'core.fsync=none', '-c', 'gc.auto=0', 'add', '--all');
  const entries = await git('ls-files', '--stage', '-z');
  if (entries.subarray(0, WITHIN.length).equals(Buffer.from(WITHIN)) || entries.includes(`\0${WITHIN}`))
    return { none: 'a repository lies within' };
  const tree = String(await git('write-tree')).trim();
  return TREE.test(tree) ? { tree } : { none: 'git failed' };
};

/**
 * Takes the root of a work tree; resolves to the git tree of what stands there now: every file that no `.gitignore` of the tree passes over, tracked or
 * not. The repository's own index, objects and configuration are neither read nor written. Never rejects: a tree that cannot be had binds nothing.
 */
export const treeOf = async (work: string, bounds: GitBounds = BOUNDS): Promise<TreeReading> => {
  let scratch: string | null = null;
  try {
    // The signer's own user runs git: the agent's commands, run as another, cannot reach into the folder it works in.
    scratch = await mkdtemp(join(tmpdir(), 'ft-tree-'));
    return await hashed({ scratch, work }, bounds);
  } catch (error) {
    return { none: 'git failed', why: (error as Error).message };
  } finally {
    if (scratch !== null) await rm(scratch, { recursive: true, force: true });
  }
};
