import { existsSync, rmSync } from 'node:fs';
import type { Crypto } from '../base/crypto.ts';
import { isId } from '../base/grammar.ts';
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
 * Throws JournalError, and what `sealInto` throws.
 */
export const finalize = ({ journal, derive, ...sealing }: Sealing): Sealed =>
  sealInto(assemble(readJournal(journal, sealing.crypto), derive, sealing.crypto), sealing);

/**
 * Seals an assembled bundle and writes it and its receipt, both or neither. The receipt comes last: a bundle without one proves
 * nothing, a receipt without its bundle looks like a loss. Throws RangeError for a signer id outside the grammar of FORMAT.md
 * section 3, what the signer throws, and EnvironmentFault.
 */
export const sealInto = (
  bundle: Bundle,
  { statement, signer, clock, crypto, ...paths }: Omit<Sealing, 'journal' | 'derive'>,
): Sealed => {
  const now = new Date(clock()).toISOString();
  const { ended_at } = bundle.trace_metadata[0]!;
  // A clock that was set back must not make a receipt older than its evidence (FORMAT.md section 6).
  const stated = { ...statement, issued_at: [now, ended_at].sort().at(-1)! };
  const by = signer();
  if (!isId(by.signer_id)) throw new RangeError('a signer id is 1..128 of [A-Za-z0-9._:-]');
  const receipt = sealBundle(bundle as unknown as JsonObject, stated, by, crypto);
  const isNew = !existsSync(paths.bundle);
  writeWhole(paths.bundle, bundleText(bundle));
  try {
    writeWhole(paths.receipt, receiptText(receipt));
  } catch (error) {
    if (isNew) rmSync(paths.bundle, { force: true });
    throw error;
  }
  return { bundle, receipt };
};
