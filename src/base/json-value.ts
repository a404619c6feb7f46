/** A value of the restricted JSON model (FORMAT section 1): integers within ±(2^53 − 1), strings without unpaired surrogate. */
export type JsonValue = null | boolean | string | number | JsonValue[] | JsonObject;

/** Where names are free (the attributes of a record) it has a null prototype, so that `__proto__` is a member like any other. */
export type JsonObject = { [name: string]: JsonValue };

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
