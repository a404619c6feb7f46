/**
 * Puts the start of the command into one file of its own, with V8's cache of its code: `forensictrace verify` would else read some four hundred files and compile
 * them each time; the packages that it seldom needs into another; and what a thread of `verify-all` runs, into one file. Run after the compiler, on what it made; the
 * library and every other command stay as they are.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { build } from 'esbuild';

const FOLDER = 'dist/src/cli';
/** What the bundled program may load later; any other command is not started from the bundle. */
const LATER = /\/(verify|fault|commands|[a-z-]+-program)\.js$/;
/** What most bundles have no need of: modules of functions alone, each loaded when one of its functions is called. */
const LATE =
  /\/(url-state-machine|markup\/(html|xml|markdown)|verify\/(integrity|pcm-stage|pcm-documents)|cli\/paint|store\/config)\.js$/;

/** Packages in a file of their own, by names that are imported: a bundle that is well, and is of no markup or odd URL, is verified without. */
const PACKAGES = ['parse5', 'saxes', 'mdast-util-from-markdown', 'whatwg-url/lib/url-state-machine.js'];
const ZOD = `${FOLDER}/noted-schema.js`;

const FOUND = {};

/** A module of functions that load the module of a file, and are then its own. */
const lateModule = async (file) => {
  const names = Object.entries(await import(file)).flatMap(([name, value]) =>
    typeof value === 'function' && name !== 'default' ? [name] : [],
  );
  const own = names.map((name) => `export const ${name} = (...args) => loaded().${name}(...args);`);
  const named = PACKAGES.find((name) => file.endsWith(`/node_modules/${name}`)) ?? file;
  return [`let module;`, `const loaded = () => (module ??= require(${JSON.stringify(named)}));`, ...own].join('\n');
};

const required = (name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`;
const NOTED_ZOD = 'zod of what is noted';
const PACKAGES_ENTRY = `
  const PACKAGES = { zod: () => require('${NOTED_ZOD}'), ${PACKAGES.map(required).join(', ')} };
  module.exports = (name) => PACKAGES[name]();`;
const zodNames = Object.keys(await import(`../${ZOD}`));

const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
};
/** What `runBundle` calls. */
const FUNCTION = {
  banner: { js: '(function (exports, require, module, bundledPackage) {' },
  footer: { js: '})' },
};
const WORKER = 'dist/src/fleet/worker.js';

await build({ ...COMMON, entryPoints: [WORKER], outfile: WORKER, allowOverwrite: true, format: 'esm' });
await build({
  ...COMMON,
  entryPoints: [`${FOLDER}/main.js`],
  outfile: `${FOLDER}/main.cjs`,
  format: 'cjs',
  external: ['./program.js'],
  define: { 'import.meta.dirname': '__dirname' },
});
chmodSync(`${FOLDER}/main.cjs`, 0o755);
await build({
  ...COMMON,
  entryPoints: [`${FOLDER}/program.js`],
  outfile: `${FOLDER}/program.cjs`,
  format: 'cjs',
  define: { 'import.meta.bundled': 'true' },
  ...FUNCTION,
  // A module that asks where it stands would be told wrong, and one that makes a schema of what is not noted gets none.
  logOverride: { 'empty-import-meta': 'error', 'import-is-undefined': 'error' },
  plugins: [
    {
      name: 'no more than is started from here',
      setup: (bundle) => {
        bundle.onResolve({ filter: /./ }, ({ kind, path }) =>
          kind === 'dynamic-import' && !LATER.test(path) ? { path, external: true } : undefined,
        );
        // The parser of arguments can run other programs as commands; we have none, and loading that brings the network along.
        bundle.onResolve({ filter: /^node:child_process$/ }, () => ({ path: 'none', namespace: 'none' }));
        bundle.onLoad({ filter: /./, namespace: 'none' }, () => ({ contents: '' }));
        bundle.onResolve({ filter: /^zod$/ }, () => ({ path: resolve(ZOD) }));
        bundle.onLoad({ filter: /./, namespace: 'package' }, ({ path }) => ({
          contents: `module.exports = bundledPackage(${JSON.stringify(path)});`,
        }));
        bundle.onResolve({ filter: /\.js$/ }, async ({ path, kind, resolveDir, pluginData }) => {
          if (kind !== 'import-statement' || pluginData === FOUND) return;
          const found = await bundle.resolve(path, { kind, resolveDir, pluginData: FOUND });
          return LATE.test(found.path) ? { path: found.path, namespace: 'late' } : undefined;
        });
        bundle.onResolve({ filter: /./ }, ({ path }) =>
          PACKAGES.includes(path) ? { path, namespace: 'package' } : undefined,
        );
        bundle.onLoad({ filter: /./, namespace: 'late' }, async ({ path }) => ({
          contents: await lateModule(path),
          resolveDir: dirname(path),
        }));
      },
    },
  ],
});

await build({
  ...COMMON,
  ...FUNCTION,
  stdin: { contents: PACKAGES_ENTRY, resolveDir: '.' },
  outfile: `${FOLDER}/packages.cjs`,
  format: 'cjs',
  plugins: [
    {
      name: 'no more of zod than is noted',
      setup: (bundle) => {
        bundle.onResolve({ filter: RegExp(NOTED_ZOD) }, ({ path }) => ({ path, namespace: 'noted' }));
        bundle.onLoad({ filter: /./, namespace: 'noted' }, () => ({
          contents: `export { ${zodNames.join(', ')} } from 'zod';`,
          resolveDir: '.',
        }));
      },
    },
  ],
});

// The cache holds the code that has run, as bytecode: V8 drops some of it after a while, and what was compiled further it would compile again at each start.
const FLAGS = ['flush-bytecode', 'sparkplug'];
for (const flag of FLAGS) setFlagsFromString(`--no-${flag}`);
const { cacheOf, runBundle } = await import(`../${FOLDER}/bundled.js`);
const packages = runBundle('packages');
const program = runBundle('program', undefined, packages.exports);
const folder = mkdtempSync(join(tmpdir(), 'forensictrace-bundle-'));
for (const [at, name] of readdirSync('traces')
  .filter((file) => file.endsWith('.bundle.json'))
  .entries()) {
  const receipt = join('receipts', name.replace('.bundle.', '.receipt.'));
  const by = ['profiles/experiment.json', '--trust', 'receipts/trust.json', '--out', join(folder, 'report')];
  // The parser of arguments is asked once: without such an option it is not.
  if (at === 0) by.push('--mode', 'full');
  await program.exports.main(['node', 'forensictrace', 'verify', join('traces', name), receipt, ...by]);
  if (process.exitCode > 1) throw new Error(`the bundled program cannot verify ${name}`);
}
process.exitCode = 0;
rmSync(folder, { recursive: true });
// V8 takes a cache only under the flags that it was made under.
for (const flag of FLAGS) setFlagsFromString(`--${flag}`);
for (const [name, { script }] of Object.entries({ packages, program })) {
  writeFileSync(cacheOf(name), script.createCachedData());
}
