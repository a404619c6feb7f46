/** Takes bytes; returns two lower-case hex digits for each. */
export { bytesToHex } from '@noble/hashes/utils.js';

const NOT_HEX = 0xff;
const NIBBLES = new Uint8Array(128).fill(NOT_HEX);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) NIBBLES[digit.charCodeAt(0)] = value;

const nibble = (unit: number): number => NIBBLES[unit] ?? NOT_HEX;

/** Takes lower-case hex digits, two for each byte, and where to write their bytes; throws RangeError on anything else. */
export const writeHex = (hex: string, target: Uint8Array, offset: number): void => {
  if (hex.length % 2 !== 0) throw new RangeError('not lower-case hex digits in pairs');
  for (let at = 0; at < hex.length; at += 2) {
    const high = nibble(hex.charCodeAt(at));
    const low = nibble(hex.charCodeAt(at + 1));
    if (high === NOT_HEX || low === NOT_HEX) throw new RangeError('not lower-case hex digits in pairs');
    target[offset + at / 2] = high * 16 + low;
  }
};
