// What strings of S(x) say: the characters between their quotes.
import { byteAt, wordAt } from './text';

/** What one letter after a backslash stands for (RFC 8259 section 7); a quote, a backslash and a solidus for themselves. */
function meant(letter: u32): u32 {
  switch (letter) {
    case 0x62:
      return 8;
    case 0x66:
      return 12;
    case 0x6e:
      return 10;
    case 0x72:
      return 13;
    case 0x74:
      return 9;
    default:
      return letter;
  }
}

/** Takes where the text of a string starts and ends, without its quotes; writes what it says to `out`, and returns how many bytes that are. */
export function said(from: u32, to: u32, out: u32): u32 {
  let at = from;
  let end = out;
  while (at < to) {
    const word = wordAt(at);
    const other = word ^ 0x5c5c5c5c;
    if (at + 4 <= to && ((other - 0x01010101) & ~other & 0x80808080) === 0) {
      store<u32>(end, word, 0, 1);
      at += 4;
      end += 4;
      continue;
    }
    let byte = byteAt(at++);
    if (byte === 0x5c) {
      byte = byteAt(at++);
      if (byte !== 0x75) byte = meant(byte);
      else {
        // Of \u00XX the digits are lower-case, and stand for a control.
        const low = byteAt(at + 3);
        byte = 16 * (byteAt(at + 2) - 0x30) + (low <= 0x39 ? low - 0x30 : low - 0x57);
        at += 4;
      }
    }
    store<u8>(end++, byte);
  }
  return end - out;
}
