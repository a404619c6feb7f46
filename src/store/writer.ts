import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** The process that writes a journal, so that another can tell whether it still does. */
export type Writer = {
  readonly pid: number;
  /** Where that number means something: on Linux one boot and one PID namespace, elsewhere the host name. */
  readonly machine: string;
  /** Clock ticks from boot to its start (proc(5)): a number that is used again has another. Null where the system does not tell. */
  readonly started: string | null;
};

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
};

const machine = (): string => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
};

/** State and start of a process (proc(5), stat: fields 3 and 22). The name before them may hold spaces and parentheses. */
const statOf = (pid: number): { readonly state: string; readonly started: string } | null => {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  const [state, started] = [fields[0], fields[19]];
  return state === undefined || started === undefined ? null : { state, started };
};

export const thisWriter = (): Writer => ({
  pid: process.pid,
  machine: machine(),
  started: statOf(process.pid)?.started ?? null,
});

/** Whether a process of this machine lives. A killed one stays in the table until its parent asks for its end. */
export const isAlive = (pid: number): boolean => {
  const stat = statOf(pid);
  if (stat !== null) return !['Z', 'X'].includes(stat.state);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Of a process on another machine, or in another container, this is false: nobody here can know. */
export const isRunning = ({ pid, machine: where, started }: Writer): boolean =>
  where === machine() && (started === null || statOf(pid)?.started === started) && isAlive(pid);
