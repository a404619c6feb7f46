import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { readJson } from '../../src/base/read-json.ts';
import { BUNDLE_FORMAT, PROFILE_VERSION, type Records } from '../../src/evidence/bundle.ts';
import { deriveEdges } from '../../src/relate/derive.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { records } from './records.ts';

/** Bytes of a value as a file would hold them. */
export const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** The value as the strict reader gives it: null-prototype objects, nothing shared. Throws on what the reader refuses. */
export const asJson = (value: unknown): JsonValue => {
  const read = readJson(bytesOf(value), { input: 'test', recordAttributes: true });
  if (!read.ok) throw new Error(JSON.stringify(read.refusals));
  return read.value;
};

export const asObject = (value: unknown): JsonObject => asJson(value) as JsonObject;

/** A bundle of the given collections with the edges that derive from them. */
export const bundleOf = (collections: object): JsonObject => ({
  ...asObject({ format: BUNDLE_FORMAT, profile_version: PROFILE_VERSION, ...collections }),
  edges: asJson(deriveEdges(collections as Records, nativeCrypto)),
});

/** A small valid bundle that uses every collection and relation; the same at every call. */
export const buildBundle = (): JsonObject => bundleOf(records());
