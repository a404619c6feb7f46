import type * as z from 'zod';
import { asciiBytes, asciiText } from '../base/ascii.ts';
import type { CanonicalScan } from '../base/canonical-scan.ts';
import { isTimestamp, TimeReader } from '../base/time.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { Body } from './fields.ts';

/**
 * Takes where a value starts; returns the position after it, or −1. Beyond itself and the members of its objects a scanner counts in
 * `scan.values` nothing: who calls it has counted it.
 */
export type Scanner = (scan: CanonicalScan, at: number) => number;
type Definition = z.core.$ZodTypeDef & Readonly<Record<string, unknown>>;
type Check = Readonly<Record<string, unknown>>;
/** One check of the token between two positions. */
type TokenCheck = (bytes: Uint8Array, start: number, end: number) => boolean;

const never: Scanner = () => -1;
const nowhere: TokenCheck = () => false;

/** The text of a quoted token. */
const textOf = (bytes: Uint8Array, start: number, end: number): string => {
  for (let at = start + 1; at < end - 1; at++) {
    if (bytes[at]! >= 0x80 || bytes[at] === 0x5c) return JSON.parse(decodeUtf8(bytes.subarray(start, end))!) as string;
  }
  return asciiText(bytes, start + 1, end - 1);
};

/** A pattern that is one class of ASCII characters, so many times. */
const CLASS_PATTERN = /^\^(\[[^\]]+\])\{(\d+)(?:,(\d+))?\}(?:\(\?!\\n\))?\$$/;

const CLASSES = new Map<string, Uint8Array>();

/** By unit, 1 where it is of a class of ASCII characters; a pattern recurs in most schemas. */
const classOf = (characters: string): Uint8Array => {
  const known = CLASSES.get(characters);
  if (known !== undefined) return known;
  const one = new RegExp(`^${characters}$`);
  const made = Uint8Array.from({ length: 256 }, (_, unit) =>
    unit < 0x80 && one.test(String.fromCharCode(unit)) ? 1 : 0,
  );
  CLASSES.set(characters, made);
  return made;
};

const ofPattern = ({ pattern }: Check): TokenCheck => {
  const { source, flags } = pattern as RegExp;
  const [, characters, least, most = least] = CLASS_PATTERN.exec(source) ?? [];
  if (characters === undefined || flags !== '') return nowhere;
  const isOne = classOf(characters);
  const [shortest, longest] = [Number(least), Number(most)];
  return (bytes, start, end) => {
    const length = end - start - 2;
    if (length < shortest || length > longest) return false;
    for (let at = start + 1; at < end - 1; at++) if (isOne[bytes[at]!] === 0) return false;
    return true;
  };
};

const STRING_CHECKS: Readonly<Record<string, (check: Check) => TokenCheck>> = {
  string_format: ofPattern,
  min_length: ({ minimum }) => (minimum === 1 ? (_, start, end) => end - start > 2 : nowhere),
  custom: ({ fn }) => {
    if (fn === isTimestamp) {
      const times = new TimeReader();
      return (bytes, start, end) => times.epochMs(bytes, start, end) !== null;
    }
    const holds = fn as (text: string) => boolean;
    return (bytes, start, end) => holds(textOf(bytes, start, end));
  },
};

const integerOf = (bytes: Uint8Array, start: number, end: number): number => {
  const isNegative = bytes[start] === 0x2d;
  let value = 0;
  for (let at = isNegative ? start + 1 : start; at < end; at++) value = 10 * value + bytes[at]! - 0x30;
  return isNegative ? -value : value;
};

const NUMBER_CHECKS: Readonly<Record<string, (check: Check) => TokenCheck>> = {
  greater_than: ({ value, inclusive }) =>
    inclusive === true ? (bytes, start, end) => integerOf(bytes, start, end) >= (value as number) : nowhere,
  less_than: ({ value, inclusive }) =>
    inclusive === true ? (bytes, start, end) => integerOf(bytes, start, end) <= (value as number) : nowhere,
};

const checksOf = (
  definition: Definition,
  known: Readonly<Record<string, (check: Check) => TokenCheck>>,
): readonly TokenCheck[] =>
  ((definition.checks ?? []) as readonly z.core.$ZodCheck[]).flatMap((check) => {
    const stated = check._zod.def as z.core.$ZodCheckDef & Check;
    if (stated.check === 'number_format' && known === NUMBER_CHECKS) return [];
    return known[stated.check]?.(stated) ?? nowhere;
  });

/** A token that passes all checks. */
const checked = (token: Scanner, checks: readonly TokenCheck[]): Scanner => {
  if (checks.length === 0) return token;
  return (scan, at) => {
    const end = token(scan, at);
    if (end < 0) return -1;
    for (const holds of checks) if (!holds(scan.bytes, at, end)) return -1;
    return end;
  };
};

const string: Scanner = (scan, at) => (scan.bytes[at] === 0x22 ? scan.string(at) : -1);
const NULL = asciiBytes('null');
const TRUE = asciiBytes('true');
const FALSE = asciiBytes('false');

const inner = (definition: Definition, name: string): Scanner => scannerOf(definition[name] as z.ZodType);

/** One of these tokens, none of which begins another; most often it is the last one again. */
const oneOf = (tokens: readonly Uint8Array[]): Scanner => {
  let last = tokens[0]!;
  return (scan, at) => {
    if (scan.stands(last, at)) return at + last.length;
    for (const token of tokens) {
      if (!scan.stands(token, at)) continue;
      last = token;
      return at + token.length;
    }
    return -1;
  };
};

const noChecks = (definition: Definition): boolean => ((definition.checks ?? []) as readonly unknown[]).length === 0;

const TYPES: Readonly<Record<string, (definition: Definition) => Scanner>> = {
  string: (definition) => checked(string, checksOf(definition, STRING_CHECKS)),
  number: (definition) =>
    definition.format === 'safeint'
      ? checked((scan, at) => scan.integer(at), checksOf(definition, NUMBER_CHECKS))
      : never,
  boolean: () => (scan, at) => (scan.stands(TRUE, at) ? at + 4 : scan.stands(FALSE, at) ? at + 5 : -1),
  enum: ({ entries }) => {
    const words = Object.values(entries as Readonly<Record<string, unknown>>).map((word) =>
      typeof word === 'string' && /^[ -~]*$/.test(word) && !/["\\]/.test(word) ? asciiBytes(`"${word}"`) : null,
    );
    return words.every((word) => word !== null) ? oneOf(words) : never;
  },
  nullable: (definition) => {
    const held = inner(definition, 'innerType');
    return (scan, at) => (scan.bytes[at] === 0x6e ? (scan.stands(NULL, at) ? at + 4 : -1) : held(scan, at));
  },
  union: ({ options }) => {
    const [first, second, ...others] = (options as readonly z.ZodType[]).map(scannerOf);
    if (first === undefined || second === undefined || others.length > 0) return never;
    return (scan, at) => {
      const end = first(scan, at);
      return end < 0 ? second(scan, at) : end;
    };
  },
  array: (definition) => {
    const element = inner(definition, 'element');
    const checks = (definition.checks ?? []) as readonly z.core.$ZodCheck[];
    const bounds = checks.map((check) => check._zod.def as z.core.$ZodCheckDef & Check);
    if (!bounds.every(({ check }) => check === 'max_length')) return never;
    const most = Math.min(Number.POSITIVE_INFINITY, ...bounds.map(({ maximum }) => maximum as number));
    return (scan, at) => list(scan, at, most, () => element);
  },
  tuple: ({ items, rest }) => {
    const elements = (items as readonly z.ZodType[]).map(scannerOf);
    if (rest !== null) return never;
    return (scan, at) => list(scan, at, elements.length, (index) => elements[index], elements.length);
  },
  record: (definition) => {
    const held = inner(definition, 'valueType');
    const isAnyName = (definition.keyType as z.ZodType)._zod.def.type === 'string' && noChecks(inside(definition));
    return isAnyName ? (scan, at) => named(scan, at, held) : never;
  },
  object: ({ shape, catchall }) => {
    if ((catchall as z.ZodType | undefined)?._zod.def.type !== 'never') return never;
    const plan = membersOf(shape as Readonly<Record<string, z.ZodType>>);
    return (scan, at) => scanMembers(scan, at, plan, null, 0);
  },
};

const inside = (definition: Definition): Definition => (definition.keyType as z.ZodType)._zod.def as Definition;

const list = (
  scan: CanonicalScan,
  start: number,
  most: number,
  elementAt: (index: number) => Scanner | undefined,
  least = 0,
): number => {
  const { bytes } = scan;
  if (bytes[start] !== 0x5b) return -1;
  let at = start + 1;
  let count = 0;
  if (bytes[at] === 0x5d) return least === 0 ? at + 1 : -1;
  for (;;) {
    if (count === most) return -1;
    at = elementAt(count++)!(scan, at);
    if (at < 0) return -1;
    const mark = bytes[at++];
    if (mark === 0x5d) break;
    if (mark !== 0x2c) return -1;
  }
  scan.values += count;
  return count < least ? -1 : at;
};

/** An object of any names, all of one kind. */
const named = (scan: CanonicalScan, start: number, held: Scanner, isFree = false): number => {
  const { bytes } = scan;
  if (bytes[start] !== 0x7b) return -1;
  let at = start + 1;
  if (bytes[at] === 0x7d) return at + 1;
  for (let before = -1; ; ) {
    const name = at;
    at = isFree ? scan.freeName(name) : scan.memberName(name);
    if (at < 0 || bytes[at] !== 0x3a || (before >= 0 && !scan.inOrder(before, name))) return -1;
    before = name;
    scan.values++;
    at = held(scan, at + 1);
    if (at < 0) return -1;
    const mark = bytes[at++];
    if (mark === 0x7d) return at;
    if (mark !== 0x2c) return -1;
  }
};

const attributes: Scanner = (scan, at) => named(scan, at, string, true);

/** The members of a strict object in the order of S(x): each quoted name with its colon, and what it leads to. */
export type Members = readonly {
  readonly name: string;
  readonly label: Uint8Array;
  readonly scan: Scanner;
  readonly optional: boolean;
  /** A body, or null. */
  readonly isBody: boolean;
}[];

const isBody = (schema: z.ZodType): boolean => {
  const { type, innerType, shape } = schema._zod.def as Definition;
  // A description makes another schema of the same shape.
  return type === 'nullable' ? isBody(innerType as z.ZodType) : type === 'object' && shape === Body._zod.def.shape;
};

/** Takes the shape of a strict object. Of members that may be absent only `attributes` is known. */
export const membersOf = (shape: Readonly<Record<string, z.ZodType>>): Members =>
  Object.entries(shape)
    .map(([name, schema]) => {
      const optional = schema._zod.def.type === 'optional';
      const scan = optional ? (name === 'attributes' ? attributes : never) : scannerOf(schema);
      return { name, label: asciiBytes(`"${name}":`), scan, optional, isBody: isBody(schema) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** Scans an object of exactly these members. Where `starts` is given, it is told where each value starts, counted from the object; 0 for none. */
export const scanMembers = (
  scan: CanonicalScan,
  start: number,
  members: Members,
  starts: Uint32Array | null,
  from: number,
): number => {
  const { bytes } = scan;
  let at = start;
  let mark = 0x7b;
  for (let index = 0; index < members.length; index++) {
    const member = members[index]!;
    if (bytes[at] !== mark || !scan.stands(member.label, at + 1)) {
      if (!member.optional) return -1;
      if (starts !== null) starts[from + index] = 0;
      continue;
    }
    at += 1 + member.label.length;
    if (starts !== null) starts[from + index] = at - start;
    at = member.scan(scan, at);
    if (at < 0) return -1;
    mark = 0x2c;
    scan.values++;
  }
  return bytes[at] === 0x7d && mark === 0x2c ? at + 1 : -1;
};

/**
 * Takes a strict schema; returns a scanner that accepts only the bytes S(x) of a value x that the schema accepts. It explains nothing, and what it does
 * not know it never accepts, like `fitsOf`: of what it refuses, reader and schema are asked.
 */
export const scannerOf = (schema: z.ZodType): Scanner => {
  const definition = schema._zod.def as Definition;
  return TYPES[definition.type]?.(definition) ?? never;
};
