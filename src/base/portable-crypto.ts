import { Point } from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Crypto } from './crypto.ts';
import { decodePoint, isCheckable, littleEndian, publicKeyCheck } from './ed25519-key.ts';
import { encodeUtf8 } from './utf8.ts';

const verifyEd25519: Crypto['verifyEd25519'] = (publicKey, message, signature) => {
  if (!isCheckable(publicKey, signature)) return false;
  const key = decodePoint(publicKey);
  if (key === null) return false;
  const r = signature.subarray(0, 32);
  const hashed = sha512.create().update(r).update(publicKey).update(message).digest();
  // OpenSSL and Go reduce k modulo L before [k]A; with a torsion component in A that is another point than [k]A unreduced.
  const k = littleEndian(hashed) % Point.CURVE().n;
  const s = littleEndian(signature.subarray(32));
  const expected = Point.BASE.multiplyUnsafe(s).subtract(key.multiplyUnsafe(k)).toBytes();
  return expected.every((byte, i) => byte === r[i]);
};

/** SHA-256 and Ed25519 without the runtime's own cryptography. */
export const portableCrypto: Crypto = {
  name: 'portable',
  sha256Hex: (data) => bytesToHex(sha256(typeof data === 'string' ? encodeUtf8(data) : data)),
  sha256Into: (data, target, at) => target.set(sha256(data), at),
  sha256Stream: () => {
    const hash = sha256.create();
    return { update: (bytes) => void hash.update(bytes), hex: () => bytesToHex(hash.digest()) };
  },
  verifyEd25519,
  checkPublicKey: publicKeyCheck((point) => point.isTorsionFree()),
};
