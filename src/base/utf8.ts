const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Takes a well-formed string; returns its UTF-8 bytes. */
export const encodeUtf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/**
 * Takes bytes; returns their text with a leading byte-order mark kept, or null when they are not valid UTF-8 (RFC 3629).
 * Throws RangeError when they are valid but longer than a string of this runtime can be.
 */
export const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return decoder.decode(bytes);
  } catch {
    if (firstInvalidUtf8(bytes) < bytes.length) return null;
    throw new RangeError(`${bytes.length} bytes of text are more than one string of this runtime can hold`);
  }
};

/** Takes a well-formed string; returns the number of bytes of its UTF-8. */
export const utf8Length = (text: string): number => {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // A surrogate pair is four bytes, so two for each half.
    length += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return length;
};

/** In every runtime that we support, and not yet in the declarations of its year. */
type Es2024String = { isWellFormed(): boolean };

/** Takes any string; false when a surrogate stands without its partner. */
export const isWellFormed = (text: string): boolean => (text as string & Es2024String).isWellFormed();

/** Takes valid UTF-8 and a limit in bytes; returns the longest beginning within the limit that ends between two code points. */
export const cutUtf8 = (bytes: Uint8Array, limit: number): Uint8Array => {
  if (bytes.length <= limit) return bytes;
  let end = limit;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
};

/** Takes bytes and where a code point above U+007F starts; returns the position after it, or −1 where it is ill-formed (Unicode table 3-7). */
export const sequenceEnd = (bytes: Uint8Array, at: number): number => {
  const lead = bytes[at]!;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const end = at + (lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
  if (end > bytes.length) return -1;
  const second = bytes[at + 1]!;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return -1;
  for (let k = at + 2; k < end; k++) if ((bytes[k]! & 0xc0) !== 0x80) return -1;
  return end;
};

/** Takes bytes; returns the offset where the first ill-formed sequence starts, or their length. */
export const firstInvalidUtf8 = (bytes: Uint8Array): number => {
  let i = 0;
  while (i < bytes.length) {
    if (bytes[i]! < 0x80) {
      i++;
      continue;
    }
    const end = sequenceEnd(bytes, i);
    if (end < 0) return i;
    i = end;
  }
  return bytes.length;
};
