import { createHash } from 'node:crypto';

/** RFC 8785: names by UTF-16 code units, primitives as ECMAScript prints them. Takes a value as JSON.parse gives it. */
export const jcs = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${jcs(one)}`).join(',')}}`;
};

export const sha256 = (...pieces: readonly (Uint8Array | string)[]): Buffer =>
  pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest();

/** `sha256:…` of the canonical text of a value: how PCM names events, grants and schema documents. */
export const hashOf = (value: unknown): string => `sha256:${sha256(jcs(value)).toString('hex')}`;
