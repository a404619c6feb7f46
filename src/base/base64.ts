const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PAD = 61;
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const SEXTETS = new Int16Array(128).fill(-1);
for (let i = 0; i < 64; i++) SEXTETS[CODES[i]!] = i;

/** Takes bytes; returns their RFC 4648 section 4 text, padded. */
export const encodeBase64 = (bytes: Uint8Array): string => {
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  for (let i = 0, o = 0; i < bytes.length; i += 3, o += 4) {
    const word = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    out[o] = CODES[word >> 18]!;
    out[o + 1] = CODES[(word >> 12) & 63]!;
    out[o + 2] = i + 1 < bytes.length ? CODES[(word >> 6) & 63]! : PAD;
    out[o + 3] = i + 2 < bytes.length ? CODES[word & 63]! : PAD;
  }
  return new TextDecoder().decode(out);
};

/** Takes text; returns its bytes, or null unless it is the one padded RFC 4648 section 4 text of them (unused bits zero, no white space). */
export const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const letters = text.length - padding;
  const bytes = new Uint8Array(Math.floor((letters * 3) / 4));
  let bits = 0;
  let held = 0;
  let o = 0;
  for (let i = 0; i < letters; i++) {
    const code = text.charCodeAt(i);
    const sextet = code < 128 ? SEXTETS[code]! : -1;
    if (sextet < 0) return null;
    bits = ((bits << 6) | sextet) & 0x3fff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[o++] = bits >> held;
    }
  }
  // Two texts that differ in unused bits alone would be two spellings of one signature.
  return (bits & ((1 << held) - 1)) === 0 ? bytes : null;
};
