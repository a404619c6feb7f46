import { ByteBuffer } from './byte-buffer.ts';
import { writeCanonical } from './canonical.ts';
import type { Crypto, Sha256Stream } from './crypto.ts';
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

const FLUSH_AT = 1 << 16;

/** D(tag, z) of a z that is written in pieces: bytes, or text that ends between two characters. No more than a piece of it is held. */
export class DigestedText<T extends DigestTag> {
  private readonly crypto: Crypto;
  private readonly held: ByteBuffer;
  /** Of what is held no more. */
  private stream: Sha256Stream | null = null;

  /** Takes memory to use again where there is some. */
  constructor(tag: T, crypto: Crypto, held = new ByteBuffer()) {
    this.crypto = crypto;
    this.held = held.clear().append(`${tag}\0`);
  }

  write(piece: Part): void {
    if (this.held.append(piece).length >= FLUSH_AT) this.flush();
  }

  /** Takes a character of ASCII. */
  writeByte(byte: number): void {
    this.held.appendByte(byte);
  }

  digest(): Digest<DomainOf<T>> {
    if (this.stream === null) return this.crypto.sha256Hex(this.held.view()) as Digest<DomainOf<T>>;
    return this.flush().hex() as Digest<DomainOf<T>>;
  }

  private flush(): Sha256Stream {
    this.stream ??= this.crypto.sha256Stream();
    this.stream.update(this.held.view());
    this.held.clear();
    return this.stream;
  }
}

/** Takes a tag and a value; returns D(tag, S(value)) without ever holding S(value), which may be longer than a string can be. */
export const digestValue = <T extends DigestTag>(crypto: Crypto, tag: T, value: JsonValue): Digest<DomainOf<T>> => {
  const text = new DigestedText(tag, crypto);
  writeCanonical(value, (piece) => text.write(piece));
  return text.digest();
};
