import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { treeOf, workTreeOf } from '../../src/attest/executor/git-tree.ts';

/** A repository of a test, with what git itself says of it. */
const repository = (files: Readonly<Record<string, string>> = { 'a.py': 'a\n', 'sub/b.py': 'b\n' }) => {
  const folder = mkdtempSync(join(tmpdir(), 'ft-repo-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const write = (name: string, text: string): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  git('init', '--quiet');
  for (const [name, text] of Object.entries(files)) write(name, text);
  const commit = (): string => {
    git('add', '-A');
    git('-c', 'user.name=t', '-c', 'user.email=t@example', 'commit', '--quiet', '-m', 'one');
    return git('rev-parse', 'HEAD^{tree}');
  };
  const tree = async (): Promise<string> => {
    const reading = await treeOf(folder);
    if ('tree' in reading) return reading.tree;
    throw new Error(JSON.stringify(reading));
  };
  return { folder, git, write, commit, tree };
};

describe('the git tree of a work tree', () => {
  it('is that which git commits, with modes and links', async () => {
    const { folder, commit, tree } = repository({
      'a.py': 'a\n',
      'run.sh': '#!/bin/sh\n',
      'ü/b.py': 'b\r\n',
      '.gitignore': 'out/\n',
      'out/x': 'x',
    });
    chmodSync(join(folder, 'run.sh'), 0o755);
    symlinkSync('a.py', join(folder, 'link'));
    expect(await tree()).toBe(commit());
  });

  it('holds untracked files and unstaged changes, and passes over what .gitignore names', async () => {
    const { write, commit, tree } = repository({ 'a.py': 'a\n', '.gitignore': '*.pyc\n' });
    const first = commit();
    write('a.pyc', 'compiled');
    expect(await tree()).toBe(first);
    write('conftest.py', 'new\n');
    const second = await tree();
    write('a.py', 'other\n');
    const third = await tree();
    expect(new Set([first, second, third]).size).toBe(3);
    expect(third).toBe(commit());
  });

  it("leaves the repository's own index and objects as they are, and nothing behind", async () => {
    const { folder, git, write, commit, tree } = repository();
    commit();
    write('a.py', 'changed\n');
    const index = readFileSync(join(folder, '.git/index'));
    const objects = git('count-objects');
    // Other tests use that of the system meanwhile.
    const temporary = mkdtempSync(join(tmpdir(), 'ft-temporary-'));
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(temporary, { recursive: true });
    });
    await tree();
    expect(readFileSync(join(folder, '.git/index'))).toEqual(index);
    expect(git('count-objects')).toBe(objects);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('is found from a folder within', () => {
    const { folder } = repository();
    expect([workTreeOf(join(folder, 'sub')), workTreeOf(folder), workTreeOf('/')]).toEqual([folder, folder, null]);
  });
});

describe('a repository that lies', () => {
  const planted = 'planted';
  it.each<[string, (repo: ReturnType<typeof repository>) => void]>([
    [
      'a filter that has every file hash as the same',
      ({ git, write }) => {
        git('config', 'filter.same.clean', `touch ${planted}; echo same`);
        write('.gitattributes', '* filter=same\n');
      },
    ],
    ['a monitor of files', ({ git }) => git('config', 'core.fsmonitor', `touch ${planted}; true`)],
    [
      'hooks',
      ({ folder, git, write }) => {
        for (const hook of ['post-index-change', 'pre-commit']) {
          write(`.git/own/${hook}`, `#!/bin/sh\ntouch ${folder}/${planted}\n`);
          chmodSync(join(folder, '.git/own', hook), 0o755);
        }
        git('config', 'core.hooksPath', '.git/own');
      },
    ],
    ['a list of files to pass over outside the tree', ({ write }) => write('.git/info/exclude', '*\n')],
    ['attributes outside the tree', ({ write }) => write('.git/info/attributes', '* text ident\n')],
    ['files it is told not to look at', ({ git }) => git('update-index', '--assume-unchanged', 'a.py')],
    ['another work tree', ({ git }) => git('config', 'core.worktree', '/nowhere')],
    ['a configuration that git cannot read', ({ write }) => write('.git/config', '[')],
  ])('%s: the change of a file shows, and nothing of it is run', async (_, lie) => {
    const repo = repository();
    repo.commit();
    lie(repo);
    const before = await repo.tree();
    repo.write('a.py', 'changed\n');
    expect(await repo.tree()).not.toBe(before);
    expect(existsSync(join(repo.folder, planted))).toBe(false);
  });

  it.each([
    ['line ends', '* text=auto eol=lf\n', 'a\n', 'a\r\n'],
    ['the legacy of line ends', '* crlf=input\n', 'a\n', 'a\r\n'],
    ['a word between dollars', '* ident\n', '# $Id$\n', '# $Id: other $\n'],
    ['an encoding', '*.py working-tree-encoding=UTF-16LE\n', 'a\0', '\ufeffa\0'],
  ])(
    'an attribute of the tree that hides %s changes nothing: files are their bytes',
    async (_, attributes, one, other) => {
      const repo = repository({ '.gitattributes': attributes, 'a.py': one });
      const before = await repo.tree();
      repo.write('a.py', other);
      expect(await repo.tree()).not.toBe(before);
    },
  );

  it('with a repository within binds nothing, since git hashes none of its files', async () => {
    const repo = repository();
    repo.write('a-within/x.py', 'x\n');
    repo.git('-C', 'a-within', 'init', '--quiet');
    repo.git('-C', 'a-within', 'add', '-A');
    repo.git('-C', 'a-within', '-c', 'user.name=t', '-c', 'user.email=t@example', 'commit', '--quiet', '-m', 'one');
    expect(await treeOf(repo.folder)).toEqual({ none: 'a repository lies within' });
  });

  it('with a .git that is no repository is hashed without what lies in that', async () => {
    const repo = repository();
    const before = await repo.tree();
    repo.write('sub/.git/hidden.py', 'x\n');
    expect(await repo.tree()).toBe(before);
    repo.write('sub/new.py', 'x\n');
    expect(await repo.tree()).not.toBe(before);
  });

  it('with names that look like entries of git is hashed as it is', async () => {
    const repo = repository({ 'a\n160000 b': 'x\n', '160000 c': 'y\n', '160000 d/e': 'z\n', '\x1b[2J': 'w\n' });
    expect(await repo.tree()).toBe(repo.commit());
  });

  it('a .gitignore that is a link passes over nothing', async () => {
    const repo = repository();
    writeFileSync(join(repo.folder, 'names'), '*.py\n');
    symlinkSync('names', join(repo.folder, '.gitignore'));
    const before = await repo.tree();
    repo.write('a.py', 'changed\n');
    expect(await repo.tree()).not.toBe(before);
  });

  it('links that lead out are hashed as links', async () => {
    const repo = repository();
    symlinkSync('/etc', join(repo.folder, 'etc'));
    symlinkSync('loop', join(repo.folder, 'loop'));
    expect(await repo.tree()).toBe(repo.commit());
  });

  it('a pipe is passed over', async () => {
    const repo = repository();
    const before = await repo.tree();
    execFileSync('mkfifo', [join(repo.folder, 'pipe')]);
    expect(await repo.tree()).toBe(before);
  });

  it('a file larger than the bound, and a tree that takes too long, bind nothing', async () => {
    const repo = repository();
    writeFileSync(join(repo.folder, 'large'), randomBytes(64 * 1024));
    const none = { none: 'git failed', why: expect.any(String) };
    expect(await treeOf(repo.folder, { timeoutMs: 60_000, fileBlocks: 64 })).toEqual(none);
    expect(await treeOf(repo.folder, { timeoutMs: 1, fileBlocks: 4096 })).toEqual(none);
    expect(await treeOf(repo.folder, { timeoutMs: 60_000, fileBlocks: 4096 })).toEqual({ tree: repo.commit() });
  });

  it('a folder that is gone is no tree, and git says why', async () => {
    expect(await treeOf('/nowhere/at/all')).toEqual({ none: 'git failed', why: expect.any(String) });
  });
});
