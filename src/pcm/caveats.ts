import { type FieldType, isOfType } from './fields.ts';
import { jcs } from './jcs.ts';
import type { PcmSchema } from './schema.ts';
import type { PcmObject, PcmValue } from './value.ts';

type Bound = string | number;
/** A caveat in the four forms that narrowing knows: `< b` is `<= b − 1`, `> b` is `>= b + 1`. */
export type Caveat = { readonly field: string; readonly text: string } & (
  | { readonly op: '=='; readonly value: Bound | boolean }
  | { readonly op: 'in'; readonly values: readonly string[] }
  | { readonly op: '<=' | '>='; readonly bound: Bound }
);

const OPERATORS: Readonly<Record<FieldType, readonly string[]>> = {
  int: ['==', '<=', '>=', '<', '>'],
  money: ['==', '<=', '>=', '<', '>'],
  time: ['==', '<=', '>='],
  string: ['==', 'in'],
  id: ['==', 'in'],
  enum: ['==', 'in'],
  bool: ['=='],
};
const MAX_VALUES = 64;

const isValueList = (value: PcmValue): value is string[] =>
  Array.isArray(value) &&
  value.length >= 1 &&
  value.length <= MAX_VALUES &&
  value.every((one) => typeof one === 'string') &&
  new Set(value).size === value.length;

const formOf = (field: string, op: string, value: PcmValue, type: FieldType): Caveat | null => {
  const text = `${field} ${op} ${jcs(value)}`;
  if (op === 'in') return isValueList(value) ? { field, text, op, values: value } : null;
  if (!isOfType(type, value)) return null;
  if (op === '==') return { field, text, op, value };
  if (op === '<') return { field, text, op: '<=', bound: (value as number) - 1 };
  if (op === '>') return { field, text, op: '>=', bound: (value as number) + 1 };
  return { field, text, op: op as '<=' | '>=', bound: value as Bound };
};

/** A caveat as it stands in a grant, whose value is not judged yet. */
export type WrittenCaveat = { readonly field: string; readonly op: string; readonly value: PcmValue };

/** The types of fields, which are all of a schema that a caveat is read by. */
export type FieldTypes = { readonly fields: ReadonlyMap<string, { readonly type: FieldType }> };

/** Takes a caveat of a grant and the schema; returns it in its form, or in words why it is malformed (docs/PCM.md section 7). */
export const caveatOf = ({ field, op, value }: WrittenCaveat, schema: FieldTypes): Caveat | string => {
  const known = schema.fields.get(field);
  if (known === undefined) return `a caveat on ${field}, which is no field of the schema`;
  if (!OPERATORS[known.type].includes(op)) return `${field}: ${op} is no operator of ${known.type}`;
  return formOf(field, op, value, known.type) ?? `${field} ${op}: the value is none of ${known.type}`;
};

/** Takes a caveat and the args; false when the arg is absent or of another type, too: a caveat that cannot be asked is not met. */
export const passes = (caveat: Caveat, args: PcmObject, schema: PcmSchema): boolean => {
  const { type } = schema.fields.get(caveat.field)!;
  const value = Object.hasOwn(args, caveat.field) ? args[caveat.field] : undefined;
  if (!isOfType(type, value)) return false;
  switch (caveat.op) {
    case '==':
      return value === caveat.value;
    case 'in':
      return caveat.values.includes(value as string);
    case '<=':
      return value <= caveat.bound;
    case '>=':
      return value >= caveat.bound;
  }
};

/** True when a child caveat on the same field implies the parent's, by the fixed table of docs/PCM.md section 7. A bound never implies an equality. */
export const implies = (child: Caveat, parent: Caveat): boolean => {
  if (child.field !== parent.field) return false;
  switch (parent.op) {
    case '==':
      return child.op === '=='
        ? child.value === parent.value
        : child.op === 'in' && child.values.length === 1 && child.values[0] === parent.value;
    case 'in':
      return child.op === '=='
        ? parent.values.includes(child.value as string)
        : child.op === 'in' && child.values.every((value) => parent.values.includes(value));
    case '<=':
      return child.op === '==' ? child.value <= parent.bound : child.op === '<=' && child.bound <= parent.bound;
    case '>=':
      return child.op === '==' ? child.value >= parent.bound : child.op === '>=' && child.bound >= parent.bound;
  }
};
