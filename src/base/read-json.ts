import { type JsonModel, RESTRICTED } from './json-model.ts';
import { type Failure, JsonReader } from './json-reader.ts';
import type { Json, JsonValue } from './json-value.ts';
import { ok, type Refusal, type Result, refused } from './result.ts';
import { decodeUtf8, firstInvalidUtf8, utf8Length } from './utf8.ts';

export type ReadOptions = {
  /** Which file the bytes are, as a refusal names it. */
  readonly input: string;
  /** True for a bundle: a record's own `attributes` then has free names and string values. */
  readonly recordAttributes: boolean;
};

/** The refusal of a text for a failure at that byte of its file. */
export const refuseText = ({ reason, pointer, detail }: Failure, offset: number, input: string): Refusal => ({
  reason,
  at: { input, pointer, offset },
  detail,
});

/** The refusal of bytes that start with a byte-order mark; null where they do not. */
export const refuseByteOrderMark = (bytes: Uint8Array, input: string): Refusal | null =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    ? refuseText({ reason: 'READ_BYTE_ORDER_MARK', position: 0, pointer: '', detail: 'EF BB BF' }, 0, input)
    : null;

/** The refusal of a byte that begins no UTF-8 sequence. The value that was being read when the valid part ended is the one that holds it. */
export const refuseInvalidUtf8 = (byte: number, offset: number, before: Failure | null, input: string): Refusal => {
  const pointer = before?.reason === 'READ_TRUNCATED' ? before.pointer : '';
  const detail = `byte ${byte.toString(16).padStart(2, '0').toUpperCase()} begins no UTF-8 sequence`;
  return refuseText({ reason: 'READ_INVALID_UTF8', position: 0, pointer, detail }, offset, input);
};

/**
 * Takes bytes and the model that they must fit; returns their value, or the first refusal with its RFC 6901 pointer and byte offset. Throws
 * RangeError when the text is longer than one string of the runtime can be.
 */
export const readModel = <N>(bytes: Uint8Array, model: JsonModel<N>, options: ReadOptions): Result<Json<N>> => {
  const { input, recordAttributes } = options;
  const mark = refuseByteOrderMark(bytes, input);
  if (mark !== null) return refused(mark);
  const text = decodeUtf8(bytes);
  const offset = text === null ? firstInvalidUtf8(bytes) : bytes.length;
  const reader = new JsonReader(text ?? decodeUtf8(bytes.subarray(0, offset))!, model, recordAttributes);
  const value = reader.document();
  if (text === null) return refused(refuseInvalidUtf8(bytes[offset]!, offset, reader.failure, input));
  if (value !== undefined) return ok(value);
  return refused(refuseText(reader.failure!, utf8Length(text.slice(0, reader.failure!.position)), input));
};

/** Takes the bytes of a committed document; as `readModel` of the restricted model (FORMAT.md sections 1 and 8a). */
export const readJson = (bytes: Uint8Array, options: ReadOptions): Result<JsonValue> =>
  readModel(bytes, RESTRICTED, options);
