import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';

/** What a compressed body may grow to: beyond, it is kept as it came. */
const MAX_DECODED = 64 * 1024 * 1024;

const options: ZlibOptions = { maxOutputLength: MAX_DECODED };
const deflate = (bytes: Uint8Array): Uint8Array => {
  try {
    return inflateSync(bytes, options);
  } catch {
    // Some servers send the raw form, which every client accepts.
    return inflateRawSync(bytes, options);
  }
};
const DECODERS: ReadonlyMap<string, (bytes: Uint8Array) => Uint8Array> = new Map([
  ['gzip', (bytes: Uint8Array) => gunzipSync(bytes, options)],
  ['x-gzip', (bytes: Uint8Array) => gunzipSync(bytes, options)],
  ['deflate', deflate],
  ['br', (bytes: Uint8Array) => brotliDecompressSync(bytes, options)],
]);

/** The content codings of a message (RFC 9110 section 8.4), in the order in which they were applied; none when it has none. */
export const codingsOf = (headers: Iterable<readonly [string, string]>): readonly string[] =>
  [...headers]
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');

/** Undoes the codings; null when one is not known, or the body is not what it says. */
export const decodeContent = (bytes: Uint8Array, codings: readonly string[]): Uint8Array | null => {
  try {
    let decoded: Uint8Array | null = bytes;
    for (const coding of [...codings].reverse())
      decoded = decoded === null ? null : (DECODERS.get(coding)?.(decoded) ?? null);
    return decoded;
  } catch {
    return null;
  }
};
