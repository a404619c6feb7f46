import { createHash, createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import type { Crypto } from '../base/crypto.ts';
import { isCheckable, publicKeyCheck } from '../base/ed25519-key.ts';
import { portableCrypto } from '../base/portable-crypto.ts';
import { isTorsionFree } from './torsion.ts';

/** SubjectPublicKeyInfo of Ed25519 up to the 32 key bytes (RFC 8410 section 4). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Making a key object costs more than the signature that is checked with it, and many receipts are of one key. */
const KEYS_KEPT = 256;
const keys = new Map<string, KeyObject>();

const keyOf = (publicKey: Uint8Array): KeyObject => {
  const raw = Buffer.from(publicKey);
  const name = raw.toString('latin1');
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' });
  if (keys.size === KEYS_KEPT) keys.clear();
  keys.set(name, key);
  return key;
};

/**
 * Newer OpenSSL (that of Node 24) refuses points of small order where the equation of FORMAT.md section 6 holds, older does
 * not. A verdict must not depend on it: what OpenSSL accepts is accepted, what it refuses is put to the equation itself.
 */
const verifyEd25519: Crypto['verifyEd25519'] = (publicKey, message, signature) => {
  if (!isCheckable(publicKey, signature)) return false;
  return (
    verify(null, message, keyOf(publicKey), signature) || portableCrypto.verifyEd25519(publicKey, message, signature)
  );
};

/** Each unit of a text as one byte to a place; the declarations of Node leave it out. */
const { latin1Write } = Buffer.prototype as unknown as {
  readonly latin1Write: (this: Uint8Array, text: string, at: number) => number;
};

/** SHA-256 and Ed25519 of OpenSSL. */
export const nativeCrypto: Crypto = {
  name: 'native',
  sha256Hex: (data) => hash('sha256', data, 'hex'),
  // A text for the bytes of a hash is made in half the time of a buffer.
  sha256Into: (data, target, at) => void latin1Write.call(target, hash('sha256', data, 'binary'), at),
  sha256Stream: () => {
    const stream = createHash('sha256');
    return { update: (bytes) => void stream.update(bytes), hex: () => stream.digest('hex') };
  },
  verifyEd25519,
  checkPublicKey: publicKeyCheck(isTorsionFree),
};
