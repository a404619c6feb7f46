import { decodeUtf8, isWellFormed } from '../base/utf8.ts';
import { parseWire, type WireMember, type WireNode } from '../base/wire-json.ts';
import { escapePointer, type Finding, finding, type PcmResult, refusedBy } from './finding.ts';
import { PCM_LIMITS } from './limits.ts';
import type { PcmReason } from './reasons.ts';
import { Float, type PcmObject, type PcmValue } from './value.ts';

/** What a reader of strict JSON is told besides the bytes: which text it is, and how long it may be. */
export type ReadBounds = { readonly what: string; readonly maxBytes: number };

const INTEGER = /^-?\d+$/;

/** A refusal on its way out of the recursion; never leaves this page. */
class Refused extends Error {
  readonly finding: Finding;

  constructor(found: Finding) {
    super(found.detail);
    this.finding = found;
  }
}

/** Turns the lenient tree of wire text into a value, or refuses it where the tree may be read in two ways. */
class Converter {
  /** Where the node stands: kept once, since a pointer for each of a million nodes would outweigh them. */
  private readonly path: (string | number)[] = [];

  /** Recursion is bounded by the depth of PCM_LIMITS. */
  convert(node: WireNode, depth: number): PcmValue {
    switch (node.kind) {
      case 'string':
        return this.text(node.value);
      case 'number':
        return this.number(node.token);
      case 'null':
        return null;
      case 'true':
      case 'false':
        return node.kind === 'true';
    }
    if (depth > PCM_LIMITS.depth)
      throw new Refused(finding('PCM_READ_DEPTH', '', `nested deeper than ${PCM_LIMITS.depth}`));
    return node.kind === 'array' ? this.array(node.items, depth) : this.object(node.members, depth);
  }

  private refuse(reason: PcmReason, detail: string): Refused {
    return new Refused(finding(reason, this.path.map((step) => `/${escapePointer(String(step))}`).join(''), detail));
  }

  private text(text: string): string {
    if (isWellFormed(text)) return text;
    throw this.refuse('PCM_READ_SURROGATE', 'an escape names half a surrogate pair');
  }

  private number(token: string): number | Float {
    const value = Number(token);
    if (INTEGER.test(token)) {
      // The integer token -0 is 0.
      if (Number.isSafeInteger(value)) return value + 0;
      throw this.refuse('PCM_READ_NUMBER', 'an integer beyond 2^53 - 1');
    }
    if (Number.isFinite(value)) return new Float(value);
    throw this.refuse('PCM_READ_NUMBER', 'a number beyond the largest double');
  }

  private inside(step: string | number, node: WireNode, depth: number): PcmValue {
    this.path.push(step);
    const value = this.convert(node, depth + 1);
    this.path.pop();
    return value;
  }

  private array(items: readonly WireNode[], depth: number): PcmValue[] {
    return items.map((item, i) => this.inside(i, item, depth));
  }

  private object(nodes: readonly WireMember[], depth: number): PcmObject {
    const members = Object.setPrototypeOf({}, null) as PcmObject;
    for (const { name, value } of nodes) {
      this.text(name);
      if (name in members) {
        this.path.push(name);
        throw this.refuse('PCM_READ_DUPLICATE', 'a member of this name is already there');
      }
      members[name] = this.inside(name, value, depth);
    }
    return members;
  }
}

const read = (bytes: Uint8Array, { what, maxBytes }: ReadBounds): PcmValue => {
  if (bytes.length > maxBytes)
    throw new Refused(finding('PCM_READ_TOO_LONG', '', `the ${what} is longer than ${maxBytes} bytes`));
  const text = decodeUtf8(bytes);
  if (text === null) throw new Refused(finding('PCM_READ_UTF8', '', `the ${what} is not UTF-8`));
  if (text.startsWith('\ufeff'))
    throw new Refused(finding('PCM_READ_BYTE_ORDER_MARK', '', `the ${what} begins with a byte order mark`));
  const node = parseWire(text);
  if (node === null)
    throw new Refused(finding('PCM_READ_SYNTAX', '', `the ${what} is not JSON, or nested beyond reading`));
  return new Converter().convert(node, 1);
};

/**
 * Takes bytes of a stranger; returns their value, each number with the kind of its token, or why they are refused before any check: not UTF-8,
 * not RFC 8259, a byte order mark, a repeated name, half a surrogate pair, an integer token beyond 2^53 − 1, a number that overflows, too deep or too
 * long (docs/PCM.md section 2).
 */
export const readStrict = (bytes: Uint8Array, bounds: ReadBounds): PcmResult<PcmValue> => {
  try {
    return { ok: true, value: read(bytes, bounds) };
  } catch (error) {
    if (error instanceof Refused) return refusedBy(error.finding);
    throw error;
  }
};
