import { decodeUtf8, isWellFormed } from '../base/utf8.ts';
import { parseWire, type WireNode } from '../base/wire-json.ts';
import { escapePointer, type Finding, finding, type PcmResult, refusedBy } from './finding.ts';
import { PCM_LIMITS } from './limits.ts';
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

const numberOf = (token: string, at: string): number | Float => {
  const value = Number(token);
  if (INTEGER.test(token)) {
    if (Number.isSafeInteger(value)) return value + 0;
    throw new Refused(finding('PCM_READ_NUMBER', at, 'an integer beyond 2^53 - 1'));
  }
  if (Number.isFinite(value)) return new Float(value);
  throw new Refused(finding('PCM_READ_NUMBER', at, 'a number beyond the largest double'));
};

const textOf = (text: string, at: string): string => {
  if (isWellFormed(text)) return text;
  throw new Refused(finding('PCM_READ_SURROGATE', at, 'an escape names half a surrogate pair'));
};

/** Recursion is bounded by the depth of PCM_LIMITS. */
const convert = (node: WireNode, at: string, depth: number): PcmValue => {
  switch (node.kind) {
    case 'string':
      return textOf(node.value, at);
    case 'number':
      return numberOf(node.token, at);
    case 'null':
      return null;
    case 'true':
    case 'false':
      return node.kind === 'true';
  }
  if (depth > PCM_LIMITS.depth)
    throw new Refused(finding('PCM_READ_DEPTH', '', `nested deeper than ${PCM_LIMITS.depth}`));
  if (node.kind === 'array') return node.items.map((item, i) => convert(item, `${at}/${i}`, depth + 1));
  const members = Object.setPrototypeOf({}, null) as PcmObject;
  for (const member of node.members) {
    const name = textOf(member.name, at);
    const place = `${at}/${escapePointer(name)}`;
    if (name in members)
      throw new Refused(finding('PCM_READ_DUPLICATE', place, 'a member of this name is already there'));
    members[name] = convert(member.value, place, depth + 1);
  }
  return members;
};

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
  return convert(node, '', 1);
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
