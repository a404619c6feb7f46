import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** The layer table of docs/DESIGN.md: what each folder of src may import; `*` is everything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  evidence: ['base'],
  relate: ['evidence', 'base'],
  seal: ['evidence', 'base'],
  rules: ['relate', 'evidence', 'base'],
  verify: ['rules', 'relate', 'pcm', 'seal', 'evidence', 'base'],
  pcm: ['seal', 'base'],
  'a2a-pcm': ['pcm', 'seal', 'base'],
  report: ['verify', 'rules', 'relate', 'seal', 'evidence', 'base'],
  store: ['seal', 'relate', 'evidence', 'base'],
  capture: ['store', 'relate', 'seal', 'evidence', 'base'],
  attest: ['store', 'pcm', 'seal', 'base'],
  fleet: ['store', 'report', 'verify', 'rules', 'relate', 'seal', 'evidence', 'base'],
  vitest: ['capture', 'report', 'verify', 'rules', 'store', 'relate', 'seal', 'evidence', 'base'],
  web: ['report', 'verify', 'rules', 'relate', 'seal', 'evidence', 'base'],
  cli: ['*'],
  'index.ts': ['*'],
};
const PURE = new Set(['base', 'evidence', 'relate', 'seal', 'pcm', 'rules', 'verify', 'report']);
/** Beside src: what uses the library as a user would. Statistics and plots are shared. */
const OUTSIDE = new Set(['harness', 'bench']);
const SHARED = 'harness/figures/';
/** The engines read some hosts differently: a verdict asks base/url.ts. */
const ENGINES_URL = /\bnew URL\(|(?<![\w'])URL\.(?:can)?[pP]arse\(/;
/** Runs in a browser. */
const BROWSER = 'web';
const IMPORT =
  /^\s*(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|^\s*import\s*['"]([^'"]+)['"]/gm;

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name));

const importsOf = (text: string): string[] => [...text.matchAll(IMPORT)].map(([, a, b, c]) => (a ?? b ?? c)!);

/** What a file of src imports that its layer may not. */
const violations = (file: string, text: string): string[] => {
  const layer = relative('src', file).split('/')[0]!;
  const allowed = MAY_IMPORT[layer];
  if (allowed === undefined) return [`${file}: no layer ${layer}`];
  const asked = PURE.has(layer) && ENGINES_URL.test(text) ? [`${file}: asks the URL of the engine`] : [];
  const imported = importsOf(text).flatMap((name) => {
    if (name.startsWith('node:'))
      return PURE.has(layer) || layer === BROWSER ? [`${file}: not of Node, imports ${name}`] : [];
    if (!name.startsWith('.')) return [];
    const target = relative('.', resolve(dirname(file), name)).split('/');
    if (target[0] !== 'src') return layer === 'cli' && OUTSIDE.has(target[0]!) ? [] : [`${file}: imports ${name}`];
    const other = target[1]!;
    return other === layer || allowed.includes('*') || allowed.includes(other) ? [] : [`${file}: imports ${other}`];
  });
  return [...asked, ...imported];
};

test('every layer of src imports only what the table allows', () => {
  const files = filesOf('src');
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => violations(file, readFileSync(file, 'utf8')))).toEqual([]);
});

test.each([...OUTSIDE])('%s uses the public door alone', (folder) => {
  const outside = filesOf(folder).flatMap((file) =>
    importsOf(readFileSync(file, 'utf8'))
      .filter((name) => name.startsWith('.'))
      .map((name) => relative('.', resolve(dirname(file), name)))
      .filter((target) => !target.startsWith(`${folder}/`) && !target.startsWith(SHARED) && target !== 'src/index.ts')
      .map((target) => `${file}: imports ${target}`),
  );
  expect(outside).toEqual([]);
});

test.each([
  ['a rule that imports crypto', 'src/rules/x.ts', "import { merkleRoot } from '../seal/merkle.ts';"],
  ['a rule that imports a type of seal', 'src/rules/x.ts', "import type { Receipt } from '../seal/receipt.ts';"],
  ['a pure folder that imports Node', 'src/verify/x.ts', "import { readFileSync } from 'node:fs';"],
  ['a page that imports Node', 'src/web/x.ts', "import { readFileSync } from 'node:fs';"],
  ['a page that imports native crypto', 'src/web/x.ts', "import { nativeCrypto } from '../store/native-crypto.ts';"],
  ['a re-export upwards', 'src/base/x.ts', "export { verify } from '../verify/verify.ts';"],
  ['a lazy import upwards', 'src/store/x.ts', "const door = await import('../cli/main.ts');"],
  ['an import for its side effect', 'src/seal/x.ts', "import '../store/keys.ts';"],
  ['an import over several lines', 'src/relate/x.ts', "import {\n  judge,\n} from '../rules/registry.ts';"],
  ['a rule that asks the engine what a URL is', 'src/rules/x.ts', 'const host = new URL(text).host;'],
  ['a message read by the engine', 'src/pcm/x.ts', 'const isUrl = URL.canParse(text);'],
  ['a folder without a layer', 'src/misc/x.ts', "import { ok } from '../base/result.ts';"],
])('a planted violation is found: %s', (_, file, text) => {
  expect(violations(file, text)).toHaveLength(1);
});
