import type { ByteSource } from '../base/byte-source.ts';
import type { JsonObject, JsonValue } from '../base/json-value.ts';
import { type ReadDocument, type RowTexts, readDocument } from '../base/read-canonical.ts';
import { requireFormat, requireObject } from '../base/read-document.ts';
import type { ReadOptions } from '../base/read-json.ts';
import { readPieces } from '../base/read-pieces.ts';
import { ok, type Result, refused } from '../base/result.ts';
import { BUNDLE_FORMAT } from '../evidence/bundle.ts';
import { RECEIPT_FORMAT } from '../seal/receipt.ts';

declare const parsed: unique symbol;
/** A bundle and a receipt that are restricted JSON of the right format; nothing else is known of them. */
export type Parsed = {
  readonly bundle: JsonObject;
  readonly receipt: JsonObject & { body: JsonObject };
  /** S(row) of the bundle's rows, where the file holds it as it is. */
  readonly texts: RowTexts;
  readonly [parsed]: true;
};

/**
 * Reads a bundle and its receipt (FORMAT.md sections 1 and 8a). The refusals have level `read`: the files could not be
 * checked, which says nothing of the evidence. Both files are read, so the faults of both are told.
 */
export const parse = (input: { readonly bundle: ByteSource; readonly receipt: Uint8Array }): Result<Parsed> => {
  const bundle = readBundle(input.bundle);
  const receipt = readDocument(input.receipt, { input: 'receipt', recordAttributes: false });
  if (!bundle.ok || !receipt.ok) return refused(...refusalsOf(bundle), ...refusalsOf(receipt));
  return parseValues(bundle.value.value, receipt.value.value, bundle.value.rows);
};

/** Reads a bundle; of one that is not in memory the rows are not either. */
export const readBundle = (source: ByteSource): Result<ReadDocument> => {
  const options: ReadOptions = { input: 'bundle', recordAttributes: true };
  if (source.whole !== null) return readDocument(source.whole, options);
  const read = readPieces(source, options);
  return read.ok ? ok({ value: read.value, rows: new Map() }) : read;
};

/** As `parse`, of values of the restricted model that are already in memory. */
export const parseValues = (
  bundleValue: JsonValue,
  receiptValue: JsonValue,
  texts: RowTexts = new Map(),
): Result<Parsed> => {
  const bundle = withFormat(bundleValue, BUNDLE_FORMAT, 'bundle', '');
  const receipt = requireObject(receiptValue, 'receipt', '');
  const body = receipt.ok ? withFormat(receipt.value.body, RECEIPT_FORMAT, 'receipt', '/body') : receipt;
  if (!bundle.ok || !receipt.ok || !body.ok) return refused(...refusalsOf(bundle), ...refusalsOf(body));
  return ok({ bundle: bundle.value, receipt: receipt.value, texts } as Parsed);
};

const withFormat = (value: JsonValue | undefined, format: string, input: string, pointer: string) => {
  const object = requireObject(value, input, pointer);
  return object.ok ? requireFormat(object.value, format, input, pointer) : object;
};

const refusalsOf = (result: Result<unknown>) => (result.ok ? [] : result.refusals);
