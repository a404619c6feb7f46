import type { Json, JsonMembers, JsonValue } from './json-value.ts';
import { isWellFormed } from './utf8.ts';

const quoted = (text: string): string => {
  const token = JSON.stringify(text);
  // A lone surrogate is printed as an escape, so a token without escapes is well formed.
  if (token.length !== text.length + 2 && !isWellFormed(text))
    throw new RangeError('unpaired surrogate in a committed string');
  return token;
};

const FLUSH_AT = 1 << 16;

/** Takes a value; returns the text of a number of a model, or null for any other value. Throws RangeError on a number outside the model. */
type NumberText = (node: unknown) => string | null;

const integerText: NumberText = (node) => {
  if (typeof node !== 'number') return null;
  if (!Number.isSafeInteger(node)) throw new RangeError('a committed number is not an integer of the model');
  return String(node);
};

/**
 * Takes a value whose numbers `numberText` writes; hands its RFC 8785 text to `write` in pieces of bounded size, in order, none of which parts a
 * surrogate pair. Throws RangeError on a number or a string outside the model. Recursion is as deep as the value, which its reader bounds.
 */
const writeModel = <N>(value: Json<N>, numberText: NumberText, write: (piece: string) => void): void => {
  let held = '';
  const put = (node: Json<N>): void => {
    const number = numberText(node);
    if (number !== null) held += number;
    else if (typeof node === 'string') held += quoted(node);
    else if (node === null || typeof node === 'boolean') held += String(node);
    else if (Array.isArray(node)) {
      held += '[';
      for (let i = 0; i < node.length; i++) {
        if (i > 0) held += ',';
        put(node[i]!);
      }
      held += ']';
    } else {
      held += '{';
      let first = true;
      // The default order of sort is by UTF-16 code units, as RFC 8785 section 3.2.3 asks.
      const members = node as JsonMembers<N>;
      for (const name of Object.keys(members).sort()) {
        held += first ? `${quoted(name)}:` : `,${quoted(name)}:`;
        first = false;
        put(members[name]!);
      }
      held += '}';
    }
    if (held.length >= FLUSH_AT) {
      write(held);
      held = '';
    }
  };
  put(value);
  if (held !== '') write(held);
};

/** Takes a value of the restricted model; as `writeModel`. */
export const writeCanonical = (value: JsonValue, write: (piece: string) => void): void =>
  writeModel(value, integerText, write);

/** Takes a value whose numbers `numberText` writes; returns its RFC 8785 text. Throws as `writeModel`. */
export const canonicalModel = <N>(value: Json<N>, numberText: NumberText): string => {
  let text = '';
  writeModel(value, numberText, (piece) => {
    text += piece;
  });
  return text;
};

/**
 * Whether the runtime prints a value as RFC 8785 does: every member after those that sort before it, and every number an integer of the
 * model. What a reader made of canonical text stands so.
 */
const standsCanonical = (node: JsonValue): boolean => {
  if (typeof node === 'number') return Number.isSafeInteger(node);
  if (typeof node !== 'object' || node === null) return true;
  if (Array.isArray(node)) return node.every(standsCanonical);
  let before: string | null = null;
  for (const name in node) {
    if ((before !== null && name <= before) || !standsCanonical(node[name]!)) return false;
    before = name;
  }
  return true;
};

/** The beginning of the escape that a lone surrogate is printed as; of other texts a few contain it too. */
const SURROGATE = '\\ud';

/** Takes a value of the restricted model; returns its RFC 8785 (JCS) text, S(x) of FORMAT section 1. Throws as writeCanonical. */
export const canonical = (value: JsonValue): string => {
  if (typeof value === 'string') return quoted(value);
  if (standsCanonical(value)) {
    const printed = JSON.stringify(value);
    if (!printed.includes(SURROGATE)) return printed;
  }
  return canonicalModel(value, integerText);
};
