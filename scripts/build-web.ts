import { mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** The script of the HTML page, as one text: the verifier, its libraries and what draws the page, for browsers since 2023. */
export const webScript = async (entry = 'src/web/main.ts'): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: ['chrome115', 'firefox115', 'safari16.4'],
    charset: 'ascii',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outputFiles[0]!.text;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  mkdirSync('dist/web', { recursive: true });
  writeFileSync('dist/web/page.js', await webScript());
}
