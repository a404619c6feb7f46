import { readdirSync, readFileSync } from 'node:fs';
import { newId } from '../ids.ts';

const NAME = 'FORENSICTRACE_CALL';
/** What is killed may have started another meanwhile, and is found once more until the system has cleared it away. */
const MAX_PASSES = 64;
const PAUSE_MS = 2;

/** A mark of one command, to be put into its environment: what the command starts has it too, whatever process group that puts itself into. */
export const newMark = (): { readonly [NAME]: string } => ({ [NAME]: newId() });

/**
 * Whether a process whose environment reads as empty is about to have one: between two programs its memory is there and
 * its environment is not. A process that has ended, or is the system's own, has no memory (proc(5), stat: vsize, env_start, env_end).
 */
const isBetweenPrograms = (pid: string): boolean => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [vsize, start, end] = [fields[20], fields[47], fields[48]];
  return vsize !== '0' && (start === '0' || start !== end);
};

type Seen = 'marked' | 'unknown' | 'other';

const look = (pid: string, mark: string): Seen => {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    if (environment.includes(mark)) return 'marked';
    return environment === '' && isBetweenPrograms(pid) ? 'unknown' : 'other';
  } catch {
    // It has ended, or is another user's, whom this command cannot have become.
    return 'other';
  }
};

const kill = (pid: string): void => {
  try {
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // It has ended.
  }
};

const processes = (): readonly string[] => {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
};

/** Holds the thread: the signer answers nobody while what it has to end is still there. */
const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

/** Kills each process that still has a mark. Without /proc nothing is found; nor is a process that was started with another environment. */
export const endMarked = (mark: ReturnType<typeof newMark>): void => {
  const text = `${NAME}=${mark[NAME]}`;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const left = processes().filter((pid) => {
      const seen = look(pid, text);
      if (seen === 'marked') kill(pid);
      return seen !== 'other';
    });
    if (left.length === 0) return;
    pause();
  }
};
