import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Profile } from '../../src/rules/profile.ts';
import { routing } from '../../src/rules/routing.ts';
import { expectMinimal, expectPath, findings, profile, Trace, told } from './support.ts';

const by = (co: Partial<Profile['co']>) => profile({ co });
const CYCLE = 'CO_CYCLE_WITHOUT_PROGRESS';
const HOPS = 'CO_TOO_MANY_HOPS_WITHOUT_PROGRESS';

describe('a forest against a second reading of the rule', () => {
  type Drawn = {
    readonly up: number;
    readonly from: boolean;
    readonly to: 'a' | 'b' | 'c';
    readonly progress: boolean | null;
    readonly outcome: 'ok' | 'failed' | null;
    readonly linked: boolean;
  };
  const drawn: fc.Arbitrary<Drawn> = fc.record({
    up: fc.integer({ min: -2, max: 3 }),
    from: fc.boolean(),
    to: fc.constantFrom('a', 'b', 'c'),
    progress: fc.constantFrom(false, false, false, false, false, true, null),
    outcome: fc.constantFrom('ok', 'ok', 'failed', null),
    linked: fc.constantFrom(true, true, true, true, true, false),
  });
  type Full = Drawn & { readonly source: string; readonly parent: number | 'root' | 'unknown' };

  const grow = (steps: readonly Drawn[]): readonly Full[] => {
    const grown: Full[] = [];
    for (const step of steps) {
      const at = grown.length - 1 - Math.max(0, step.up);
      const parent = step.up === -2 && grown.length % 5 === 0 ? 'unknown' : at < 0 ? 'root' : at;
      const before = typeof parent === 'number' ? grown[parent] : undefined;
      grown.push({ ...step, parent, source: before === undefined ? 'a' : step.from ? before.to : before.source });
    }
    return grown;
  };

  /** Walks up from every step anew, as the page reads. */
  const reference = (steps: readonly Full[], limits: Profile['co']): readonly string[] => {
    const isStall = (i: number) => {
      const step = steps[i]!;
      return step.linked && step.parent !== 'unknown' && step.progress === false;
    };
    const excessOf = (last: number): { top: number; reason: string } | undefined => {
      const segment: number[] = [];
      for (let i: number | string = last; typeof i === 'number' && isStall(i); i = steps[i]!.parent) segment.unshift(i);
      if (segment.length === 0) return undefined;
      const visited = [steps[segment[0]!]!.source];
      const closures: string[] = [];
      let hops = 0;
      let isCounted = false;
      for (const i of segment) {
        const step = steps[i]!;
        const before = typeof step.parent === 'number' ? steps[step.parent] : undefined;
        const repeats = before !== undefined && before.source === step.source && before.to === step.to;
        isCounted = !(repeats && before.outcome !== 'ok');
        if (isCounted) {
          hops++;
          if (visited.includes(step.to)) closures.push(step.to);
        }
        visited.push(step.to);
      }
      if (!isCounted) return undefined;
      const returns = closures.filter((agent) => agent === steps[last]!.to).length;
      if (returns > limits.max_cycle_repeats && closures.at(-1) === steps[last]!.to)
        return { top: segment[0]!, reason: CYCLE };
      return hops > limits.max_hops ? { top: segment[0]!, reason: HOPS } : undefined;
    };
    const first = new Map<number, string>();
    for (const i of steps.keys()) {
      const excess = excessOf(i);
      if (excess !== undefined && !first.has(excess.top)) first.set(excess.top, `${excess.reason} s${i}`);
    }
    return [...first.entries()].sort(([a], [b]) => a - b).map(([, statement]) => statement);
  };

  const limits = fc.record({
    max_cycle_repeats: fc.integer({ min: 0, max: 3 }),
    max_hops: fc.integer({ min: 1, max: 8 }),
  });

  test('finds the same steps for the same reason', () => {
    let found = 0;
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 24 }), limits, (draws, co) => {
        const steps = grow(draws);
        const trace = new Trace();
        for (const [i, { parent, source, to, progress, outcome, linked }] of steps.entries()) {
          trace.add('exchanges', `x${i}`);
          trace.add('routing_events', `s${i}`, {
            exchange_id: linked ? `x${i}` : null,
            predecessor: typeof parent === 'number' ? `s${parent}` : parent,
            source_agent: source,
            destination_agent: to,
            progress,
            outcome,
          });
        }
        const outcome = routing.judge(trace.graph(), by(co));
        const indicated = findings(outcome);
        found += indicated.length;
        expect(told(indicated)).toEqual(reference(steps, co));
        for (const finding of indicated) {
          expectPath(finding);
        }
        if (outcome.statements.length < 4) {
          for (const statement of outcome.statements) expectMinimal(routing.judge, statement, by(co));
        }
        const unanchored = steps.filter(({ linked, parent }) => !linked || parent === 'unknown').length;
        expect(outcome.statements.filter(({ reason }) => reason === 'ANCHOR_MISSING')).toHaveLength(unanchored);
      }),
      { numRuns: 400 },
    );
    expect(found).toBeGreaterThan(100);
  });
});

describe('a long segment', () => {
  test('finds what exceeds behind ten thousand retries, and keeps of them what joins', () => {
    const trace = new Trace();
    for (let i = 0; i < 10_000; i++) {
      const ends = i < 9_990 || i % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
      const [source_agent, destination_agent] = ends as [string, string];
      const predecessor = i === 0 ? 'root' : `s${i - 1}`;
      trace.add('exchanges', `x${i}`);
      trace.add('routing_events', `s${i}`, {
        exchange_id: `x${i}`,
        predecessor,
        source_agent,
        destination_agent,
        outcome: i < 9_990 ? 'failed' : 'ok',
      });
    }
    const limits = by({ max_cycle_repeats: 1, max_hops: 100 });
    const [finding, ...others] = routing.judge(trace.graph(), limits).statements;
    expect(others).toEqual([]);
    expect(`${finding!.reason} ${finding!.affected.id}`).toBe(`${CYCLE} s9993`);
    expect(finding!.path).toHaveLength(2 * 9_994 + 1);
    // The last retry and three steps with their exchanges, and the step before them.
    expect(expectMinimal(routing.judge, finding!, limits)).toHaveLength(4 * 4 + 1);
  });
});
