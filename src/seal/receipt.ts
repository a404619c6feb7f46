import * as z from 'zod';
import { encodeBase64 } from '../base/base64.ts';
import { canonical } from '../base/canonical.ts';
import type { Crypto } from '../base/crypto.ts';
import { taggedBytes } from '../base/digest.ts';
import { isId } from '../base/grammar.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json-value.ts';
import { TAGS } from '../base/tags.ts';
import { Hex64, Id, Timestamp } from '../evidence/fields.ts';
import { type Commitment, commitBundle } from './commitments.ts';
import { commitmentsDigest } from './digests.ts';
import { merkleRoot } from './merkle.ts';

export const RECEIPT_FORMAT = 'a2aft.receipt.v3';
/** Longer lists of commitments are left out of a receipt unless asked for. */
const LISTED_COMMITMENTS = 100_000;

export const KeyId = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .meta({ title: 'sha256: and 64 hex digits' });

/** What is signed (FORMAT.md section 6). */
export const ReceiptBody = z.strictObject({
  format: z.literal(RECEIPT_FORMAT),
  incident_root: Hex64.describe('R_T'),
  capture_digest: Hex64.describe('C_T'),
  commitment_count: z.int().min(1).describe('records and edges'),
  commitments_digest: Hex64.nullable().describe('of the list of commitments; null when the receipt has none'),
  incident_id: Id.describe('as in TraceMetadata'),
  profile_id: Id.describe('as in TraceMetadata'),
  profile_digest: Hex64,
  families_digest: Hex64,
  settings_digest: Hex64,
  capture_backend: Id.describe('as in TraceMetadata'),
  signer_id: Id,
  key_id: KeyId,
  algorithm: z.literal('Ed25519'),
  issued_at: Timestamp.describe('when the signer says it signed: not before any observed_at'),
});
export type ReceiptBody = Readonly<z.infer<typeof ReceiptBody>>;

export type Receipt = {
  readonly body: ReceiptBody;
  /** 64 bytes in RFC 4648 section 4 base64. */
  readonly signature: string;
  /** Λ, present exactly when `commitments_digest` is not null. */
  readonly commitments?: readonly Commitment[];
};

/** Whoever holds the private key; `sign` returns the 64 bytes of an Ed25519 signature (RFC 8032 section 5.1.6). */
export type Signer = {
  readonly signer_id: string;
  readonly key_id: string;
  sign(message: Uint8Array): Uint8Array;
};

/** What a receipt states beside the bundle: digests of the documents in force, and the signer's clock. */
export type Statement = Pick<ReceiptBody, 'profile_digest' | 'families_digest' | 'settings_digest' | 'issued_at'> & {
  /** Whether to list the commitments; without it, up to LISTED_COMMITMENTS. */
  readonly listCommitments?: boolean;
};

/** The Ed25519 message of a receipt: `A2AFT.Receipt.v3` ‖ 0x00 ‖ S(body). */
export const receiptMessage = (body: JsonObject): Uint8Array => taggedBytes(TAGS.receipt, canonical(body));

const isIdText = (value: JsonValue | undefined): value is string => typeof value === 'string' && isId(value);

/**
 * Seals a bundle: commits it and has the receipt body signed (FORMAT.md sections 5 and 6). The bundle is taken as it
 * stands; whether it is well-formed is the verifier's question. Throws RangeError when its TraceMetadata does not name
 * incident, profile and capture backend by ids.
 */
export const sealBundle = (bundle: JsonObject, statement: Statement, signer: Signer, crypto: Crypto): Receipt => {
  const metadata = Array.isArray(bundle.trace_metadata) ? bundle.trace_metadata[0] : undefined;
  const { incident_id, profile_id, capture_backend } = isObject(metadata) ? metadata : {};
  if (!isIdText(incident_id) || !isIdText(profile_id) || !isIdText(capture_backend)) {
    throw new RangeError('a bundle whose TraceMetadata names no incident, profile and capture backend');
  }
  const { commitments, captureDigest } = commitBundle(bundle, crypto);
  const { listCommitments = commitments.length <= LISTED_COMMITMENTS, ...stated } = statement;
  const body: ReceiptBody = {
    format: RECEIPT_FORMAT,
    incident_root: merkleRoot(
      commitments.map(({ h }) => h),
      crypto,
    )!,
    capture_digest: captureDigest,
    commitment_count: commitments.length,
    commitments_digest: listCommitments ? commitmentsDigest(commitments, crypto) : null,
    incident_id,
    profile_id,
    capture_backend,
    signer_id: signer.signer_id,
    key_id: signer.key_id,
    algorithm: 'Ed25519',
    ...stated,
  };
  const signature = encodeBase64(signer.sign(receiptMessage(body)));
  return listCommitments ? { body, signature, commitments } : { body, signature };
};
