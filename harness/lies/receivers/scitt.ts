import { isIncluded, isSignedRoot, pinnedLogs, readCheckpoint, type SignedRoot } from './checkpoint.ts';
import { jcs, sha256 } from './jcs.ts';
import { isSignedJws, type Jws, signJws } from './jws.ts';
import { keyOf } from './keys.ts';
import type { Model } from './receiver.ts';
import { readSent } from './sent.ts';

/** A signed statement with the receipt that is shown for it. */
type Transparent = {
  /** What was registered: the 32 bytes of the event's hash, which are the entry of the log. */
  readonly entry: Buffer;
  readonly index: number;
  readonly path: readonly Buffer[];
  readonly tree: SignedRoot | null;
  /** The issuer's own signature over the statement, which the sender makes. */
  readonly statement: Jws;
};
type Presented = readonly Transparent[] | null;

const every = (holds: (one: Transparent) => boolean) => (presented: Presented) => (presented ?? []).every(holds);

/**
 * SCITT transparent statements with COSE receipts. Present: each record of the message's evidence is a signed statement, its entry the hash of the
 * event; its receipt is the inclusion proof that came with it and the root that the log signed (the C2SP checkpoint stands for the COSE_Sign1 of
 * the root: same key, same tree of RFC 9162, another byte layout). The sender signs the statement itself, and cannot make a receipt. A claim
 * without records shows no statement. No rule ties a statement to what a message says, to a run, or to who did what.
 *
 * Checks: readable (RFC 8259), receipt (RFC 9943 draft, Transparent Statements: one is there and can be read), service (Validation: the key of a
 * receipt's issuer is trusted; COSE receipts, Receipt of Inclusion, second step: it signed the root), inclusion (the same, first step; RFC 9162
 * section 2.1.3.2), statement (Validation: the issuer's signature, which MAY be checked again).
 */
export const scitt: Model<Presented> = {
  name: 'SCITT receipts',
  source: 'draft-ietf-scitt-architecture (RFC 9943) and draft-ietf-cose-merkle-tree-proofs (RFC 9942)',
  present: (message, { sender }) => {
    const sent = readSent(message);
    if (sent === null) return null;
    return sent.claims.flatMap(({ checkpoint, records }) =>
      records.map(({ event, proof }) => ({
        entry: sha256(jcs(event)),
        index: event.seq,
        path: proof.map((step) => Buffer.from(step, 'base64')),
        tree: readCheckpoint(checkpoint),
        statement: signJws(jcs(event), { iss: sender }, keyOf('agent', sender)),
      })),
    );
  },
  rules: [
    {
      id: 'scitt-readable',
      section: 'RFC 8259',
      text: 'The message can be read.',
      holds: (presented) => presented !== null,
    },
    {
      id: 'scitt-receipt',
      section: 'RFC 9943, Transparent Statements; Issuer Participation',
      text: 'Every statement that is shown has a receipt.',
      holds: every(({ tree }) => tree !== null),
    },
    {
      id: 'scitt-service',
      section: 'RFC 9943, Validation; RFC 9942, Receipt of Inclusion',
      text: 'A transparency service that the receiver trusts signed the root.',
      holds: (presented, { trust }) => {
        const logs = pinnedLogs(trust);
        return every(({ tree }) => tree !== null && isSignedRoot(tree, logs))(presented);
      },
    },
    {
      id: 'scitt-inclusion',
      section: 'RFC 9942, Receipt of Inclusion; RFC 9162 2.1.3.2',
      text: 'The proof leads from the statement to that root.',
      holds: every(({ entry, index, path, tree }) => tree !== null && isIncluded(entry, index, path, tree)),
    },
    {
      id: 'scitt-statement',
      section: 'RFC 9943, Validation',
      text: "The issuer's signature over the statement verifies.",
      holds: (presented, { sender }) =>
        every(({ statement }) => isSignedJws(statement, keyOf('agent', sender)))(presented),
    },
  ],
};
