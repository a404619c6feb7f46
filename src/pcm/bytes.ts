import type { Crypto } from '../base/crypto.ts';
import { bytesToHex, writeHex } from '../base/hex.ts';

/** Takes an even number of lower-case hex digits; returns their bytes. */
export const hexToBytes = (hex: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(hex.length / 2);
  writeHex(hex, bytes, 0);
  return bytes;
};

const concat = (...pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    whole.set(piece, end);
    end += piece.length;
  }
  return whole;
};

/** SHA-256 of bytes, as 32 bytes. */
export const sha256 = (crypto: Crypto, ...pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  hexToBytes(crypto.sha256Hex(concat(...pieces)));

export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

export { bytesToHex };
