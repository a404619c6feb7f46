import type { Crypto } from '../base/crypto.ts';
import { Float, type PcmValue } from './value.ts';

/** Takes a value that was read strictly; returns its RFC 8785 text. Recursion is as deep as the value, which the reader bounds. */
export const jcs = (value: PcmValue): string => {
  // ECMAScript prints −0 as 0 and every double as RFC 8785 section 3.2.2.3 asks.
  if (value instanceof Float) return String(value.value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  // The default order of sort is by UTF-16 code units, as RFC 8785 section 3.2.3 asks.
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${jcs(value[name]!)}`).join(',')}}`;
};

/** Takes two values; true when their JCS texts are the same: 12000.0 equals 12000, true differs from 1. */
export const equalInJcs = (a: PcmValue, b: PcmValue): boolean => jcs(a) === jcs(b);

/** Takes a value; returns `sha256:` and 64 lower-case hex digits, over its JCS text. */
export const jcsHash = (value: PcmValue, crypto: Crypto): string => `sha256:${crypto.sha256Hex(jcs(value))}`;
