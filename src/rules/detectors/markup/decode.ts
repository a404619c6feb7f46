/** Bytes to text: byte-order mark, then the charset parameter, then UTF-8 (WHATWG Encoding 6, "decode"). */

export type Decoded =
  | { readonly ok: true; readonly text: string; readonly declared: boolean }
  | { readonly ok: false; readonly reason: string };

/** WHATWG Encoding 4.2, the labels of the encodings that are judged. US-ASCII and ISO-8859-1 are labels of windows-1252. */
const LABELS = {
  'utf-8': 'unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8',
  'utf-16le': 'csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le',
  'utf-16be': 'unicodefffe utf-16be',
  'windows-1252':
    'ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252',
} as const;
const ENCODING_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LABELS).flatMap(([encoding, labels]) => labels.split(' ').map((label) => [label, encoding] as const)),
);

/** The encoding a charset label names; null for one that is not judged. */
export const encodingOf = (label: string): string | null => ENCODING_OF.get(label.trim().toLowerCase()) ?? null;

const markedEncoding = (bytes: Uint8Array): { encoding: string; length: number } | null => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', length: 2 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', length: 2 };
  return null;
};

/**
 * The text a browser would read. `declared` is false where neither a mark nor `charset` named the encoding, so that a
 * declaration inside the markup would still count. Invalid sequences become U+FFFD, as a browser makes them.
 */
export const decodeText = (bytes: Uint8Array, charset: string | null): Decoded => {
  const mark = markedEncoding(bytes);
  const encoding = mark?.encoding ?? (charset === null ? 'utf-8' : encodingOf(charset));
  if (encoding === null) return { ok: false, reason: `no decoder for charset ${charset?.slice(0, 60)}` };
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(mark?.length ?? 0));
  return { ok: true, text, declared: mark !== null || charset !== null };
};
