import type { PcmObject } from '../../pcm/value.ts';

/** What came of an action: what the log says of it, which is neither args nor output, and what the agent is told. */
export type Outcome = { readonly ok: boolean; readonly seen: PcmObject; readonly told: PcmObject };

/** Something that the signer's side does for an agent, so that its result is not the agent's word. */
export type Action = {
  /** Takes the args of a call; returns what does it, or throws Refused when it does not take such args. Nothing is done before that is called. */
  readonly prepare: (args: PcmObject) => () => Promise<Outcome>;
  /** Ends what is still running: the signer that would write its result down goes. */
  readonly end?: () => void;
};
