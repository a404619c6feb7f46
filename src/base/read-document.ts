import { isObject, type JsonObject, type JsonValue } from './json-value.ts';
import { ok, type Result, refused } from './result.ts';

/** Takes a value and where it stands (input file, RFC 6901 pointer); returns it as an object, or READ_NOT_AN_OBJECT (FORMAT section 8a). */
export const requireObject = (value: JsonValue | undefined, input: string, pointer: string): Result<JsonObject> =>
  isObject(value)
    ? ok(value)
    : refused({ reason: 'READ_NOT_AN_OBJECT', at: { input, pointer }, detail: 'a JSON object is expected' });

const stated = (format: JsonValue | undefined): string =>
  typeof format === 'string' ? `the file says ${JSON.stringify(format.slice(0, 64))}` : 'the file states no format';

/** Takes an object and the `format` it must carry; returns it, or READ_WRONG_FORMAT (FORMAT section 8a). */
export const requireFormat = (
  object: JsonObject,
  format: string,
  input: string,
  pointer: string,
): Result<JsonObject> =>
  object.format === format
    ? ok(object)
    : refused({
        reason: 'READ_WRONG_FORMAT',
        at: { input, pointer: `${pointer}/format` },
        detail: `"${format}" is expected, ${stated(object.format)}`,
      });
