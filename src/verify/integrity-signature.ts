import * as z from 'zod';
import { decodeBase64 } from '../base/base64.ts';
import type { Crypto } from '../base/crypto.ts';
import { isHex } from '../base/grammar.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json-value.ts';
import type { Reason } from '../base/reasons.ts';
import { ok, type Refusal, type Result, refused } from '../base/result.ts';
import { LISTS } from '../seal/commitments.ts';
import { judgeKey } from '../seal/judge-key.ts';
import { type Receipt, ReceiptBody, receiptMessage } from '../seal/receipt.ts';
import { type FaultKind, faultsOf, pointerOf } from '../seal/schema-faults.ts';
import type { TrustedKey, TrustStore } from '../seal/trust.ts';
import { Refusals } from './refusals.ts';

const ReceiptForm = z.strictObject({
  body: ReceiptBody,
  signature: z.string(),
  commitments: z.custom(Array.isArray, 'not a list').optional(),
});

const MEMBER_REASONS = {
  missing: 'RECEIPT_MEMBER_MISSING',
  unknown: 'RECEIPT_MEMBER_UNKNOWN',
  type: 'RECEIPT_MEMBER_WRONG',
  value: 'RECEIPT_MEMBER_WRONG',
} as const satisfies Record<FaultKind, Reason>;

const refuse = (reason: Reason, pointer: string, detail: string): Refusal => ({
  reason,
  at: { input: 'receipt', pointer },
  detail,
});

/**
 * Step signature: the receipt's form, the key under the trust store, the expected incident, and Ed25519 over the body
 * (FORMAT.md sections 6, 7 and 8a). Returns the receipt and the key that signed it.
 */
export const checkSignature = (
  receipt: JsonObject,
  trust: TrustStore,
  expectedIncident: string | null,
  crypto: Crypto,
): Result<{ readonly receipt: Receipt; readonly key: TrustedKey }> => {
  const signature = typeof receipt.signature === 'string' ? decodeBase64(receipt.signature) : null;
  const form = formRefusals(receipt, signature);
  if (form.length > 0) return refused(...form);
  const { body } = receipt as unknown as Receipt;
  const judged = judgeKey(trust, body);
  const refusals = judged.ok ? [] : [...judged.refusals];
  if (expectedIncident !== null && body.incident_id !== expectedIncident) {
    const detail = `expected ${expectedIncident}, the receipt is for ${body.incident_id}`;
    refusals.push(refuse('INCIDENT_NOT_EXPECTED', '/body/incident_id', detail));
  }
  // Tried under a refused key too: whether its holder signed this is worth knowing.
  const key = trust.keys.get(body.key_id);
  const message = receiptMessage(receipt.body as JsonObject);
  if (key !== undefined && !crypto.verifyEd25519(key.publicKey, message, signature!)) {
    refusals.push(refuse('SIGNATURE_INVALID', '/signature', `not a signature of this body by ${body.key_id}`));
  }
  if (!judged.ok || refusals.length > 0) return refused(...refusals);
  return ok({ receipt: receipt as unknown as Receipt, key: judged.value });
};

const formRefusals = (receipt: JsonObject, signatureBytes: Uint8Array | null): readonly Refusal[] => {
  const refusals = new Refusals();
  for (const { kind, path, detail } of faultsOf(ReceiptForm, receipt)) {
    refusals.add(refuse(MEMBER_REASONS[kind], pointerOf(path), detail));
  }
  const { body, signature, commitments } = receipt;
  if (typeof signature === 'string' && signatureBytes?.length !== 64) {
    refusals.add(refuse('SIGNATURE_ENCODING', '/signature', 'not the padded base64 of 64 bytes'));
  }
  const isListed = (body as JsonObject).commitments_digest !== null;
  if (isListed !== (commitments !== undefined)) {
    const detail = isListed ? 'commitments_digest is given, the list is not' : 'a list without commitments_digest';
    refusals.add(refuse('COMMITMENTS_PRESENCE', '/commitments', detail));
  }
  for (const [at, entry] of Array.isArray(commitments) ? commitments.entries() : []) {
    if (!isCommitment(entry)) {
      refusals.add(refuse('COMMITMENT_MALFORMED', `/commitments/${at}`, 'an entry is exactly c, i and h'));
    }
  }
  return refusals.all();
};

/** An i of null or outside the id grammar is a true commitment to a bad row; the row is refused two steps later. */
const isCommitment = (entry: JsonValue): boolean =>
  isObject(entry) &&
  Object.keys(entry).length === 3 &&
  (LISTS as readonly (JsonValue | undefined)[]).includes(entry.c) &&
  (entry.i === null || typeof entry.i === 'string') &&
  typeof entry.h === 'string' &&
  isHex(entry.h, 64);
