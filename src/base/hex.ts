/** Takes bytes; returns two lower-case hex digits for each. */
export { bytesToHex } from '@noble/hashes/utils.js';

const NOT_HEX = 0x100;
/** The value of each unit that is a digit; of all others NOT_HEX. */
const NIBBLES = new Uint16Array(0x10000).fill(NOT_HEX);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) NIBBLES[digit.charCodeAt(0)] = value;

/** Takes lower-case hex digits, two for each byte, and where to write their bytes; throws RangeError on anything else. */
export const writeHex = (hex: string, target: Uint8Array, offset: number): void => {
  let seen = hex.length % 2 === 0 ? 0 : NOT_HEX;
  let to = offset;
  for (let at = 0; at < hex.length; at += 2) {
    const high = NIBBLES[hex.charCodeAt(at)]!;
    const low = NIBBLES[hex.charCodeAt(at + 1)]!;
    seen |= high | low;
    target[to++] = 16 * high + low;
  }
  if (seen >= NOT_HEX) throw new RangeError('not lower-case hex digits in pairs');
};
