import { describe, expect, it } from 'vitest';
import type { RecordOf } from '../../src/evidence/bundle.ts';
import type { Profile } from '../../src/rules/profile.ts';
import { saturation } from '../../src/rules/saturation.ts';
import {
  expectAnchored,
  expectMinimal,
  expectNothingWithoutEdges,
  expectPath,
  findings,
  level,
  profile,
  shown,
  Trace,
  told,
} from './support.ts';

type Snapshot = Partial<RecordOf<'task_load_snapshots'>>;

const LIMITS = { awaiting_input_threshold: 3, max_queue_depth: 10, max_latency_us: null, max_timeouts: null };
const by = (limits: Partial<Profile['hotf']> = {}) => profile({ hotf: { ...LIMITS, ...limits } });

/** A trace of one agent at one endpoint, whose tasks enter states and whose load is sampled in the order of the calls. */
const flood = () => {
  const trace = new Trace().add('endpoints', 'e', { agent: 'approver' });
  const last = new Map<string, string>();
  let transitions = 0;
  const self = {
    trace,
    enter: (task: string, state: RecordOf<'task_transitions'>['state']) => {
      const id = `t${transitions++}`;
      trace.add('exchanges', `x-${id}`, { endpoint_id: 'e' });
      trace.add('task_transitions', id, {
        exchange_id: `x-${id}`,
        agent: 'approver',
        task_id: task,
        state,
        previous_transition_id: last.get(task) ?? null,
      });
      last.set(task, id);
      return self;
    },
    sample: (id: string, awaiting_input_count: number, fields: Snapshot = {}) => {
      trace.add('task_load_snapshots', id, {
        endpoint_id: 'e',
        agent: 'approver',
        awaiting_input_count,
        queue_depth: 0,
        ...fields,
      });
      return self;
    },
  };
  return self;
};

const enterThree = (trace: ReturnType<typeof flood>) =>
  trace.enter('1', 'input-required').enter('2', 'auth-required').enter('3', 'input-required');

const condition = () =>
  enterThree(flood().sample('before', 0)).sample('onset', 3).sample('degraded', 3, { queue_depth: 11 }).trace;

const judge = (trace: Trace, limits: Partial<Profile['hotf']> = {}) => saturation.judge(trace.graph(), by(limits));

describe('condition and control', () => {
  it('finds the first degraded snapshot, once', () => {
    const outcome = judge(
      condition().add('task_load_snapshots', 'later', {
        agent: 'approver',
        endpoint_id: 'e',
        awaiting_input_count: 3,
        queue_depth: 99,
      }),
    );
    expect(told(outcome.statements)).toEqual(['HOTF_DEGRADED_BY_HALF_OPEN_TASKS degraded']);
    expect(outcome.triggers).toBe(4);
    const [finding] = outcome.statements;
    expect(finding!.explanation).toContain('queue_depth 11 is above its limit 10');
    expect(finding!.explanation).toContain('snapshot before is the last');
  });

  it('leads from the exchange that opened a task to the snapshot', () => {
    const [finding] = findings(judge(condition()));
    expectPath(finding!);
    expect(shown(finding!.path)).toEqual([
      'RuntimeExchange x-t0',
      'EXCHANGE_CAUSED_TRANSITION',
      'TaskStateTransition t0',
      'TASK_OCCUPIES_SLOT',
      'TaskLoadSnapshot degraded',
    ]);
  });

  it('finds nothing where the tasks are answered before the service degrades', () => {
    const control = enterThree(flood().sample('before', 0))
      .enter('1', 'working')
      .enter('2', 'completed')
      .enter('3', 'canceled')
      .sample('after', 0, { queue_depth: 11 }).trace;
    expect(judge(control)).toEqual({ triggers: 2, statements: [] });
  });

  it('rests on the baseline, the degraded snapshot, their endpoint and as many slots as the threshold', () => {
    const many = enterThree(flood().sample('before', 0));
    for (let i = 0; i < 20; i++) many.enter(`more${i}`, 'input-required');
    const { trace } = many.sample('degraded', 23, { queue_depth: 11 });
    const [finding] = findings(judge(trace));
    expect(shown(expectMinimal(saturation.judge, finding!, by())).toSorted()).toEqual(
      [
        'SelectedEndpoint e',
        'TaskLoadSnapshot before',
        'TaskLoadSnapshot degraded',
        ...Array.from({ length: 2 }, () => 'ENDPOINT_SAMPLED_LOAD'),
        ...Array.from({ length: 3 }, () => 'TASK_OCCUPIES_SLOT'),
        'TaskStateTransition t0',
        'TaskStateTransition t1',
        'TaskStateTransition t2',
      ].toSorted(),
    );
  });
});

describe('anchors', () => {
  it('is INCONCLUSIVE without any one anchor edge, and names it', () => {
    expectAnchored(saturation.judge, condition(), by(), ['ENDPOINT_SAMPLED_LOAD']);
  });
  it('is INCONCLUSIVE for every snapshot on records without edges', () => {
    expectNothingWithoutEdges(saturation.judge, condition(), by());
  });
  it('does not take an earlier snapshot for the baseline when one between cannot be placed', () => {
    const between = (fields: Snapshot) =>
      enterThree(flood().sample('before', 0))
        .sample('between', 0, { queue_depth: 11, ...fields })
        .sample('degraded', 3, { queue_depth: 11 }).trace;
    expect(told(judge(between({ endpoint_id: null })).statements)).toEqual([
      'ANCHOR_MISSING between',
      'HOTF_NO_BASELINE degraded',
    ]);
    const unnamed = judge(between({ agent: null })).statements;
    expect(told(unnamed)).toEqual(['FACT_MISSING between', 'HOTF_NO_BASELINE degraded']);
    expect(unnamed[0]!.missing).toEqual(['agent']);
    expectMinimal(saturation.judge, unnamed[1]!, by());
  });
});

describe('traps', () => {
  it('calls an approval queue without degradation an observation', () => {
    const [statement, ...rest] = judge(enterThree(flood().sample('before', 0)).sample('onset', 3).trace).statements;
    expect(told([statement!, ...rest])).toEqual(['HOTF_THRESHOLD_WITHOUT_DEGRADATION onset']);
    expect(level(statement!)).toBe('warning');
    expectMinimal(saturation.judge, statement!, by());
  });

  it('does not blame the tasks for a slowdown that began before', () => {
    const slow = { queue_depth: 11 };
    const trace = enterThree(flood().sample('before', 0, slow))
      .sample('onset', 3, slow)
      .sample('later', 3, slow).trace;
    const { statements } = judge(trace);
    expect(told(statements)).toEqual(['HOTF_THRESHOLD_WITHOUT_DEGRADATION onset']);
    expectMinimal(saturation.judge, statements[0]!, by());
  });

  it('looks at each limit for itself: an old slowdown does not excuse a new one', () => {
    const trace = enterThree(flood().sample('before', 0, { queue_depth: 11, timeouts: 2 })).sample('onset', 3, {
      queue_depth: 50,
      timeouts: 3,
    }).trace;
    const [finding] = findings(judge(trace, { max_timeouts: 2 }));
    expect(finding!.explanation).toContain('timeouts 3 is above its limit 2');
    expect(finding!.explanation).not.toContain('queue_depth');
  });

  it('does not count a degraded snapshot after the tasks were answered', () => {
    const trace = enterThree(flood().sample('before', 0))
      .sample('onset', 3)
      .enter('1', 'completed')
      .sample('later', 2, { queue_depth: 11 }).trace;
    expect(told(judge(trace).statements)).toEqual(['HOTF_THRESHOLD_WITHOUT_DEGRADATION onset']);
  });

  it('takes the value at a limit for within it', () => {
    const trace = enterThree(flood().sample('before', 0)).sample('onset', 3, { queue_depth: 10 }).trace;
    expect(told(judge(trace).statements)).toEqual(['HOTF_THRESHOLD_WITHOUT_DEGRADATION onset']);
  });
});

describe('what is missing', () => {
  it('is INCONCLUSIVE where the stated count reaches the threshold and state changes do not', () => {
    const { statements } = judge(flood().sample('before', 0).enter('1', 'input-required').sample('s', 3).trace);
    expect(told(statements)).toEqual(['HOTF_COUNT_NOT_SUPPORTED s']);
    expect(statements[0]!.missing).toEqual(['TASK_OCCUPIES_SLOT']);
    expectMinimal(saturation.judge, statements[0]!, by());
  });

  it('is INCONCLUSIVE where no snapshot is before the onset, but only if a limit is passed', () => {
    const passed = judge(
      enterThree(flood()).sample('onset', 3, { queue_depth: 11 }).sample('later', 3, { queue_depth: 12 }).trace,
    );
    expect(told(passed.statements)).toEqual(['HOTF_NO_BASELINE onset']);
    expectMinimal(saturation.judge, passed.statements[0]!, by());
    const within = judge(enterThree(flood()).sample('onset', 3).trace);
    expect(told(within.statements)).toEqual(['HOTF_THRESHOLD_WITHOUT_DEGRADATION onset']);
  });

  it.each([
    ['the snapshot', { queue_depth: 0 }, { queue_depth: null }],
    ['the baseline', { queue_depth: null }, { queue_depth: 11 }],
  ])('names a measurement that %s lacks', (_where, before, now) => {
    const { statements } = judge(enterThree(flood().sample('before', 0, before)).sample('onset', 3, now).trace);
    expect(told(statements)).toEqual(['FACT_MISSING onset']);
    expect(statements[0]!.missing).toEqual(['queue_depth']);
    expectMinimal(saturation.judge, statements[0]!, by());
  });

  it('says once for a series that a measurement is never made, and finds degradation by another one later', () => {
    const silent = { queue_depth: null, timeouts: 0 };
    const trace = enterThree(flood().sample('before', 0, silent));
    for (let i = 0; i < 5; i++) trace.sample(`s${i}`, 3, silent);
    const limits = { max_timeouts: 1 };
    expect(told(judge(trace.trace, limits).statements)).toEqual(['FACT_MISSING s0']);
    trace.sample('late', 3, { ...silent, timeouts: 2 });
    expect(told(judge(trace.trace, limits).statements)).toEqual([
      'FACT_MISSING s0',
      'HOTF_DEGRADED_BY_HALF_OPEN_TASKS late',
    ]);
  });

  it('does not look at a measurement that the profile does not limit', () => {
    const trace = enterThree(flood().sample('before', 0)).sample('onset', 3, { queue_depth: null }).trace;
    expect(told(judge(trace, { max_queue_depth: null }).statements)).toEqual([
      'HOTF_THRESHOLD_WITHOUT_DEGRADATION onset',
    ]);
  });

  it('needs no further measurement where another one shows degradation', () => {
    const trace = enterThree(flood().sample('before', 0)).sample('onset', 3, { queue_depth: 11 }).trace;
    expect(told(judge(trace, { max_timeouts: 1 }).statements)).toEqual(['HOTF_DEGRADED_BY_HALF_OPEN_TASKS onset']);
  });
});

it('keeps endpoints and agents apart', () => {
  const trace = enterThree(flood().sample('before', 0)).trace.add('endpoints', 'other');
  const there = { endpoint_id: 'other', agent: 'approver', awaiting_input_count: 3, queue_depth: 11 };
  trace.add('task_load_snapshots', 'there', there);
  trace.add('task_load_snapshots', 'else', { ...there, agent: 'else', endpoint_id: 'e' });
  expect(told(judge(trace).statements)).toEqual(['HOTF_NO_BASELINE there', 'HOTF_COUNT_NOT_SUPPORTED else']);
});

it('observes tasks that stay submitted or working, in the number of the threshold', () => {
  const busy = (count: number) => {
    const trace = flood();
    for (let i = 0; i < count; i++) trace.enter(`${i}`, 'submitted').enter(`${i}`, 'working');
    return trace.enter('done', 'submitted').enter('done', 'completed').trace;
  };
  expect(judge(busy(2)).statements).toEqual([]);
  const { statements } = judge(busy(5));
  expect(told(statements)).toEqual(['HOTF_TASKS_UNFINISHED t5']);
  expect(level(statements[0]!)).toBe('note');
  expectPath(statements[0]!);
  expectMinimal(saturation.judge, statements[0]!, by());
});

it('judges many snapshots in one pass', () => {
  const trace = enterThree(flood().sample('before', 0));
  for (let i = 0; i < 20_000; i++) trace.sample(`s${i}`, 3);
  expect(told(judge(trace.sample('last', 3, { queue_depth: 11 }).trace).statements)).toEqual([
    'HOTF_DEGRADED_BY_HALF_OPEN_TASKS last',
  ]);
});
