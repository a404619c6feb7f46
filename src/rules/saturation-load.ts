import type { RecordOf } from '../evidence/bundle.ts';
import type { Profile } from './profile.ts';

type Snapshot = RecordOf<'task_load_snapshots'>;

/** Each measurement that shows degradation, and the limit of the profile that it must be above. */
const LIMITS = [
  ['queue_depth', 'max_queue_depth'],
  ['latency_us', 'max_latency_us'],
  ['timeouts', 'max_timeouts'],
] as const satisfies readonly (readonly [keyof Snapshot, keyof Profile['hotf']])[];

type Excess = { readonly field: string; readonly value: number; readonly limit: number };

export const describeExcess = (excesses: readonly Excess[]): string =>
  excesses.map(({ field, value, limit }) => `${field} ${value} is above its limit ${limit}`).join(', ');

type LoadComparison = {
  /** Above a limit that the baseline was not above. */
  readonly risen: readonly Excess[];
  /** Above a limit, and there is no baseline. */
  readonly incomparable: readonly Excess[];
  /** Fields that the profile limits and that the snapshot, or the baseline it must be compared with, does not hold. */
  readonly unmeasured: readonly string[];
};

/** Compares a snapshot with the last one before the onset (null: none is known), limit by limit; a limit that is null is not looked at. */
export const compareLoad = (now: Snapshot, baseline: Snapshot | null, limits: Profile['hotf']): LoadComparison => {
  const risen: Excess[] = [];
  const incomparable: Excess[] = [];
  const unmeasured: string[] = [];
  for (const [field, name] of LIMITS) {
    const limit = limits[name];
    const value = now[field];
    if (limit === null) continue;
    if (value === null) unmeasured.push(field);
    else if (value > limit) {
      const before = baseline?.[field];
      if (before === undefined) incomparable.push({ field, value, limit });
      else if (before === null) unmeasured.push(field);
      else if (before <= limit) risen.push({ field, value, limit });
    }
  }
  return { risen, incomparable, unmeasured };
};
