/**
 * Puts the start of the command into one file of its own, with V8's cache of its code: `forensictrace verify` would else read some four hundred files and compile
 * them each time; and what a thread of `verify-all` runs, into one file. Run after the compiler, on what it made; the library and every other command stay as they are.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'dist/src/cli';
/** What the bundled program may load later; any other command is not started from the bundle. */
const LATER = /\/(verify|fault|[a-z-]+-program)\.js$/;
/** What most bundles have no need of: modules of functions alone, each loaded when one of its functions is called. */
const LATE =
  /\/(url-state-machine|markup\/(html|xml|markdown)|verify\/(integrity|pcm-stage|pcm-documents)|cli\/paint|store\/config)\.js$/;

const FOUND = {};

/** A module of functions that load the module of a file, and are then its own. */
const lateModule = async (file) => {
  const names = Object.entries(await import(file)).flatMap(([name, value]) =>
    typeof value === 'function' && name !== 'default' ? [name] : [],
  );
  const own = names.map((name) => `export const ${name} = (...args) => loaded().${name}(...args);`);
  return [`let module;`, `const loaded = () => (module ??= require(${JSON.stringify(file)}));`, ...own].join('\n');
};

const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
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
  banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
  footer: { js: '})' },
  // A module that asks where it stands would be told wrong.
  logOverride: { 'empty-import-meta': 'error' },
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
        bundle.onResolve({ filter: /\.js$/ }, async ({ path, kind, resolveDir, pluginData }) => {
          if (kind !== 'import-statement' || pluginData === FOUND) return;
          const found = await bundle.resolve(path, { kind, resolveDir, pluginData: FOUND });
          return LATE.test(found.path) ? { path: found.path, namespace: 'late' } : undefined;
        });
        bundle.onLoad({ filter: /./, namespace: 'late' }, async ({ path }) => ({
          contents: await lateModule(path),
          resolveDir: dirname(path),
        }));
      },
    },
  ],
});

const { CODE_CACHE, runBundle } = await import(`../${FOLDER}/bundled.js`);
const { program, script } = runBundle(undefined);
const folder = mkdtempSync(join(tmpdir(), 'forensictrace-bundle-'));
// The cache holds the code that has run.
for (const name of readdirSync('traces').filter((file) => file.endsWith('.bundle.json'))) {
  const receipt = join('receipts', name.replace('.bundle.', '.receipt.'));
  const by = ['profiles/experiment.json', '--trust', 'receipts/trust.json', '--out', join(folder, 'report')];
  await program.main(['node', 'forensictrace', 'verify', join('traces', name), receipt, ...by]);
  if (process.exitCode > 1) throw new Error(`the bundled program cannot verify ${name}`);
}
process.exitCode = 0;
rmSync(folder, { recursive: true });
writeFileSync(CODE_CACHE, script.createCachedData());
