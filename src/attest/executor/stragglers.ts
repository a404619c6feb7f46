import { readdirSync, readFileSync } from 'node:fs';
import { newId } from '../ids.ts';

const NAME = 'FORENSICTRACE_CALL';
/** What is killed may have started another meanwhile, and is found once more until the system has cleared it away. */
const MAX_PASSES = 16;

/** A mark of one command, to be put into its environment: what the command starts has it too, whatever process group that puts itself into. */
export const newMark = (): { readonly [NAME]: string } => ({ [NAME]: newId() });

const hasMark = (pid: string, mark: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark);
  } catch {
    // It has ended, or is another user's, whom this command cannot have become.
    return false;
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

/** Kills each process that still has a mark. Without /proc nothing is found; nor is a process that was started with another environment. */
export const endMarked = (mark: ReturnType<typeof newMark>): void => {
  const text = `${NAME}=${mark[NAME]}`;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const left = processes().filter((pid) => hasMark(pid, text));
    if (left.length === 0) return;
    left.forEach(kill);
  }
};
