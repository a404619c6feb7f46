import { createHash } from 'node:crypto';
import { cpus, totalmem } from 'node:os';
import type { Choosers } from './choosers/choosers.ts';
import type { Schedule, Settings } from './model.ts';
import { documentText } from './write-once.ts';

/** The settings that all runs of a schedule share, on this machine. */
export const settingsOf = (choosers: Choosers, schedule: Schedule, sdk: Settings['sdk']): Settings => ({
  format: 'a2aft.experiment-settings.v1',
  chooser: choosers.settings,
  schedule_sha256: createHash('sha256').update(documentText(schedule)).digest('hex'),
  sdk,
  machine: {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model.trim() || 'unknown',
    memory_bytes: totalmem(),
  },
});
