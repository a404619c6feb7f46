import { spawn } from 'node:child_process';

const MAX_OUTPUT = 16 * 1024 * 1024;

/** Milliseconds, and the largest file that git may write, in blocks of 512 bytes (POSIX `ulimit -f`). */
export type GitBounds = { readonly timeoutMs: number; readonly fileBlocks: number };

/** Where one git works: `scratch` is its own folder, made for it and readable by nobody else; `work` is what it looks at. */
export type GitPlace = { readonly scratch: string; readonly work: string };

/**
 * The repository that git is told of is the scratch folder's, never the one that lies in the work tree: that one's configuration is the agent's, and could
 * name a filter that has files hash as others, a hook, a monitor of files, a list of files to pass over.
 */
const environmentOf = ({ scratch, work }: GitPlace): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: scratch,
  XDG_CONFIG_HOME: scratch,
  LC_ALL: 'C',
  GIT_DIR: `${scratch}/git`,
  GIT_WORK_TREE: work,
  GIT_INDEX_FILE: `${scratch}/index`,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
});

/** Takes where git works, its arguments and its bounds; resolves to what it printed, or rejects with Error in the words of git. */
export const runGit = (
  place: GitPlace,
  args: readonly string[],
  { timeoutMs, fileBlocks }: GitBounds,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `ulimit -f ${fileBlocks} && exec git "$@"`, 'git', ...args], {
      cwd: place.work,
      env: environmentOf(place),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed: Buffer[] = [];
    let length = 0;
    let said = '';
    let why: string | null = null;
    const stop = (reason: string): void => {
      why ??= reason;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop(`git did not end within ${Math.ceil(timeoutMs / 1000)} s`), timeoutMs);
    child.stdout.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > MAX_OUTPUT) stop('git printed too much');
      else printed.push(piece);
    });
    child.stderr.on('data', (piece: Buffer) => {
      said = `${said}${String(piece)}`.slice(0, 200);
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0 && why === null) resolve(Buffer.concat(printed));
      else reject(new Error(why ?? (said.trim() || `git ended with ${code ?? signal}`)));
    });
  });
