/**
 * Stands in the bundled program where modules import zod (`scripts/bundle-cli.mjs`). It notes how each schema is made, and of it what a quick test reads
 * (`evidence/fits.ts`, `evidence/scan-program.ts`): most files pass that, and to load zod and make the schemas takes longer than to verify a small bundle. Zod
 * makes them of the same calls when one is asked to explain. Of an exported name or a method that is not here the build or the tests fail.
 */
type Definition = Readonly<Record<string, unknown>> & { readonly type: string };
/** Zod itself, or a schema of it. */
type Made = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** Given to the bundled program by `cli/bundled.ts`. */
declare const bundledPackage: (name: 'zod') => Made;

/** What zod is given in place of what was noted: schemas stand in lists and in shapes. */
const made = (argument: unknown): unknown => {
  if (argument instanceof NotedSchema) return argument.made();
  if (Array.isArray(argument)) return argument.map(made);
  if (typeof argument !== 'object' || argument === null || Object.getPrototypeOf(argument) !== Object.prototype) {
    return argument;
  }
  return Object.fromEntries(Object.entries(argument).map(([name, value]) => [name, made(value)]));
};

class NotedSchema {
  readonly _zod: { readonly def: Definition };
  readonly #on: NotedSchema | null;
  readonly #call: string;
  readonly #args: readonly unknown[];
  #made: Made | undefined;

  constructor(on: NotedSchema | null, call: string, args: readonly unknown[], def: Definition) {
    this._zod = { def };
    this.#on = on;
    this.#call = call;
    this.#args = args;
  }

  made(): Made {
    this.#made ??= (this.#on?.made() ?? bundledPackage('zod'))[this.#call]!(...this.#args.map(made)) as Made;
    return this.#made;
  }

  safeParse(value: unknown): unknown {
    return this.made().safeParse!(value);
  }

  get shape(): unknown {
    return this._zod.def.shape;
  }

  #checked(call: string, args: readonly unknown[], check: Readonly<Record<string, unknown>>): NotedSchema {
    const { def } = this._zod;
    const checks = [...((def.checks as readonly unknown[] | undefined) ?? []), { _zod: { def: check } }];
    return new NotedSchema(this, call, args, { ...def, checks });
  }

  describe(...args: readonly unknown[]): NotedSchema {
    return new NotedSchema(this, 'describe', args, this._zod.def);
  }

  meta(...args: readonly unknown[]): NotedSchema {
    return new NotedSchema(this, 'meta', args, this._zod.def);
  }

  nullable(): NotedSchema {
    return new NotedSchema(this, 'nullable', [], { type: 'nullable', innerType: this });
  }

  optional(): NotedSchema {
    return new NotedSchema(this, 'optional', [], { type: 'optional', innerType: this });
  }

  min(...args: readonly unknown[]): NotedSchema {
    const [bound] = args;
    const isNumber = this._zod.def.type === 'number';
    const check = isNumber
      ? { check: 'greater_than', value: bound, inclusive: true }
      : { check: 'min_length', minimum: bound };
    return this.#checked('min', args, check);
  }

  max(...args: readonly unknown[]): NotedSchema {
    const [bound] = args;
    const isNumber = this._zod.def.type === 'number';
    const check = isNumber
      ? { check: 'less_than', value: bound, inclusive: true }
      : { check: 'max_length', maximum: bound };
    return this.#checked('max', args, check);
  }

  int(...args: readonly unknown[]): NotedSchema {
    return this.#checked('int', args, { check: 'number_format', format: 'safeint' });
  }

  nonnegative(...args: readonly unknown[]): NotedSchema {
    return this.#checked('nonnegative', args, { check: 'greater_than', value: 0, inclusive: true });
  }

  regex(...args: readonly unknown[]): NotedSchema {
    return this.#checked('regex', args, { check: 'string_format', format: 'regex', pattern: args[0] });
  }

  refine(...args: readonly unknown[]): NotedSchema {
    return this.#checked('refine', args, { check: 'custom', fn: args[0] });
  }
}

const noted =
  (call: string, definitionOf: (...args: readonly unknown[]) => Definition) =>
  (...args: readonly unknown[]): NotedSchema =>
    new NotedSchema(null, call, args, definitionOf(...args));

const NOTHING = noted('never', () => ({ type: 'never' }))();

export const string = noted('string', () => ({ type: 'string' }));
export const boolean = noted('boolean', () => ({ type: 'boolean' }));
export const number = noted('number', () => ({ type: 'number' }));
export const int = noted('int', () => ({ type: 'number', check: 'number_format', format: 'safeint' }));
export const literal = noted('literal', (value) => ({
  type: 'literal',
  values: Array.isArray(value) ? value : [value],
}));
export const custom = noted('custom', (fn) => ({ type: 'custom', check: 'custom', fn }));
export const array = noted('array', (element) => ({ type: 'array', element }));
export const tuple = noted('tuple', (items) => ({ type: 'tuple', items, rest: null }));
export const union = noted('union', (options) => ({ type: 'union', options }));
export const discriminatedUnion = noted('discriminatedUnion', (_, options) => ({ type: 'union', options }));
export const record = noted('record', (keyType, valueType) => ({ type: 'record', keyType, valueType }));
export const strictObject = noted('strictObject', (shape) => ({ type: 'object', shape, catchall: NOTHING }));
export const object = noted('object', (shape) => ({ type: 'object', shape }));
export const looseObject = noted('looseObject', (shape) => ({ type: 'object', shape }));
const enumeration = noted('enum', (words) => ({
  type: 'enum',
  entries: Array.isArray(words) ? Object.fromEntries(words.map((word) => [word, word])) : words,
}));

export { enumeration as enum };
