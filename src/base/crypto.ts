import type { KeyFault } from './ed25519-key.ts';

export type Sha256Stream = { update(bytes: Uint8Array): void; hex(): string };

/** The two primitives the format needs; one vector suite holds the native and the portable implementation to the same answers. */
export type Crypto = {
  readonly name: 'native' | 'portable';
  /** Takes bytes, or a well-formed string for its UTF-8; returns 64 lower-case hex digits (FIPS 180-4). */
  sha256Hex(data: Uint8Array | string): string;
  /** The same of bytes: puts the 32 bytes of the hash to a place. */
  sha256Into(data: Uint8Array, target: Uint8Array, at: number): void;
  /** SHA-256 of bytes that come in pieces. */
  sha256Stream(): Sha256Stream;
  /**
   * Takes 32 key bytes, the message and 64 signature bytes; true when S < L, A is in its canonical encoding and encode([S]B − [k]A) = R
   * byte for byte (FORMAT section 6: the cofactorless equation of RFC 8032 section 5.1.7). The order of A is checkPublicKey's to judge.
   */
  verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  /** Takes the bytes of a key from a trust store; returns 'ok' or what is wrong with it (FORMAT section 6). */
  checkPublicKey(publicKey: Uint8Array): 'ok' | KeyFault;
};
