import { field } from './layout.ts';
import type { Report, ReportStatement } from './model.ts';

const SHOWN = 20;

/** What keeps a verdict from being consistent: where and why. */
export type Fault = { readonly reason: string; readonly where: string; readonly seen: string };

const ofStatement = ({ reason, affected, explanation, missing }: ReportStatement): Fault => ({
  reason,
  where: `${affected.type} ${affected.id}`,
  seen: missing.length === 0 ? explanation : `${explanation} (missing: ${missing.join(', ')})`,
});

/** All that a report holds against its evidence, what weighs most first. */
export const faultsOf = ({ refusals, findings, inconclusive, verdict_reasons }: Report): readonly Fault[] => [
  ...refusals.map(({ reason, at, detail }) => ({
    reason,
    where: [at.input, at.collection, at.id, at.pointer].filter((part) => part).join(' '),
    seen: detail,
  })),
  ...findings.map(ofStatement),
  ...inconclusive.map(ofStatement),
  ...verdict_reasons.map(({ reason, detail }) => ({ reason, where: 'the trace as a whole', seen: detail })),
];

/** The faults in few lines, for who has no room for the whole report; neutralised. */
export const briefOf = (faults: readonly Fault[]): readonly string[] => [
  ...faults
    .slice(0, SHOWN)
    .flatMap(({ reason, where, seen }) => [
      ...field(reason, where).map((line) => line.slice(2)),
      ...field('seen', seen),
    ]),
  ...(faults.length > SHOWN ? [`  … and ${faults.length - SHOWN} more`] : []),
];
