import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from './cli/run.ts';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  'traces/README.md',
];

/** The lines of the `sh` fences of a page. */
const commandsOf = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
    block!
      .trim()
      .replace(/ *\\\n */g, ' ')
      .split('\n'),
  );

/** npm scripts are run by the check itself; that they exist, and that each works, is seen there. */
const isNpm = (line: string): boolean => /^npm (ci|test|run)\b/.test(line);

const run = (folder: string, line: string): Promise<{ code: number; output: string }> =>
  new Promise((done) => {
    const command = line.replace(/^npx forensictrace\b/, `node ${resolve('dist/src/cli/main.cjs')}`);
    execFile('sh', ['-c', command], { cwd: folder, env: { ...process.env, HOME: folder } }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });

const workFolder = (): string => {
  const folder = tempFolder();
  for (const name of ['traces', 'receipts', 'profiles', 'families', 'docs', 'node_modules', 'package.json', 'dist']) {
    symlinkSync(resolve(name), join(folder, name));
  }
  return folder;
};

describe.each(PAGES)('%s', (page) => {
  it('shows commands that work, with the exit code it states', async () => {
    const folder = workFolder();
    for (const line of commandsOf(page).filter((command) => !isNpm(command))) {
      const expected = Number(line.match(/# exits (\d)$/)?.[1] ?? 0);
      const { code, output } = await run(folder, line);
      expect([line, code, code === expected ? '' : output]).toEqual([line, expected, '']);
    }
  }, 240_000);

  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const named = commandsOf(page).flatMap((line) =>
      [...line.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name!),
    );
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('links only to what is there', () => {
    const text = readFileSync(page, 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, target]) =>
      join(page, '..', target!),
    );
    const missing = targets.filter((target) => {
      try {
        readdirSync(target);
        return false;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT';
      }
    });
    expect(missing).toEqual([]);
  });
});
