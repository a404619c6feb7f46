import type { Crypto } from '../base/crypto.ts';
import type { PcmObject } from '../pcm/value.ts';
import type { VerifierKey } from '../pcm/vkey.ts';
import type { Book } from './book.ts';
import type { SignerConfig } from './config.ts';
import type { Action } from './executor/action.ts';
import type { Log } from './log/types.ts';
import type { SigningKey } from './log-key.ts';
import type { Quota } from './quota.ts';
import type { Salts } from './salts.ts';
import type { HeldToken } from './tokens.ts';

/** A run that its agent lets another process read and report for, until a time in milliseconds since 1970. */
export type RunToken = { readonly token: HeldToken; readonly until: number };

/** All that the calls of a signer work with. */
export type Signer = {
  readonly config: SignerConfig;
  readonly log: Log;
  readonly book: Book;
  readonly signing: SigningKey;
  /** The same key, as a receiver has it. */
  readonly verifier: VerifierKey;
  readonly salts: Salts;
  readonly quota: Quota;
  readonly actions: ReadonlyMap<string, Action>;
  /** The args of calls that wait for an answer, by approval, so that a person can see them: in memory alone. */
  readonly shown: Map<string, PcmObject>;
  /** By run, one for each, in memory alone: with the signer's process they end. */
  readonly runTokens: Map<string, RunToken>;
  readonly crypto: Crypto;
};
