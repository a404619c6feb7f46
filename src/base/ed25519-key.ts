import { Point } from '@noble/ed25519';

/** Why 32 bytes may not be trusted as an Ed25519 key, in the order in which they are judged (FORMAT section 6). */
export const KEY_FAULTS = ['wrong_length', 'non_canonical', 'not_on_curve', 'small_order', 'not_torsion_free'] as const;
export type KeyFault = (typeof KEY_FAULTS)[number];

/** L, the order of the base point (RFC 8032 section 5.1), and p = 2^255 − 19. */
const { n: GROUP_ORDER, p: FIELD_PRIME } = Point.CURVE();

/** Takes up to 64 bytes; returns the integer they encode in little-endian order. */
export const littleEndian = (bytes: Uint8Array): bigint => {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]!);
  return value;
};

/** True when 32 bytes are the one encoding of their point: y < p, and no sign bit where x = 0 (RFC 8032 section 5.1.3). */
const isCanonicalPoint = (bytes: Uint8Array): boolean => {
  const encoded = littleEndian(bytes);
  const y = encoded & ((1n << 255n) - 1n);
  const signed = encoded !== y;
  return y < FIELD_PRIME && !(signed && (y === 1n || y === FIELD_PRIME - 1n));
};

/** Takes a key and a signature; true when lengths, the encoding of A, and S < L let the equation be asked at all. */
export const isCheckable = (publicKey: Uint8Array, signature: Uint8Array): boolean =>
  publicKey.length === 32 &&
  signature.length === 64 &&
  isCanonicalPoint(publicKey) &&
  littleEndian(signature.subarray(32)) < GROUP_ORDER;

/** Takes 32 bytes; returns the point they encode, or null when they encode none. */
export const decodePoint = (bytes: Uint8Array): Point | null => {
  try {
    return Point.fromBytes(bytes);
  } catch {
    return null;
  }
};

/**
 * Takes how a point not of small order is asked whether it is of the group of prime order; returns `checkPublicKey` of Crypto. A key of small order signs every
 * message; a torsion component lets verifiers disagree.
 */
export const publicKeyCheck =
  (isTorsionFree: (point: Point) => boolean) =>
  (publicKey: Uint8Array): 'ok' | KeyFault => {
    if (publicKey.length !== 32) return 'wrong_length';
    if (!isCanonicalPoint(publicKey)) return 'non_canonical';
    const point = decodePoint(publicKey);
    if (point === null) return 'not_on_curve';
    if (point.isSmallOrder()) return 'small_order';
    return isTorsionFree(point) ? 'ok' : 'not_torsion_free';
  };
