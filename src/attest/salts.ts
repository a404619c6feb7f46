import { createHmac } from 'node:crypto';
import type { Crypto } from '../base/crypto.ts';
import { commitmentOf } from '../pcm/commitment.ts';
import type { PcmObject } from '../pcm/value.ts';

/**
 * The salts of decisions, each made from a secret of the signer and the decision's id: none is written down, all are known after a restart, and
 * one that is shown says nothing of another.
 */
export class Salts {
  private readonly secret: Uint8Array;
  private readonly crypto: Crypto;

  constructor(secret: Uint8Array, crypto: Crypto) {
    this.secret = secret;
    this.crypto = crypto;
  }

  /** The salt of a decision: 64 hex digits. */
  of(decisionId: string): string {
    return createHmac('sha256', this.secret).update(`pcm.salt.v1\n${decisionId}`).digest('hex');
  }

  /** The commitment of a decision to its tool and args, which stands in the log in their place. */
  commit(decisionId: string, tool: string, args: PcmObject): string {
    return commitmentOf(tool, args, this.of(decisionId), this.crypto);
  }
}
