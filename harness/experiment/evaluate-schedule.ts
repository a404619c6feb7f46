import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { canonical, FAMILIES, type JsonObject } from '../../src/index.ts';
import { type Fault, fault } from './evaluate-faults.ts';
import type { ResultFiles } from './evaluate-files.ts';
import { CHOOSER_ROLES, type Choice, type Layout, type Outcome, type ScheduledRun, Side } from './model.ts';
import { makeSchedule } from './schedule.ts';

/** A scheduled run with all that is there of it. */
export type CompleteRun = {
  readonly run: ScheduledRun;
  readonly outcome: Outcome;
  /** One of each role that was asked, the acting chooser first. */
  readonly choices: readonly [Choice, ...Choice[]];
};

const grouped = <T extends { readonly run_id: string }>(rows: readonly T[]): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.run_id);
    if (group === undefined) groups.set(row.run_id, [row]);
    else group.push(row);
  }
  return groups;
};

/** Whether the schedule is the one that the settings name, and the one that follows from its seed: nobody chose an order afterwards. */
export const checkSchedule = ({ schedule, settings, digests }: ResultFiles, layout: Layout): readonly Fault[] => {
  const at = basename(layout.schedule);
  const digest = digests.get(at);
  const faults =
    digest === settings.schedule_sha256
      ? []
      : [fault('SCHEDULE_NOT_AS_SET', at, `the settings name ${settings.schedule_sha256}; it has ${digest}`)];
  const { kind, seed, repetitions, runs } = schedule;
  const whole = FAMILIES.length * Side.options.length * repetitions;
  if (runs.length !== whole) {
    faults.push(fault('SCHEDULE_NOT_OF_SEED', at, `${runs.length} runs; ${repetitions} repetitions are ${whole}`));
  } else if (canonical(makeSchedule(kind, seed, repetitions) as JsonObject) !== canonical(schedule as JsonObject)) {
    faults.push(fault('SCHEDULE_NOT_OF_SEED', at, `another order or other runs follow from the seed ${seed}`));
  }
  return faults;
};

const filesOf = (folder: string, ending: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length));

const unscheduled = (files: ResultFiles, layout: Layout): readonly Fault[] => {
  const known = new Set(files.schedule.runs.map(({ run_id }) => run_id));
  const there: readonly (readonly [string, readonly string[]])[] = [
    ['an outcome', files.outcomes.map(({ run_id }) => run_id)],
    ['a choice', files.choices.map(({ run_id }) => run_id)],
    ['a bundle', filesOf(layout.traces, '.bundle.json')],
    ['a receipt', filesOf(layout.receipts, '.receipt.json')],
  ];
  return there.flatMap(([what, ids]) =>
    [...new Set(ids)].filter((id) => !known.has(id)).map((id) => fault('RUN_ADDITIONAL', id, `there is ${what}`)),
  );
};

/** Finds what belongs to each scheduled run; returns the runs that are complete, and what is missing, additional or there twice. */
export const collectRuns = (
  files: ResultFiles,
  layout: Layout,
): { readonly runs: readonly CompleteRun[]; readonly faults: readonly Fault[] } => {
  const faults = [...unscheduled(files, layout)];
  const outcomes = grouped(files.outcomes);
  const choices = grouped(files.choices);
  const roles = CHOOSER_ROLES.filter((role) => role !== 'content-free' || files.settings.chooser.model !== null);
  const runs = files.schedule.runs.flatMap((run): readonly CompleteRun[] => {
    const { run_id } = run;
    const [outcome, ...otherOutcomes] = outcomes.get(run_id) ?? [];
    const replies = choices.get(run_id) ?? [];
    const ofRoles = roles.flatMap((role) => replies.find((choice) => choice.role === role) ?? []);
    const missing = [
      ...(outcome === undefined ? ['outcome'] : []),
      ...roles.filter((role) => !ofRoles.some((choice) => choice.role === role)).map((role) => `reply (${role})`),
      ...(existsSync(layout.bundleOf(run_id)) ? [] : ['bundle']),
      ...(existsSync(layout.receiptOf(run_id)) ? [] : ['receipt']),
    ];
    if (missing.length > 0) faults.push(fault('RUN_MISSING', run_id, `missing: ${missing.join(', ')}`));
    if (otherOutcomes.length > 0 || replies.length > ofRoles.length) {
      const detail = `${otherOutcomes.length + 1} outcomes and ${replies.length} replies of ${roles.length} choosers`;
      faults.push(fault('RUN_REPEATED', run_id, detail));
    }
    const [acting, ...beside] = ofRoles;
    return missing.length > 0 || outcome === undefined || acting === undefined
      ? []
      : [{ run, outcome, choices: [acting, ...beside] }];
  });
  return { runs, faults };
};
