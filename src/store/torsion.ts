import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';
import { etc, Point } from '@noble/ed25519';

/** PKCS #8 and SubjectPublicKeyInfo of X25519 up to the 32 bytes (RFC 8410 sections 4 and 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const SPKI_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');

const littleEndianBytes = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();

/** A multiple of 8, −1 modulo L, and with its highest bit where X25519 sets it: clamping (RFC 7748 section 5) changes nothing. */
const SCALAR = 5n * Point.CURVE().n - 1n;
let scalarKey: KeyObject | undefined;

/**
 * Takes a point that is not of small order; true when it is of the group of prime order. Let it be Q + T, T its torsion component. X25519 gives the u-coordinate
 * of [5L − 1](Q + T) = −Q, which is that of Q; and Q + T has the same where T is zero, and nowhere else: points of one u are a point and its negative, and 2Q is of
 * order L. OpenSSL takes a sixth of the time that multiplying by L takes, without which a runtime that has no X25519 (FIPS) cannot do.
 */
export const isTorsionFree = (point: Point): boolean => {
  const { y } = point.toAffine();
  const u = littleEndianBytes(etc.mod((1n + y) * etc.invert(etc.mod(1n - y), Point.CURVE().p)));
  try {
    scalarKey ??= createPrivateKey({
      key: Buffer.concat([PKCS8_PREFIX, littleEndianBytes(SCALAR)]),
      format: 'der',
      type: 'pkcs8',
    });
    const publicKey = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, u]), format: 'der', type: 'spki' });
    return diffieHellman({ privateKey: scalarKey, publicKey }).equals(u);
  } catch {
    return point.isTorsionFree();
  }
};
