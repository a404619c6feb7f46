import type { JsonModel } from '../base/json-model.ts';
import { readModel } from '../base/read-json.ts';
import { accepted, finding, type PcmResult, refusedBy } from './finding.ts';
import { PCM_LIMITS } from './limits.ts';
import type { PcmReason } from './reasons.ts';
import { Float, type PcmValue } from './value.ts';

/** What a reader of strict JSON is told besides the bytes: which text it is, and how long it may be. */
export type ReadBounds = { readonly what: string; readonly maxBytes: number };

const INTEGER = /^-?\d+$/;

/** A token keeps its kind: an integer within ±(2^53 − 1), or a double that does not overflow. The integer token -0 is 0. */
const numberOf = (token: string): number | Float | undefined => {
  const value = Number(token);
  if (INTEGER.test(token)) return Number.isSafeInteger(value) ? value + 0 : undefined;
  return Number.isFinite(value) ? new Float(value) : undefined;
};

/** Bounded by the bytes of a text alone, but for its depth. */
const MODEL: JsonModel<number | Float> = {
  number: numberOf,
  numbers: 'an integer within 2^53 - 1 or a finite double',
  isName: () => true,
  depth: PCM_LIMITS.depth,
  stringBytes: Number.MAX_SAFE_INTEGER,
  items: Number.MAX_SAFE_INTEGER,
  values: Number.MAX_SAFE_INTEGER,
};

/** What the reader refuses, in the words of PCM; anything else is no JSON. */
const REASONS: Readonly<Record<string, PcmReason>> = {
  READ_INVALID_UTF8: 'PCM_READ_UTF8',
  READ_BYTE_ORDER_MARK: 'PCM_READ_BYTE_ORDER_MARK',
  READ_DUPLICATE_NAME: 'PCM_READ_DUPLICATE',
  READ_UNPAIRED_SURROGATE: 'PCM_READ_SURROGATE',
  READ_NUMBER_OUTSIDE_MODEL: 'PCM_READ_NUMBER',
  READ_TOO_DEEP: 'PCM_READ_DEPTH',
};

/** What is a fault of the whole text. */
const FAULTS: Partial<Record<PcmReason, string>> = {
  PCM_READ_UTF8: 'is not UTF-8',
  PCM_READ_BYTE_ORDER_MARK: 'begins with a byte order mark',
  PCM_READ_SYNTAX: 'is not JSON',
};

/**
 * Takes bytes of a stranger; returns their value, each number with the kind of its token, or why they are refused before any check: not UTF-8,
 * not RFC 8259, a byte order mark, a repeated name, half a surrogate pair, an integer token beyond 2^53 − 1, a number that overflows, too deep or too
 * long (docs/PCM.md section 2).
 */
export const readStrict = (bytes: Uint8Array, { what, maxBytes }: ReadBounds): PcmResult<PcmValue> => {
  if (bytes.length > maxBytes)
    return refusedBy(finding('PCM_READ_TOO_LONG', '', `the ${what} is longer than ${maxBytes} bytes`));
  const read = readModel(bytes, MODEL, { input: what, recordAttributes: false });
  if (read.ok) return accepted(read.value);
  const { reason, at, detail } = read.refusals[0]!;
  const found = REASONS[reason] ?? 'PCM_READ_SYNTAX';
  const fault = FAULTS[found];
  return refusedBy(finding(found, at.pointer ?? '', fault === undefined ? detail : `the ${what} ${fault}: ${detail}`));
};
