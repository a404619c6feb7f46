const failed = (means: string, next: string) => ({ level: 'failed', means, next }) as const;
const unproven = (means: string, next: string) => ({ level: 'unproven', means, next }) as const;

const AGAIN = 'Ask the sender for fresh evidence of the call, and for the message right after.';
const ON_TREE = 'Ask for a run of the suite on the tree that you act on.';

/** The reasons of what a receiver asks beyond PCM 0.1 (docs/PCM-EXTENSIONS.md): no result has one without the option. */
export const EXTENSION_REASONS = {
  PCM_FRESH_NO_HEAD: unproven('The records of the run do not end at a head that the signer wrote.', AGAIN),
  PCM_FRESH_GAP: unproven('A record of the run between the call and the head is missing.', AGAIN),
  PCM_FRESH_OLD: unproven('The head is further from the clock of the receiver than it allows.', AGAIN),
  PCM_FRESH_UNTOLD: unproven(
    'A later call of the run may have undone what is claimed.',
    'Ask the sender to open its later calls, or to do again what it claims.',
  ),
  PCM_FRESH_LATER_RUN: failed('The same suite failed later in the run.', 'Do not take the suite as passed.'),
  PCM_FRESH_LATER_WRITE: failed(
    'The same file was written with other content later in the run.',
    'Do not take the file as the claimed one.',
  ),
  PCM_TREE_NONE: unproven('The result of the suite does not say on which git tree it ran.', ON_TREE),
  PCM_TREE_CHANGED: unproven('The git tree changed while the suite ran.', ON_TREE),
  PCM_TREE_OTHER: unproven('The suite ran on another git tree than the receiver acts on.', ON_TREE),
  PCM_TREE_UNCLAIMED: unproven('The receiver names a git tree, and no claim is of a suite.', ON_TREE),
  PCM_FILE_OTHER: unproven(
    'The file that the receiver acts on has other bytes than the claimed one.',
    'Do not act on the file as the claimed one.',
  ),
  PCM_FILE_UNCLAIMED: unproven(
    'The receiver names a file, and no claim is of its path.',
    'Name the path as the claim writes it, or ask for the claim.',
  ),
} as const;
