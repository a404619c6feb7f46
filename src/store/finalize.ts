import type { Crypto } from '../base/crypto.ts';
import type { JsonObject } from '../base/json-value.ts';
import type { Bundle } from '../evidence/bundle.ts';
import { type Receipt, type Signer, type Statement, sealBundle } from '../seal/receipt.ts';
import { assemble, type DeriveEdges } from './assemble.ts';
import { bundleText, receiptText, writeWhole } from './files.ts';
import { readJournal } from './journal.ts';

/** Where the evidence goes, who signs it, and what the receipt states beside it. */
export type Sealing = {
  readonly journal: string;
  readonly bundle: string;
  readonly receipt: string;
  /** Called only when the bundle is assembled: no private key is in memory while a capture runs. */
  readonly signer: () => Signer;
  readonly statement: Omit<Statement, 'issued_at'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly derive: DeriveEdges;
  readonly crypto: Crypto;
};

export type Sealed = { readonly bundle: Bundle; readonly receipt: Receipt };

/**
 * Turns the journal of an ended capture, or of one that was killed, into a bundle and its receipt, and writes both.
 * The receipt comes last: a bundle without one proves nothing, a receipt without its bundle looks like a loss.
 * Throws JournalError, what the signer throws, and what the file system throws.
 */
export const finalize = ({ journal, statement, signer, derive, clock, crypto, ...paths }: Sealing): Sealed => {
  const bundle = assemble(readJournal(journal, crypto), derive, crypto);
  writeWhole(paths.bundle, bundleText(bundle));
  const now = new Date(clock()).toISOString();
  const { ended_at } = bundle.trace_metadata[0]!;
  // A clock that was set back must not make a receipt older than its evidence (FORMAT.md section 6).
  const stated = { ...statement, issued_at: [now, ended_at].sort().at(-1)! };
  const receipt = sealBundle(bundle as unknown as JsonObject, stated, signer(), crypto);
  writeWhole(paths.receipt, receiptText(receipt));
  return { bundle, receipt };
};
