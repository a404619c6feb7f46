/**
 * Puts the start of the command into one file of its own, with V8's cache of its code: `forensictrace verify` would else read some four hundred files and compile
 * them each time; and what a thread of `verify-all` runs, into one file. Run after the compiler, on what it made; the library and every other command stay as they are.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'dist/src/cli';
/** What the bundled program may load later; any other command is not started from the bundle. */
const LATER = /\/(verify|fault|[a-z-]+-program)\.js$/;

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
