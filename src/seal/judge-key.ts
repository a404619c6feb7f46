import type { Reason } from '../base/reasons.ts';
import { ok, type Result, refused } from '../base/result.ts';
import type { ReceiptBody } from './receipt.ts';
import type { TrustedKey, TrustStore } from './trust.ts';

/**
 * Judges whether the store trusts the signer and key that a receipt names, at the time it names (FORMAT.md section 7).
 * Returns the key, or the one reason why not. A receipt's key is looked up, never read from the receipt.
 */
export const judgeKey = (trust: TrustStore, body: ReceiptBody): Result<TrustedKey> => {
  const refuse = (reason: Reason, member: keyof ReceiptBody, detail: string) =>
    refused({ reason, at: { input: 'receipt', pointer: `/body/${member}` }, detail });
  const { signer_id, key_id, issued_at } = body;
  if (!trust.signers.has(signer_id)) return refuse('KEY_SIGNER_UNKNOWN', 'signer_id', `signer ${signer_id}`);
  const key = trust.keys.get(key_id);
  if (key === undefined) return refuse('KEY_UNKNOWN', 'key_id', `key ${key_id}`);
  if (key.signer_id !== signer_id) {
    return refuse('KEY_OF_ANOTHER_SIGNER', 'key_id', `the key is ${key.signer_id}'s, the receipt says ${signer_id}`);
  }
  // A thief writes any issued_at, so no date saves a receipt of a stolen key.
  if (key.revocation_reason === 'compromise') {
    return refuse('KEY_REVOKED_COMPROMISE', 'key_id', `revoked at ${key.revoked_at} for compromise`);
  }
  if (issued_at < key.valid_from) {
    return refuse('KEY_NOT_YET_VALID', 'issued_at', `issued at ${issued_at}, valid from ${key.valid_from}`);
  }
  if (key.revoked_at !== undefined && issued_at >= key.revoked_at) {
    const reason = key.revocation_reason === 'superseded' ? 'KEY_REVOKED_SUPERSEDED' : 'KEY_REVOKED_CESSATION';
    return refuse(reason, 'issued_at', `issued at ${issued_at}, revoked at ${key.revoked_at}`);
  }
  if (key.valid_until !== undefined && issued_at >= key.valid_until) {
    const reason = key.status === 'retired' ? 'KEY_RETIRED' : 'KEY_EXPIRED';
    return refuse(reason, 'issued_at', `issued at ${issued_at}, valid until ${key.valid_until}`);
  }
  return ok(key);
};
