import type { ClassName } from './dataset.ts';

export type Scope = 'claim' | 'evidence' | 'authority' | 'delivery' | 'encoding' | 'message';
export type ClassInfo = {
  readonly title: string;
  /** What of a message the lie is in; null of those that are true. */
  readonly scope: Scope | null;
  /** How many of which part, as the pre-registration has it. */
  readonly parts: Readonly<Record<string, number>>;
};

/** The classes of PREREGISTRATION.md, in its order. */
export const CLASSES: Readonly<Record<ClassName, ClassInfo>> = {
  L1: { title: 'fabricated event', scope: 'evidence', parts: { tests: 14, hosts: 12, files: 12, approvals: 10 } },
  L2: { title: 'edited record', scope: 'evidence', parts: { event: 36, args: 12, proof: 12 } },
  L3: { title: 'records of another run', scope: 'evidence', parts: { tests: 14, hosts: 12, files: 12, approvals: 10 } },
  L4: { title: 'records of another log', scope: 'evidence', parts: { unpinned: 26, pinned: 14 } },
  L5: { title: 'true records, false claim', scope: 'claim', parts: { tests: 26, hosts: 22, files: 24 } },
  L6: {
    title: 'forged or stripped signature',
    scope: 'message',
    parts: { forged: 20, stripped: 10, altered: 14, key: 6 },
  },
  L7: { title: 'replay', scope: 'delivery', parts: { same: 20, other: 10, window: 10, restart: 10 } },
  L8: { title: 'T1 dressed as T2', scope: 'evidence', parts: { data: 20, event: 10, tool: 10 } },
  L9: { title: 'attempt told as a success', scope: 'claim', parts: { tests: 14, hosts: 20, files: 10 } },
  L10: { title: 'stale evidence', scope: 'claim', parts: { T: 10, F: 10 } },
  L11: { title: 'no evidence', scope: 'claim', parts: { tests: 10, hosts: 8, files: 8, approvals: 6 } },
  L12: { title: 'approval of another call', scope: 'authority', parts: { covers: 26, without: 14 } },
  L13: {
    title: 'no person approved',
    scope: 'authority',
    parts: { agent: 8, self: 8, refusal: 8, timeout: 8, unmapped: 8 },
  },
  L14: { title: 'widened grant', scope: 'authority', parts: { root: 20, child: 24 } },
  L15: { title: 'expired or misdirected grant', scope: 'authority', parts: { expired: 10, other: 24 } },
  L16: { title: 'encodings', scope: 'encoding', parts: { raw: 25, spellings: 25 } },
  honest: {
    title: 'honest',
    scope: null,
    parts: { tests: 20, hosts: 16, files: 14, covers: 8, approvals: 12, grants: 13 },
  },
  T1: { title: 'true, on T1 alone', scope: null, parts: { tests: 24, hosts: 24, files: 24 } },
  neutral: { title: 'neutral', scope: null, parts: { silent: 20, bare: 15, untold: 12, late: 12 } },
};
export const NAMES = Object.keys(CLASSES) as ClassName[];
