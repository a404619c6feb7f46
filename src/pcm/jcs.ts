import { canonicalModel } from '../base/canonical.ts';
import type { Crypto } from '../base/crypto.ts';
import { Float, type PcmValue } from './value.ts';

/** ECMAScript prints −0 as 0 and every double as RFC 8785 section 3.2.2.3 asks. */
const numberText = (node: unknown): string | null =>
  node instanceof Float ? String(node.value) : typeof node === 'number' ? String(node) : null;

/** Takes a value that was read strictly; returns its RFC 8785 text. */
export const jcs = (value: PcmValue): string => canonicalModel(value, numberText);

/** Takes two values; true when their JCS texts are the same: 12000.0 equals 12000, true differs from 1. */
export const equalInJcs = (a: PcmValue, b: PcmValue): boolean => jcs(a) === jcs(b);

/** Takes a value; returns `sha256:` and 64 lower-case hex digits, over its JCS text. */
export const jcsHash = (value: PcmValue, crypto: Crypto): string => `sha256:${crypto.sha256Hex(jcs(value))}`;
