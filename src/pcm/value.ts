import type { Json, JsonMembers, JsonValue } from '../base/json-value.ts';

/** A number written with a point or an exponent. JCS writes 1.0 as 1, so a signature holds over both, yet no integer field takes a Float. */
export class Float {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A value of a message: a plain number was an integer token. */
export type PcmValue = Json<number | Float>;

export type PcmObject = JsonMembers<number | Float>;

export const isPcmObject = (value: unknown): value is PcmObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float);

/** Takes a value; returns it as JSON of plain numbers, which no longer tell how they were written. */
export const plainOf = (value: PcmValue): JsonValue => {
  if (value instanceof Float) return value.value;
  if (Array.isArray(value)) return value.map(plainOf);
  if (!isPcmObject(value)) return value;
  const plain = Object.setPrototypeOf({}, null) as { [name: string]: JsonValue };
  for (const name of Object.keys(value)) plain[name] = plainOf(value[name]!);
  return plain;
};
