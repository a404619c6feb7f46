import type { OpenedCall } from '../claims/calls.ts';
import { type Judgement, unproven } from '../claims/judgement.ts';
import { isPcmObject } from '../value.ts';

/** Takes a call that proves a suite and the git tree that the receiver acts on; returns in words that it ran on this tree, or why that is not so. */
export const onTree = ({ result }: OpenedCall, tree: string): string | Judgement => {
  const { git_tree: said = null } = result.data;
  const { before, after, none } = isPcmObject(said) ? said : {};
  if (typeof before !== 'string' || typeof after !== 'string')
    return unproven(
      'PCM_TREE_NONE',
      `the result does not say on which tree the suite ran${typeof none === 'string' ? `: ${none}` : ''}`,
    );
  if (before !== after)
    return unproven('PCM_TREE_CHANGED', `the tree was ${before} before the suite and ${after} after it`);
  return before === tree
    ? `the suite ran on the tree ${tree}`
    : unproven('PCM_TREE_OTHER', `the suite ran on the tree ${before}, and not on ${tree}`);
};
