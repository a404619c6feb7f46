import type * as z from 'zod';
import { asciiBytes } from '../base/ascii.ts';
import type { Kernel, TextCheck } from '../base/kernel/kernel.ts';
import { isTimestamp } from '../base/time.ts';
import { Body } from './fields.ts';

type Definition = z.core.$ZodTypeDef & Readonly<Record<string, unknown>>;
type Check = Readonly<Record<string, unknown>>;
type Words = readonly number[];
export type Shape = Readonly<Record<string, z.ZodType>>;

/** The kinds of nodes, as kernel/schema.ts has them. */
const KIND = {
  never: 0,
  string: 1,
  integer: 2,
  boolean: 3,
  enum: 4,
  nullable: 5,
  union: 6,
  list: 7,
  tuple: 8,
  names: 9,
  object: 10,
  attributes: 11,
} as const;
/** The kinds of checks: four words each. */
const CHECK = { class: 0, notEmpty: 1, time: 2, host: 3 } as const;
const NEVER: Words = [KIND.never];
const ANY_NUMBER = 0xffffffff;
const INT32 = 2 ** 31;

/** A pattern that is one class of ASCII characters, so many times. */
const CLASS_PATTERN = /^\^(\[[^\]]+\])\{(\d+)(?:,(\d+))?\}(?:\(\?!\\n\))?\$$/;

/** The members of a strict object in the order of S(x). */
export type Members = readonly {
  readonly name: string;
  /** Its quoted name with its colon. */
  readonly label: Uint8Array;
  readonly schema: z.ZodType;
  readonly optional: boolean;
  /** A body, or null. */
  readonly isBody: boolean;
}[];

const definitionOf = (schema: unknown): Definition => (schema as z.ZodType)._zod.def as Definition;
const checksOf = ({ checks }: Definition): readonly Check[] =>
  ((checks ?? []) as readonly z.core.$ZodCheck[]).map((check) => check._zod.def as z.core.$ZodCheckDef & Check);

const isBody = (schema: z.ZodType): boolean => {
  const { type, innerType, shape } = definitionOf(schema);
  // A description makes another schema of the same shape.
  return type === 'nullable' ? isBody(innerType as z.ZodType) : type === 'object' && shape === Body._zod.def.shape;
};

/** Takes the shape of a strict object. */
export const membersOf = (shape: Shape): Members =>
  Object.entries(shape)
    .map(([name, schema]) => ({
      name,
      label: asciiBytes(`"${name}":`),
      schema,
      optional: definitionOf(schema).type === 'optional',
      isBody: isBody(schema),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Schemas as programs in the memory of a kernel. A program accepts only the bytes S(x) of a value x that its strict schema accepts. It explains nothing, and what it does
 * not know it never accepts, like `fitsOf`: of what it refuses, reader and schema are asked.
 */
export class Programs {
  private readonly kernel: Kernel;
  private readonly nodes = new Map<unknown, number>();
  private readonly texts = new Map<string, number>();
  private readonly classes = new Map<string, number>();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
  }

  /** Where the program of a schema stands. */
  of(schema: unknown): number {
    const definition = definitionOf(schema);
    const isStrict = definition.catchall !== undefined && definitionOf(definition.catchall).type === 'never';
    if (isStrict) return this.ofShape(definition.shape as Shape, membersOf(definition.shape as Shape));
    return this.known(definition, () => this.words(definition));
  }

  /** Where that of a strict object of this shape stands. */
  ofShape(shape: Shape, members: Members): number {
    return this.known(shape, () => [
      KIND.object,
      members.length,
      ...members.flatMap(({ label, schema, optional, name }) => [
        this.text(label),
        label.length,
        // Of members that may be absent only `attributes` is known.
        optional ? (name === 'attributes' ? this.attributes() : this.kernel.keep(NEVER)) : this.of(schema),
        Number(optional),
      ]),
    ]);
  }

  private known(key: unknown, words: () => Words): number {
    let at = this.nodes.get(key);
    if (at === undefined) {
      at = this.kernel.keep(words());
      this.nodes.set(key, at);
    }
    return at;
  }

  private attributes(): number {
    return this.known(KIND.attributes, () => [KIND.attributes, this.known(KIND.string, () => [KIND.string, 0])]);
  }

  private text(bytes: Uint8Array): number {
    const key = String.fromCharCode(...bytes);
    const at = this.texts.get(key) ?? this.kernel.keep(bytes);
    this.texts.set(key, at);
    return at;
  }

  private words(definition: Definition): Words {
    switch (definition.type) {
      case 'string':
        return this.string(checksOf(definition));
      case 'number':
        return definition.format === 'safeint' ? integer(checksOf(definition)) : NEVER;
      case 'boolean':
        return [KIND.boolean];
      case 'enum':
        return this.enum(Object.values(definition.entries as Readonly<Record<string, unknown>>));
      case 'nullable':
        return [KIND.nullable, this.of(definition.innerType)];
      case 'union': {
        const options = definition.options as readonly z.ZodType[];
        return options.length === 2 ? [KIND.union, ...options.map((option) => this.of(option))] : NEVER;
      }
      case 'array': {
        const bounds = checksOf(definition);
        if (!bounds.every(({ check }) => check === 'max_length')) return NEVER;
        const most = Math.min(ANY_NUMBER, ...bounds.map(({ maximum }) => maximum as number));
        return [KIND.list, most, this.of(definition.element)];
      }
      case 'tuple': {
        const items = definition.items as readonly z.ZodType[];
        return definition.rest === null ? [KIND.tuple, items.length, ...items.map((item) => this.of(item))] : NEVER;
      }
      case 'record': {
        const key = definitionOf(definition.keyType);
        const isAnyName = key.type === 'string' && checksOf(key).length === 0;
        return isAnyName ? [KIND.names, this.of(definition.valueType)] : NEVER;
      }
      default:
        return NEVER;
    }
  }

  private string(checks: readonly Check[]): Words {
    const words = checks.map((check, at) => this.check(check, checks.slice(0, at)));
    return words.every((known) => known !== null) ? [KIND.string, words.length, ...words.flat()] : NEVER;
  }

  private check(check: Check, before: readonly Check[]): Words | null {
    if (check.check === 'min_length') return check.minimum === 1 ? [CHECK.notEmpty, 0, 0, 0] : null;
    if (check.check === 'string_format') return this.pattern(check.pattern as RegExp);
    if (check.check !== 'custom') return null;
    if (check.fn === isTimestamp) return [CHECK.time, 0, 0, 0];
    // Only a text without escapes can be handed over as it stands.
    const isPlain = before.some(({ check: other }) => other === 'string_format');
    return isPlain ? [CHECK.host, this.kernel.check(check.fn as TextCheck), 0, 0] : null;
  }

  private pattern({ source, flags }: RegExp): Words | null {
    const [, characters, least, most = least] = CLASS_PATTERN.exec(source) ?? [];
    if (characters === undefined || flags !== '') return null;
    return [CHECK.class, this.class(characters), Number(least), Number(most)];
  }

  /** Of 256 bytes 1 where one is of a class of ASCII characters; a pattern recurs in most schemas. */
  private class(characters: string): number {
    const known = this.classes.get(characters);
    if (known !== undefined) return known;
    const one = new RegExp(`^${characters}$`);
    const bytes = Uint8Array.from({ length: 256 }, (_, unit) =>
      unit < 0x80 && unit !== 0x5c && one.test(String.fromCharCode(unit)) ? 1 : 0,
    );
    const at = this.kernel.keep(bytes);
    this.classes.set(characters, at);
    return at;
  }

  private enum(words: readonly unknown[]): Words {
    const tokens = words.map((word) =>
      typeof word === 'string' && /^[ -~]*$/.test(word) && !/["\\]/.test(word) ? asciiBytes(`"${word}"`) : null,
    );
    if (!tokens.every((token) => token !== null)) return NEVER;
    return [KIND.enum, tokens.length, ...tokens.flatMap((token) => [this.text(token), token.length])];
  }
}

/** Words for no bound, or for one; null for another kind of bound. */
const bound = (stated: readonly Check[]): Words | null => {
  const [only, ...others] = stated;
  if (only === undefined) return [0, 0];
  const { inclusive, value } = only;
  const isKnown = inclusive === true && Number.isInteger(value) && Math.abs(value as number) < INT32;
  return isKnown && others.length === 0 ? [1, value as number] : null;
};

const integer = (checks: readonly Check[]): Words => {
  const named = (name: string) => checks.filter(({ check }) => check === name);
  const [formats, above, below] = ['number_format', 'greater_than', 'less_than'].map(named);
  const [least, most] = [bound(above!), bound(below!)];
  const isAll = formats!.length + above!.length + below!.length === checks.length;
  return isAll && least !== null && most !== null ? [KIND.integer, ...least, ...most] : NEVER;
};

const PROGRAMS = new WeakMap<Kernel, Programs>();

/** The programs of a kernel. */
export const programsOf = (kernel: Kernel): Programs => {
  const known = PROGRAMS.get(kernel) ?? new Programs(kernel);
  PROGRAMS.set(kernel, known);
  return known;
};
