import { isHex } from './grammar.ts';

/** Takes bytes; returns two lower-case hex digits for each. */
export { bytesToHex } from '@noble/hashes/utils.js';

const nibble = (unit: number): number => (unit < 58 ? unit - 48 : unit - 87);

/** Takes lower-case hex digits, two for each byte; throws RangeError on anything else. */
export const hexToBytes = (hex: string): Uint8Array<ArrayBuffer> => {
  if (hex.length % 2 !== 0 || !isHex(hex, hex.length)) throw new RangeError('not lower-case hex digits in pairs');
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = nibble(hex.charCodeAt(2 * i)) * 16 + nibble(hex.charCodeAt(2 * i + 1));
  return bytes;
};
