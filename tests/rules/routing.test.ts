import { readFileSync } from 'node:fs';
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

test('a chain of 20,000 steps is judged without recursion, and tells one finding', () => {
  const steps = Array.from({ length: 20_000 }, (_, i) => ({ source_agent: `a${i}`, destination_agent: `a${i + 1}` }));
  const graph = routed(steps).graph();
  expect(told(routing.judge(graph, by({ max_hops: 19_998 })).statements)).toEqual([`${HOPS} s19998`]);
  expect(told(routing.judge(graph, by({ max_hops: 20_000 })).statements)).toEqual([]);
});

test('three thousand steps past the limit that follow one long segment are one finding', () => {
  const trunk = Array.from({ length: 1000 }, (_, i) => ({ source_agent: `a${i}`, destination_agent: `a${i + 1}` }));
  const fan = Array.from({ length: 3_000 }, (_, i) => ({
    source_agent: 'a1000',
    destination_agent: `b${i}`,
    predecessor: 's999',
  }));
  expect(said([...trunk, ...fan], by({ max_hops: 1000 }))).toEqual([`${HOPS} s1000`]);
});
