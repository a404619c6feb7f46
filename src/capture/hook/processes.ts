import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { basename } from 'node:path';
import type { Reporter } from './reporter.ts';

/** Tells which processes this one starts and how they end: one that never says hello was not watched, one that a signal ended could not say bye. */
export const tapProcesses = (reporter: Reporter): void =>
  subscribe('child_process', (message) => {
    const { process: child } = message as { readonly process: ChildProcess };
    child.once('spawn', () =>
      reporter.attempt('note a process', () => {
        const { pid, spawnfile } = child;
        if (pid === undefined) return;
        reporter.channel.send({ t: 'spawned', pid, program: basename(spawnfile) });
        child.once('exit', (code, signal) =>
          reporter.attempt('note the end of a process', () =>
            reporter.channel.send({ t: 'exited', pid, code, signal }),
          ),
        );
      }),
    );
  });
