import { decodeBase64, encodeBase64 } from '../base/base64.ts';
import type { Crypto } from '../base/crypto.ts';
import { decodeUtf8, encodeUtf8, firstInvalidUtf8 } from '../base/utf8.ts';
import type { Body } from './fields.ts';

/** The largest limit a capture may set for kept bytes: their base64 stays below the reader's bound of a string (FORMAT section 8a). */
export const MAX_BODY_LIMIT = 12 * 1024 * 1024;

/**
 * Takes all bytes of a body (after content decoding and redaction) and the capture's limit in bytes; returns it as evidence, cut at a code-point
 * boundary when longer (FORMAT section 3). Throws RangeError on a limit over MAX_BODY_LIMIT.
 */
export const makeBody = (bytes: Uint8Array, limit: number, crypto: Crypto): Body => {
  if (limit > MAX_BODY_LIMIT) throw new RangeError(`a body limit of ${limit} bytes is over ${MAX_BODY_LIMIT}`);
  return makeBodyFromParts(bytes.subarray(0, limit), bytes.length, crypto.sha256Hex(bytes));
};

/**
 * The same for a body that came in pieces. Takes its first bytes (all of them, or as many as the limit allows), and length and SHA-256 (64 hex
 * digits) of all of it.
 */
export const makeBodyFromParts = (kept: Uint8Array, size: number, sha256: string): Body => {
  const whole = kept.length === size;
  const end = whole ? kept.length : codePointBoundary(kept);
  const text = decodeUtf8(kept.subarray(0, end));
  if (text === null) {
    return { text: encodeBase64(kept), encoding: 'base64', size, sha256, truncated: whole ? null : kept.length };
  }
  return { text, encoding: 'utf8', size, sha256, truncated: whole ? null : end };
};

/** Returns the kept bytes of a body; throws RangeError on base64 that checkBody refuses. */
export const bodyBytes = (body: Body): Uint8Array => {
  if (body.encoding === 'utf8') return encodeUtf8(body.text);
  const bytes = decodeBase64(body.text);
  if (bytes === null) throw new RangeError('a body whose base64 is not canonical');
  return bytes;
};

/** Takes a body of a bundle; returns null when it agrees with itself, else what does not, in words (FORMAT section 3). */
export const checkBody = (body: Body, crypto: Crypto): string | null => {
  const bytes = body.encoding === 'utf8' ? encodeUtf8(body.text) : decodeBase64(body.text);
  if (bytes === null) return 'its text is not canonical base64 (RFC 4648 section 4)';
  if (body.encoding === 'base64' && isKeptAsText(bytes, body.truncated !== null)) {
    return 'its bytes are valid UTF-8, so its encoding is utf8 and not base64';
  }
  const kept = bytes.length;
  if (body.truncated === null) {
    if (kept !== body.size) return `its size is stated as ${body.size} bytes and is ${kept}`;
    const sha256 = crypto.sha256Hex(bytes);
    return sha256 === body.sha256 ? null : `its sha256 is stated as ${body.sha256} and is ${sha256}`;
  }
  if (kept !== body.truncated) return `truncated states ${body.truncated} kept bytes and ${kept} are kept`;
  if (body.truncated >= body.size) return `it is marked as cut at ${body.truncated} of ${body.size} bytes`;
  return null;
};

const isKeptAsText = (bytes: Uint8Array, cut: boolean): boolean => {
  const end = cut ? codePointBoundary(bytes) : bytes.length;
  return firstInvalidUtf8(bytes.subarray(0, end)) === end;
};

/** The end of the bytes without the beginning of a sequence that a cut split (Unicode table 3-6). */
const codePointBoundary = (bytes: Uint8Array): number => {
  const end = firstInvalidUtf8(bytes);
  const lead = bytes[end];
  if (lead === undefined || lead < 0xc2 || lead > 0xf4) return bytes.length;
  const rest = bytes.subarray(end);
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const split = rest.length < length && rest.subarray(1).every((byte) => (byte & 0xc0) === 0x80);
  return split ? end : bytes.length;
};
