/** A value of JSON whose numbers are read as N; strings have no unpaired surrogate. */
export type Json<N> = null | boolean | string | N | Json<N>[] | JsonMembers<N>;

/** As read it has a null prototype, so that `__proto__` is a member like any other. */
export type JsonMembers<N> = { [name: string]: Json<N> };

/** A value of the restricted JSON model (FORMAT section 1): integers within ±(2^53 − 1). */
export type JsonValue = Json<number>;
export type JsonObject = JsonMembers<number>;

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
