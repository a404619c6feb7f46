import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../documents.ts';
import type { Difference } from '../score/outcomes.ts';

type Counted = { readonly count: number; readonly derived?: string };
type Published = {
  readonly source: string;
  readonly accepted: Readonly<Record<string, Counted>>;
  readonly honestRejected: Readonly<Record<string, Counted>>;
  readonly hypotheses: Readonly<Record<string, string>>;
};
export type Finding = { readonly id: string; readonly title: string; readonly text: string; readonly mended: string };
export type Departure = { readonly what: string; readonly why: string };

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(join(packageRoot(), 'harness', 'lies', name), 'utf8')) as T;

const { source, accepted, honestRejected, hypotheses } = read<Published>('published.json');
const told = (counted: Counted | undefined): string | null =>
  counted === undefined ? null : `${counted.count}${counted.derived === undefined ? '' : '*'}`;

/** What the README of the protocol prints of its own benchmark; null where it prints nothing. A count that was derived has a star. */
export const PUBLISHED = {
  source,
  accepted: (receiver: string): string | null => told(accepted[receiver]),
  honestRejected: (receiver: string): string | null => told(honestRejected[receiver]),
  hypothesis: (id: string): string | null => hypotheses[id] ?? null,
  count: (receiver: string): number | null => accepted[receiver]?.count ?? null,
};

/** What came of a dataset of another seed (scripts/lies-another-seed.ts), and the classes of which other things came. */
export const ANOTHER_SEED = read<{ readonly seed: string; readonly differences: readonly Difference[] }>(
  'another-seed.json',
);

/** What the runs taught, and what was done otherwise than pre-registered. */
export const { findings: FINDINGS, departures: DEPARTURES } = read<{
  readonly findings: readonly Finding[];
  readonly departures: readonly Departure[];
}>('findings.json');
