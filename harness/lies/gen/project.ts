import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Runner = 'pytest' | 'vitest';

/** A suite: the file it is in, the command line that runs it, and the tool by which the executor does. */
export type Suite = { readonly runner: Runner; readonly file: string; readonly command: string; readonly tool: string };

/** Two projects under git, one of each runner, with a suite in each file. */
export class Projects {
  readonly folders: Readonly<Record<Runner, string>>;
  private readonly path: string;

  /** Takes the folder to make them in, and what programs are found by. */
  constructor(folder: string, path: string) {
    this.path = path;
    this.folders = { pytest: join(folder, 'pytest'), vitest: join(folder, 'vitest') };
  }

  async make(): Promise<void> {
    for (const [runner, folder] of Object.entries(this.folders)) {
      mkdirSync(join(folder, 'tests'), { recursive: true });
      writeFileSync(join(folder, '.gitignore'), '__pycache__/\n.pytest_cache/\nnode_modules/\n');
      if (runner === 'vitest') writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
      await run('git', ['init', '-q', folder]);
    }
  }

  /** Writes the suite of a name, so that it passes or fails. */
  suite(runner: Runner, name: string, passes: boolean): Suite {
    const sum = passes ? 3 : 4;
    const [file, text, command] =
      runner === 'pytest'
        ? [`tests/test_${name}.py`, `def test_${name}():\n    assert 1 + 2 == ${sum}\n`, 'pytest -q']
        : [`tests/${name}.test.js`, `test('${name}', () => expect(1 + 2).toBe(${sum}));\n`, 'vitest run --globals'];
    writeFileSync(join(this.folders[runner], file), text);
    return { runner, file, command: `${command} ${file}`, tool: runner === 'pytest' ? 'Bash' : 'shell' };
  }

  /** Runs a command as the agent's own process would; returns the exit status. */
  async exitOf({ runner, command }: Suite): Promise<number> {
    const options = { cwd: this.folders[runner], env: { PATH: this.path } };
    return run('/bin/sh', ['-c', command], options).then(
      () => 0,
      ({ code }: { code: number }) => code,
    );
  }

  /** The git tree of a project as it stands, files included that were never added; the project's own index is not touched. */
  async treeOf(runner: Runner): Promise<string> {
    const cwd = this.folders[runner];
    const index = join(cwd, '.git', 'lies-index');
    const options = { cwd, env: { PATH: this.path, GIT_INDEX_FILE: index } };
    await run('git', ['add', '-A'], options);
    const { stdout } = await run('git', ['write-tree'], options);
    rmSync(index);
    return stdout.trim();
  }
}
