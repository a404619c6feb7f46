import type { JsonObject } from '../../src/index.ts';

/** Who did it: an executor of a signer, or the agent's own process. */
export type Doer = 'executor' | 'agent';

export type Terms = {
  readonly subject: string;
  readonly intent: string;
  readonly expires_at: string;
  readonly delegable: boolean;
  readonly caveats: readonly { readonly field: string; readonly op: string; readonly value: unknown }[];
};

/**
 * Something that was done, seen by who did it or by who it was done to, and never by a verifier: the exit status that a runner gave, the bytes on the
 * disk, what the server saw, who answered, what was signed. `run` is the signer's id of the run, `at` the `run_seq` of the record that the signer
 * wrote of it, if it did.
 */
export type Act =
  | { did: 'ran'; by: Doer; run: string; suite: string; exit: number | null; tree: string; at?: number }
  | { did: 'reached'; by: Doer; run: string; host: string; status: number; at?: number }
  | { did: 'wrote'; by: Doer; run: string; path: string; digest: string; at?: number }
  | { did: 'spelled'; run: string; as: 'effect' | 'url'; spelled: string; at: number }
  | {
      did: 'answered';
      run: string;
      call: string;
      tool: string;
      args: JsonObject;
      answer: string;
      who: 'person' | 'agent' | 'self' | 'unmapped' | 'nobody';
      person: string | null;
      at: number;
    }
  | {
      did: 'granted';
      run: string;
      tenant: string;
      grant: string;
      parent: string | null;
      call: string | null;
      terms: Terms;
    }
  | { did: 'signed'; run: string; agent: string; text: string }
  | { did: 'delivered'; text: string; to: string };
