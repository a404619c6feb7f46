import type { PcmObject } from '../../pcm/value.ts';
import type { Identity } from '../identity.ts';
import type { Signer } from '../signer.ts';

/** A call of the signer: takes who calls and with what; resolves to the answer, or rejects with Refused and has done nothing. */
export type Method = {
  /** It causes events, or is a pcm call: it counts against the caller's quota. */
  readonly counts: boolean;
  readonly call: (signer: Signer, caller: Identity, params: PcmObject) => Promise<PcmObject>;
};
