import type { PcmObject } from '../../pcm/value.ts';
import type { Outcome } from './action.ts';
import { type TreeReading, treeOf, workTreeOf } from './git-tree.ts';

const NO_REPOSITORY: TreeReading = { none: 'no git repository' };

const read = async (work: string | null): Promise<TreeReading> => (work === null ? NO_REPOSITORY : treeOf(work));

/** What the log says: the tree `before` and `after`, or `none`, with the reason. */
const recordOf = (before: TreeReading, after: TreeReading): PcmObject => {
  if ('none' in before) return { none: before.none };
  return 'none' in after ? { none: after.none } : { before: before.tree, after: after.tree };
};

const whyOf = (...readings: readonly TreeReading[]): PcmObject =>
  readings.flatMap((one) => ('why' in one && one.why !== undefined ? [{ git_why: one.why }] : []))[0] ?? {};

/** Takes a folder and what runs a suite in it; resolves to its outcome, with the git tree before and after in what the log says of it. */
export const onTree = async (folder: string, go: () => Promise<Outcome>): Promise<Outcome> => {
  const work = workTreeOf(folder);
  const before = await read(work);
  const { ok, seen, told } = await go();
  const after = await read(work);
  const git_tree = recordOf(before, after);
  return { ok, seen: { ...seen, git_tree }, told: { ...told, git_tree, ...whyOf(before, after) } };
};
