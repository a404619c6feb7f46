import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as zod from 'zod';

/** The modules of schemas that the bundled program loads: there zod is what `noted-schema.ts` exports. */
const MODULES = globSync('src/{base,evidence,relate,seal,rules,verify,pcm}/**/*.ts').filter((file) =>
  readFileSync(file, 'utf8').includes("import * as z from 'zod'"),
);

type Schema = { readonly _zod: { readonly def: Readonly<Record<string, unknown>> } } & Pick<zod.ZodType, 'safeParse'>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_zod' in value;

const schemasOf = async (file: string): Promise<readonly (readonly [string, Schema])[]> =>
  Object.entries((await import(resolve(file))) as object).flatMap(([name, value]) =>
    isSchema(value) ? [[`${file} ${name}`, value] as const] : [],
  );

const allSchemas = async (): Promise<ReadonlyMap<string, Schema>> => {
  vi.resetModules();
  const found: (readonly [string, Schema])[] = [];
  for (const file of MODULES) found.push(...(await schemasOf(file)));
  return new Map(found);
};

/** What a quick test may read of a definition, and of each of its checks. */
const READ = 'type format entries values fn innerType element items rest options keyType valueType shape'.split(' ');
const READ_OF_CHECKS = 'check pattern minimum maximum value inclusive fn'.split(' ');

type Definition = Schema['_zod']['def'];

const read = (def: Definition, names: readonly string[]): Definition =>
  Object.fromEntries(names.filter((name) => def[name] !== undefined).map((name) => [name, told(def[name])]));

const told = (value: unknown): unknown => {
  if (isSchema(value)) return sketch(value);
  if (typeof value === 'function') return String(value);
  if (Array.isArray(value)) return value.map(told);
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, told(held)]));
};

const sketch = ({ _zod: { def } }: Schema): unknown => ({
  ...read(def, READ),
  isStrict: isSchema(def.catchall) && def.catchall._zod.def.type === 'never',
  checks: ((def.checks ?? []) as readonly Schema[]).map((check) => read(check._zod.def, READ_OF_CHECKS)),
});

let [real, noted]: ReadonlyMap<string, Schema>[] = [];

beforeAll(async () => {
  real = await allSchemas();
  vi.doMock('zod', () => import('../../src/cli/noted-schema.ts'));
  vi.stubGlobal('bundledPackage', () => zod);
  noted = await allSchemas();
});
afterAll(() => {
  vi.doUnmock('zod');
  vi.unstubAllGlobals();
});

it('what stands in for zod notes every schema of the program', () => {
  expect(real!.size).toBeGreaterThan(30);
  expect([...noted!.keys()]).toEqual([...real!.keys()]);
  expect([...noted!.values()].some((schema) => schema instanceof zod.ZodType)).toBe(false);
});

it('and of each what a quick test reads, as zod does', () => {
  for (const [name, schema] of real!) expect([name, sketch(noted!.get(name)!)]).toEqual([name, sketch(schema)]);
});

it('zod makes of it a schema that says the same of any value', () => {
  const [text, list, name] = ['text', ['text'], { name: 'text', type: 'int', min: 1 }];
  for (const [where, schema] of real!) {
    for (const value of [null, undefined, 7, -1.5, true, text, list, [list], {}, name, [name], { kind: 'text' }]) {
      const [said, made] = [schema.safeParse(value), noted!.get(where)!.safeParse(value)];
      expect([where, value, made.success, made.data, made.error?.issues]).toEqual([
        where,
        value,
        said.success,
        said.data,
        said.error?.issues,
      ]);
    }
  }
});
