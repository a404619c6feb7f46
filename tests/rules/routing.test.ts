import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordOf } from '../../src/evidence/bundle.ts';
import type { Profile } from '../../src/rules/profile.ts';
import { routing } from '../../src/rules/routing.ts';
import {
  expectAnchored,
  expectMinimal,
  expectNothingWithoutEdges,
  expectPath,
  findings,
  profile,
  shown,
  Trace,
  told,
} from './support.ts';

type Step = Partial<RecordOf<'routing_events'>>;

/** Each step with its own exchange; `s0`, `s1`… follow one another unless a step names its predecessor. */
const routed = (steps: readonly Step[]): Trace => {
  const trace = new Trace();
  for (const [i, step] of steps.entries()) {
    const predecessor = i === 0 ? 'root' : `s${i - 1}`;
    trace.add('exchanges', `x${i}`);
    trace.add('routing_events', `s${i}`, { exchange_id: `x${i}`, predecessor, context_id: `context-${i}`, ...step });
  }
  return trace;
};
/** Sends along a list of agents: `abab` is a to b, b to a, a to b. */
const along = (agents: string, fields: Readonly<Record<number, Step>> = {}): readonly Step[] =>
  agents
    .slice(1)
    .split('')
    .map((destination_agent, i) => ({ source_agent: agents[i]!, destination_agent, ...fields[i] }));

const by = (co: Partial<Profile['co']> = {}) => profile({ co });
const judge = (steps: readonly Step[], profile = by()) => routing.judge(routed(steps).graph(), profile);
const said = (steps: readonly Step[], profile = by()) => told(judge(steps, profile).statements);
const CYCLE = 'CO_CYCLE_WITHOUT_PROGRESS';
const HOPS = 'CO_TOO_MANY_HOPS_WITHOUT_PROGRESS';

describe('two agents that hand one task to and fro', () => {
  const given = JSON.parse(readFileSync(new URL('../cases/flow/D2-loop.json', import.meta.url), 'utf8')) as {
    max_cycle_repeats: number;
    max_hops: number;
    steps: { id: string; predecessor: string; source: string; destination: string; outcome: 'ok'; progress: boolean }[];
  };
  const limits = by({ max_cycle_repeats: given.max_cycle_repeats, max_hops: given.max_hops });
  const loop = (fields: Readonly<Record<string, Step>> = {}): readonly Step[] =>
    given.steps.map(({ id, predecessor, source, destination, outcome, progress }) => ({
      predecessor,
      source_agent: source,
      destination_agent: destination,
      outcome,
      progress,
      ...fields[id],
    }));

  test('is one finding, on the first step past the limit', () => {
    const outcome = judge(loop(), limits);
    expect(outcome.triggers).toBe(8);
    expect(told(outcome.statements)).toEqual([`${CYCLE} s5`]);
    const [finding] = findings(outcome);
    expect(shown(finding?.path)).toEqual([
      'RuntimeExchange x0',
      'EXCHANGE_ROUTED_STEP',
      ...[0, 1, 2, 3, 4].flatMap((i) => [`RoutingEventEvidence s${i}`, 'ROUTING_STEP_FOLLOWS']),
      'RoutingEventEvidence s5',
    ]);
    expectPath(finding!);
    expect(finding?.explanation).toContain('3 returns to agent "a" (limit 2)');
    expect(finding?.explanation).toContain('6 steps');
  });

  test('rests on the exchange and the link of every step', () => {
    const [finding] = findings(judge(loop(), limits));
    expect(expectMinimal(routing.judge, finding!, limits)).toHaveLength(6 * 2 + 6 + 5);
  });

  test('is INCONCLUSIVE without any one anchor of the six steps, and without edges at all', () => {
    const trace = routed(loop().slice(0, 6));
    expectAnchored(routing.judge, trace, limits, ['EXCHANGE_ROUTED_STEP', 'ROUTING_STEP_FOLLOWS']);
    expectNothingWithoutEdges(routing.judge, trace, limits);
  });

  test('one step of progress restarts the count', () => {
    expect(said(loop({ s3: { progress: true } }), limits)).toEqual([]);
  });

  test('progress that was not seen: INCONCLUSIVE, naming it', () => {
    const { statements } = judge(loop({ s2: { progress: null } }), limits);
    expect(told(statements)).toEqual(['FACT_MISSING s2']);
    expect(statements[0]?.missing).toEqual(['progress']);
  });

  test('an unknown predecessor: INCONCLUSIVE, naming the link', () => {
    const { statements } = judge(loop({ s2: { predecessor: 'unknown' } }), limits);
    expect(told(statements)).toEqual(['ANCHOR_MISSING s2']);
    expect(statements[0]?.missing).toEqual(['ROUTING_STEP_FOLLOWS']);
  });

  test('one unseen fact does not hide a loop that exceeds the limit after it', () => {
    expect(said(along('ababababa', { 0: { progress: null } }))).toEqual(['FACT_MISSING s0', `${CYCLE} s6`]);
    expect(said(along('ababababa', { 0: { predecessor: 'unknown' } }))).toEqual(['ANCHOR_MISSING s0', `${CYCLE} s6`]);
  });
});

describe('limits', () => {
  test.each([
    [0, `${CYCLE} s1`],
    [1, `${CYCLE} s3`],
    [2, `${CYCLE} s5`],
  ])('max_cycle_repeats %i', (max_cycle_repeats, expected) => {
    expect(said(along('abababa'), by({ max_cycle_repeats }))).toEqual([expected]);
  });

  test('closures are counted for each agent', () => {
    expect(said(along('abcabcab'), by({ max_cycle_repeats: 2 }))).toEqual([]);
    expect(said(along('abcabcabca'), by({ max_cycle_repeats: 2 }))).toEqual([`${CYCLE} s8`]);
  });

  test('more steps than max_hops, although no agent comes again', () => {
    expect(said(along('abcd'), by({ max_hops: 3 }))).toEqual([]);
    const [finding, ...others] = judge(along('abcdefg'), by({ max_hops: 3 })).statements;
    expect([finding?.reason, finding?.affected.id, others]).toEqual([HOPS, 's3', []]);
    expect(finding?.explanation).toContain('limit of 3 steps');
    expectPath(finding!);
    expect(expectMinimal(routing.judge, finding!, by({ max_hops: 3 }))).toHaveLength(4 * 2 + 4 + 3);
  });

  test('a segment after progress rests on the link to the step before it too', () => {
    const steps = along('xabcde', { 0: { progress: true } });
    const [finding] = findings(judge(steps, by({ max_hops: 3 })));
    expect(finding?.path[0]).toMatchObject({ id: 'x1' });
    const minimal = shown(expectMinimal(routing.judge, finding!, by({ max_hops: 3 })));
    expect(minimal).toContain('RoutingEventEvidence s0');
    expect(minimal).not.toContain('RuntimeExchange x0');
  });
});

describe('no finding', () => {
  test('ping-pong with progress', () => {
    const steps = along('abababababababab').map((step) => ({ ...step, progress: true }));
    expect(said(steps)).toEqual([]);
  });

  test('a diamond: separate paths are not added up', () => {
    const diamond: readonly Step[] = [
      { source_agent: 'o', destination_agent: 'a' },
      { source_agent: 'a', destination_agent: 'b', predecessor: 's0' },
      { source_agent: 'a', destination_agent: 'c', predecessor: 's0' },
      { source_agent: 'b', destination_agent: 'd', predecessor: 's1' },
      { source_agent: 'c', destination_agent: 'd', predecessor: 's2' },
    ];
    expect(said(diamond, by({ max_cycle_repeats: 0, max_hops: 3 }))).toEqual([]);
    expect(said(diamond, by({ max_hops: 2 }))).toEqual([`${HOPS} s3`]);
  });

  test('retries of a failed send are not counted, other repeats are', () => {
    const failed = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [i, { outcome: 'failed' as const }]));
    const repeats = Array.from({ length: 9 }, (_, i) => ({ source_agent: 'a', destination_agent: 'b', ...failed[i] }));
    expect(said(repeats, by({ max_cycle_repeats: 0, max_hops: 1 }))).toEqual([]);
    expect(said(repeats.map((step) => ({ ...step, outcome: 'ok' as const })))).toEqual([`${CYCLE} s3`]);
    const back = [...repeats.slice(0, 2), { source_agent: 'b', destination_agent: 'a' }];
    expect(said(back, by({ max_cycle_repeats: 0 }))).toEqual([`${CYCLE} s2`]);
    const [finding] = findings(judge(back, by({ max_cycle_repeats: 0 })));
    expect(finding?.explanation).toContain('2 steps without progress from RoutingEventEvidence s0 on, 1 retries');
  });

  test('a repeat of a send whose outcome was not seen: INCONCLUSIVE, and not counted', () => {
    const repeats = along('ab').concat(along('ab'));
    const [first, second] = repeats as [Step, Step];
    const { statements } = judge([{ ...first, outcome: null }, second], by({ max_cycle_repeats: 0 }));
    expect(statements).toMatchObject([{ reason: 'FACT_MISSING', missing: ['outcome'], affected: { id: 's1' } }]);
  });

  test('polling is exchanges without a routing step: no trigger', () => {
    const trace = routed(along('ab'));
    for (let i = 0; i < 50; i++) trace.add('exchanges', `poll${i}`, { rpc_method: 'tasks/get' });
    expect(routing.judge(trace.graph(), by())).toEqual({ triggers: 1, statements: [] });
    expect(routing.judge(new Trace().graph(), by())).toEqual({ triggers: 0, statements: [] });
  });
});

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

test('a chain of 100,000 steps is judged without recursion, and tells one finding', () => {
  const steps = Array.from({ length: 100_000 }, (_, i) => ({ source_agent: `a${i}`, destination_agent: `a${i + 1}` }));
  const graph = routed(steps).graph();
  expect(told(routing.judge(graph, by({ max_hops: 99_998 })).statements)).toEqual([`${HOPS} s99998`]);
  expect(told(routing.judge(graph, by({ max_hops: 100_000 })).statements)).toEqual([]);
});

test('ten thousand steps past the limit that follow one long segment are one finding', () => {
  const trunk = Array.from({ length: 1000 }, (_, i) => ({ source_agent: `a${i}`, destination_agent: `a${i + 1}` }));
  const fan = Array.from({ length: 10_000 }, (_, i) => ({
    source_agent: 'a1000',
    destination_agent: `b${i}`,
    predecessor: 's999',
  }));
  expect(said([...trunk, ...fan], by({ max_hops: 1000 }))).toEqual([`${HOPS} s1000`]);
});
