import { literalAt, plainStringEnd, scanNumber, scanString, skipSpace } from './json-scan.ts';

/** Containers nested beyond this are unparsable: no A2A message needs them, and recursion stays far from the stack's end. */
export const MAX_WIRE_DEPTH = 512;

/** Offsets are UTF-16 positions in the text: `start` of the first character of the token, `end` after its last. */
type Span = { readonly start: number; readonly end: number };
export type WireMember = { readonly name: string; readonly value: WireNode };

/** A value of somebody else's JSON text: every member kept, repeated names too, and every number as its token. */
export type WireNode = Span &
  (
    | { readonly kind: 'object'; readonly members: readonly WireMember[] }
    | { readonly kind: 'array'; readonly items: readonly WireNode[] }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'number'; readonly token: string }
    | { readonly kind: 'true' | 'false' | 'null' }
  );

class WireParser {
  private at: number;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  document(): WireNode | null {
    this.space();
    const node = this.value(1);
    this.space();
    return this.at < this.text.length ? null : node;
  }

  private space(): void {
    this.at = skipSpace(this.text, this.at);
  }

  /** Takes the next character when it is this one. */
  private take(unit: number): boolean {
    if (this.text.charCodeAt(this.at) !== unit) return false;
    this.at++;
    return true;
  }

  /** Recursion is bounded by MAX_WIRE_DEPTH. */
  private value(depth: number): WireNode | null {
    const { text, at: start } = this;
    const unit = text.charCodeAt(start);
    if (unit === 0x22) return this.string();
    if (unit === 0x7b || unit === 0x5b) {
      if (depth > MAX_WIRE_DEPTH) return null;
      this.at++;
      return unit === 0x7b ? this.object(start, depth) : this.array(start, depth);
    }
    if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) {
      const end = scanNumber(text, start);
      if (end < 0) return null;
      this.at = end;
      return { kind: 'number', token: text.slice(start, end), start, end };
    }
    const kind = literalAt(text, start);
    if (kind === null) return null;
    this.at = start + kind.length;
    return { kind, start, end: this.at };
  }

  private string(): (WireNode & { readonly kind: 'string' }) | null {
    const { text, at: start } = this;
    const plain = plainStringEnd(text, start);
    const end = plain < 0 ? scanString(text, start) : plain;
    if (end < 0) return null;
    this.at = end;
    const value = plain < 0 ? (JSON.parse(text.slice(start, end)) as string) : text.slice(start + 1, end - 1);
    return { kind: 'string', value, start, end };
  }

  private object(start: number, depth: number): WireNode | null {
    const members: WireMember[] = [];
    this.space();
    if (this.take(0x7d)) return { kind: 'object', members, start, end: this.at };
    for (;;) {
      const name = this.text.charCodeAt(this.at) === 0x22 ? this.string() : null;
      if (name === null) return null;
      this.space();
      if (!this.take(0x3a)) return null;
      this.space();
      const value = this.value(depth + 1);
      if (value === null) return null;
      members.push({ name: name.value, value });
      this.space();
      if (this.take(0x7d)) return { kind: 'object', members, start, end: this.at };
      if (!this.take(0x2c)) return null;
      this.space();
    }
  }

  private array(start: number, depth: number): WireNode | null {
    const items: WireNode[] = [];
    this.space();
    if (this.take(0x5d)) return { kind: 'array', items, start, end: this.at };
    for (;;) {
      const item = this.value(depth + 1);
      if (item === null) return null;
      items.push(item);
      this.space();
      if (this.take(0x5d)) return { kind: 'array', items, start, end: this.at };
      if (!this.take(0x2c)) return null;
      this.space();
    }
  }
}

/**
 * Takes the text of a message body or card as it was received (FORMAT section 3), a leading byte-order mark is skipped; returns its tree, or
 * null when it is not JSON (RFC 8259) or nested deeper than MAX_WIRE_DEPTH.
 */
export const parseWire = (text: string): WireNode | null => new WireParser(text).document();
