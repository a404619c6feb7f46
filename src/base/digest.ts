import { writeCanonical } from './canonical.ts';
import type { Crypto } from './crypto.ts';
import type { JsonValue } from './json-value.ts';
import type { DigestTag, Domain, DomainOf, Tag } from './tags.ts';
import { encodeUtf8 } from './utf8.ts';

declare const domain: unique symbol;
/** 64 lower-case hex digits that were hashed under the tag of one domain. */
export type Digest<D extends Domain> = string & { readonly [domain]: D };

/** A part of z: bytes, or text for its UTF-8. */
export type Part = Uint8Array | string;

/** Takes a tag and the parts of z; returns UTF-8(tag) ‖ 0x00 ‖ z (FORMAT section 2). */
export const taggedBytes = (tag: Tag, ...parts: readonly Part[]): Uint8Array<ArrayBuffer> => {
  const pieces = [`${tag}\0`, ...parts].map((part) => (typeof part === 'string' ? encodeUtf8(part) : part));
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    whole.set(piece, end);
    end += piece.length;
  }
  return whole;
};

/** Takes a tag and the parts of z; returns D(tag, z) of FORMAT section 2. */
export const digest = <T extends DigestTag>(crypto: Crypto, tag: T, ...parts: readonly Part[]): Digest<DomainOf<T>> => {
  const only = parts[0];
  // The runtime hashes a string without a copy of its bytes; a million records are hashed this way.
  const data = parts.length === 1 && typeof only === 'string' ? `${tag}\0${only}` : taggedBytes(tag, ...parts);
  return crypto.sha256Hex(data) as Digest<DomainOf<T>>;
};

/** Takes a tag and a value; returns D(tag, S(value)) without ever holding S(value), which may be longer than a string can be. */
export const digestValue = <T extends DigestTag>(crypto: Crypto, tag: T, value: JsonValue): Digest<DomainOf<T>> => {
  const stream = crypto.sha256Stream();
  stream.update(taggedBytes(tag));
  writeCanonical(value, (piece) => stream.update(encodeUtf8(piece)));
  return stream.hex() as Digest<DomainOf<T>>;
};
