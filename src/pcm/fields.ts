import * as z from 'zod';
import { compileIdPattern, type IdPattern } from './id-pattern.ts';
import { isPcmTime } from './time.ts';
import type { PcmValue } from './value.ts';

export const FIELD_TYPES = ['string', 'int', 'money', 'id', 'enum', 'bool', 'time'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

const MAX_STRING = 65_536;
const MAX_ID = 128;
const optional = z.boolean().optional();
const Integer = z.custom<number>((value) => Number.isSafeInteger(value), 'an integer token is expected');

/** One field of a schema document, by its type (docs/PCM.md section 6). */
export const FieldSpec = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('string'), max: Integer.refine((max) => max >= 1 && max <= MAX_STRING), optional }),
  z
    .strictObject({ type: z.literal('int'), min: Integer, max: Integer, optional })
    .refine(({ min, max }) => min <= max, 'min is above max'),
  z.strictObject({
    type: z.literal('money'),
    currency: z.string().regex(/^[A-Z]{3}$/, 'a currency is three capitals'),
    max: Integer.refine((max) => max >= 0),
    optional,
  }),
  z.strictObject({ type: z.literal('id'), pattern: z.string(), optional }),
  z.strictObject({
    type: z.literal('enum'),
    values: z
      .array(z.string())
      .min(1)
      .refine((values) => new Set(values).size === values.length, 'the values are not distinct'),
    optional,
  }),
  z.strictObject({ type: z.literal('bool'), optional }),
  z.strictObject({ type: z.literal('time'), optional }),
]);
export type FieldSpec = Readonly<z.infer<typeof FieldSpec>>;

/** A field that is ready to judge values. */
export type Field = {
  readonly type: FieldType;
  readonly optional: boolean;
  /** Takes a value; returns in words why it is none of this field, or null. Nothing is converted. */
  readonly faultOf: (value: PcmValue) => string | null;
};

/** Characters are code points: UTF-16 units would make a limit depend on the plane a sign stands in. */
const charactersOf = (text: string): number => Array.from(text).length;

const isInteger = (value: PcmValue): value is number => typeof value === 'number';

const within = (value: PcmValue, min: number, max: number): string | null =>
  !isInteger(value) ? 'not an integer' : value < min || value > max ? `not in ${min}..${max}` : null;

const idFault = (value: PcmValue, { matches }: IdPattern): string | null => {
  if (typeof value !== 'string') return 'not a string';
  if (charactersOf(value) > MAX_ID) return `longer than ${MAX_ID} characters`;
  return matches(value) ? null : 'does not match the pattern';
};

const textFault = (value: PcmValue, max: number): string | null =>
  typeof value !== 'string' ? 'not a string' : charactersOf(value) > max ? `longer than ${max} characters` : null;

const judgeOf = (spec: FieldSpec): Field['faultOf'] | string => {
  switch (spec.type) {
    case 'string':
      return (value) => textFault(value, spec.max);
    case 'int':
      return (value) => within(value, spec.min, spec.max);
    case 'money':
      return (value) => within(value, 0, spec.max);
    case 'enum':
      return (value) => (typeof value === 'string' && spec.values.includes(value) ? null : 'not a listed value');
    case 'bool':
      return (value) => (typeof value === 'boolean' ? null : 'neither true nor false');
    case 'time':
      return (value) => (isPcmTime(value) ? null : 'not YYYY-MM-DDTHH:MM:SS.ffffffZ');
    case 'id': {
      const pattern = compileIdPattern(spec.pattern);
      return typeof pattern === 'string' ? pattern : (value) => idFault(value, pattern);
    }
  }
};

/** Takes a field of a document; returns it ready to judge, or in words why its pattern is refused. */
export const fieldOf = (spec: FieldSpec): Field | string => {
  const faultOf = judgeOf(spec);
  return typeof faultOf === 'string' ? faultOf : { type: spec.type, optional: spec.optional ?? false, faultOf };
};

/** True when a value is of the type of a field, in range or not: what a caveat compares (docs/PCM.md section 7). */
export const isOfType = (type: FieldType, value: PcmValue | undefined): value is string | number | boolean => {
  if (type === 'int' || type === 'money') return typeof value === 'number';
  if (type === 'bool') return typeof value === 'boolean';
  return type === 'time' ? isPcmTime(value) : typeof value === 'string';
};
