import { MAX_DEPTH, MAX_STRING_BYTES } from './bounds.ts';
import { sequenceEnd } from './utf8.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** So many digits are an integer of the model whatever they are. */
const SAFE_DIGITS = 15;

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (unit) => unit.charCodeAt(0));
const NULL = bytesOf('null');
const TRUE = bytesOf('true');
const FALSE = bytesOf('false');
const ATTRIBUTES = bytesOf('"attributes"');
/** The highest bit of each of four bytes. */
const HIGH_BITS = 0x80808080 | 0;
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);
/** What RFC 8785 section 3.2.2.2 escapes by one letter, and the controls that these letters stand for. */
const IS_SHORT_ESCAPE = new Uint8Array(256);
for (const letter of bytesOf('"\\bfnrt')) IS_SHORT_ESCAPE[letter] = 1;
const SHORT_CONTROLS = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

const hexDigit = (byte: number | undefined): number =>
  byte === undefined
    ? -1
    : byte >= ZERO && byte <= NINE
      ? byte - ZERO
      : byte >= 0x61 && byte <= 0x66
        ? byte - 0x57
        : -1;

/** What the names of an object are, and what they lead to: `record` may have attributes, and these have free names. */
type Place = 'record' | 'attributes' | 'other';

/**
 * Recognises values that are written as S(x) would write them (RFC 8785, restricted model of FORMAT section 1): such bytes are their own
 * canonical text, and the strict reader would accept them. It may say no to what is canonical all the same (an integer of sixteen digits, a name of
 * attributes beyond ASCII); never yes to what is not, bytes that are no UTF-8 included.
 */
export class CanonicalScan {
  /** Values met so far: lists, objects, strings, numbers, literals. */
  values = 0;
  readonly bytes: Uint8Array;
  private readonly words: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Takes where a value starts and how deep it stands; returns the position after it, or −1. Recursion is bounded by MAX_DEPTH. */
  value(at: number, depth: number, place: Place = 'other'): number {
    this.values++;
    const byte = this.bytes[at];
    if (byte === QUOTE) return this.string(at);
    if (byte === 0x7b) return depth > MAX_DEPTH ? -1 : this.object(at, depth, place);
    if (byte === 0x5b) return depth > MAX_DEPTH ? -1 : this.array(at, depth);
    if (byte === MINUS || (byte !== undefined && byte >= ZERO && byte <= NINE)) return this.integer(at);
    const literal = byte === 0x6e ? NULL : byte === 0x74 ? TRUE : FALSE;
    return this.stands(literal, at) ? at + literal.length : -1;
  }

  /** Whether these bytes stand at a position. */
  stands(text: Uint8Array, at: number): boolean {
    for (let i = 0; i < text.length; i++) if (this.bytes[at + i] !== text[i]) return false;
    return true;
  }

  /** Takes the position of an opening quote; returns the position after the closing one, or −1. */
  string(start: number): number {
    const { bytes } = this;
    for (let at = start + 1; ; ) {
      at = this.plainEnd(at);
      const byte = bytes[at];
      if (byte === QUOTE) return at - start > MAX_STRING_BYTES ? -1 : at + 1;
      if (byte === undefined || byte < 0x20) return -1;
      if (byte !== BACKSLASH) at = sequenceEnd(bytes, at);
      else at = IS_SHORT_ESCAPE[bytes[at + 1]!] === 1 ? at + 2 : this.controlEnd(at + 1);
      if (at < 0) return -1;
    }
  }

  /** Where the characters end that stand for themselves in one byte each: four of them are tried at once. */
  private plainEnd(from: number): number {
    const { bytes, words } = this;
    const last = bytes.length - 4;
    let at = from;
    for (; at <= last; at += 4) {
      const word = words.getInt32(at, true);
      const control = word - 0x20202020;
      const quote = (word ^ 0x22222222) - 0x01010101;
      const backslash = (word ^ 0x5c5c5c5c) - 0x01010101;
      // A byte that is below 0x20, a quote, a backslash, or not ASCII sets its highest bit in one of the four.
      if (((word | control | quote | backslash) & HIGH_BITS) !== 0) break;
    }
    while (IS_PLAIN[bytes[at]!] === 1) at++;
    return at;
  }

  /** Takes the position after a backslash; returns that after the escape of a control which no letter stands for, or −1. */
  private controlEnd(at: number): number {
    const { bytes } = this;
    const high = hexDigit(bytes[at + 3]);
    const low = hexDigit(bytes[at + 4]);
    if (bytes[at] !== LETTER_U || bytes[at + 1] !== ZERO || bytes[at + 2] !== ZERO) return -1;
    if ((high !== 0 && high !== 1) || low < 0) return -1;
    return SHORT_CONTROLS.has(high * 16 + low) ? -1 : at + 5;
  }

  /** Takes the position of a digit or a minus; returns the position after an integer of the model, or −1. */
  integer(start: number): number {
    const { bytes } = this;
    const first = bytes[start] === MINUS ? start + 1 : start;
    let end = first;
    for (;;) {
      const byte = bytes[end];
      if (byte === undefined || byte < ZERO || byte > NINE) break;
      end++;
    }
    const digits = end - first;
    if (digits === 0 || digits > SAFE_DIGITS) return -1;
    return bytes[first] === ZERO && (digits > 1 || first > start) ? -1 : end;
  }

  private object(start: number, depth: number, place: Place): number {
    const { bytes } = this;
    let at = start + 1;
    if (bytes[at] === 0x7d) return at + 1;
    let before = -1;
    for (;;) {
      const name = at;
      at = place === 'attributes' ? this.freeName(name) : this.memberName(name);
      if (at < 0 || bytes[at] !== COLON || (before >= 0 && !this.inOrder(before, name))) return -1;
      before = name;
      at++;
      if (place === 'attributes' && bytes[at] !== QUOTE) return -1;
      at = this.value(at, depth + 1, place === 'record' && this.stands(ATTRIBUTES, name) ? 'attributes' : 'other');
      if (at < 0) return -1;
      const mark = bytes[at++];
      if (mark === 0x7d) return at;
      if (mark !== COMMA) return -1;
    }
  }

  private array(start: number, depth: number): number {
    const { bytes } = this;
    let at = start + 1;
    if (bytes[at] === 0x5d) return at + 1;
    for (;;) {
      at = this.value(at, depth + 1);
      if (at < 0) return -1;
      const mark = bytes[at++];
      if (mark === 0x5d) return at;
      if (mark !== COMMA) return -1;
    }
  }

  /** A quoted name of the grammar [a-z][a-z0-9_]*. */
  memberName(start: number): number {
    const { bytes } = this;
    const first = bytes[start + 1];
    if (bytes[start] !== QUOTE || first === undefined || first < 0x61 || first > 0x7a) return -1;
    for (let i = start + 2; ; i++) {
      const byte = bytes[i];
      if (byte === QUOTE) return i + 1;
      const inGrammar =
        byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= ZERO && byte <= NINE) || byte === 0x5f);
      if (!inGrammar) return -1;
    }
  }

  /** A quoted name of attributes, of ASCII without escapes. */
  freeName(start: number): number {
    const { bytes } = this;
    if (bytes[start] !== QUOTE) return -1;
    for (let i = start + 1; ; i++) {
      const byte = bytes[i];
      if (byte === QUOTE) return i + 1;
      if (byte === undefined || byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return -1;
    }
  }

  /** Whether one quoted name stands before another in the order of RFC 8785; equal names do not. The bytes of ASCII are its UTF-16 units. */
  inOrder(before: number, name: number): boolean {
    const { bytes } = this;
    for (let i = 1; ; i++) {
      const one = bytes[before + i]!;
      const other = bytes[name + i]!;
      // A name that ends is the shorter one: only one of two that differ can end here.
      if (one === QUOTE) return other !== QUOTE;
      if (other === QUOTE || one > other) return false;
      if (one < other) return true;
    }
  }
}
