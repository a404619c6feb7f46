import { describe, expect, test } from 'vitest';
import type { RecordOf } from '../../src/evidence/bundle.ts';
import { capability } from '../../src/rules/capability.ts';
import type { Profile } from '../../src/rules/profile.ts';
import {
  body,
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

type Invocation = Partial<RecordOf<'capability_invocations'>>;
type Card = Partial<RecordOf<'selected_cards'>>;

const CARD: Card = { name: 'Desk', skill_ids: ['book_flight', 'refund'] };
const EXTENDED: Card = {
  name: 'Desk',
  extended: true,
  endpoint_id: 'endpoint',
  skill_ids: ['book_flight', 'wire_money'],
};

const invoking = (invocation: Invocation, card: Card = CARD, extended: Card = {}): Trace => {
  const trace = new Trace()
    .add('selected_cards', 'card', { ...CARD, ...card })
    .add('endpoints', 'endpoint', { card_id: 'card', agent: 'desk' });
  if (extended.extended) trace.add('candidate_cards', 'extended', extended);
  return trace
    .add('exchanges', 'exchange', { endpoint_id: 'endpoint' })
    .add('capability_invocations', 'call', { exchange_id: 'exchange', caller_agent: 'planner', ...invocation });
};
const by = (cc: Partial<Profile['cc']> = {}) => profile({ cc });
const judge = (trace: Trace, profile = by()) => capability.judge(trace.graph(), profile);
const said = (trace: Trace, profile = by()) => told(judge(trace, profile).statements);

const ANCHORS = ['EXCHANGE_INVOKED_CAPABILITY', 'ENDPOINT_SERVED_EXCHANGE', 'AGENTCARD_RESOLVES_TO_ENDPOINT'] as const;
const MINIMAL = [
  'AGENTCARD_RESOLVES_TO_ENDPOINT',
  'AgentCardSnapshot.selected card',
  'CapabilityInvocationEvidence call',
  'ENDPOINT_SERVED_EXCHANGE',
  'EXCHANGE_INVOKED_CAPABILITY',
  'RuntimeExchange exchange',
  'SelectedEndpoint endpoint',
];

describe('executed and not declared', () => {
  const trace = invoking({ capability: 'wire_money' });

  test('is one finding on the invocation, from its exchange', () => {
    const outcome = judge(trace);
    expect(told(outcome.statements)).toEqual(['CAPABILITY_NOT_DECLARED call']);
    const [finding] = findings(outcome);
    expect(shown(finding?.path)).toEqual([
      'RuntimeExchange exchange',
      'EXCHANGE_INVOKED_CAPABILITY',
      'CapabilityInvocationEvidence call',
    ]);
    expectPath(finding!);
    expect(finding?.explanation).toContain('executed "wire_money"');
    expect(finding?.explanation).toContain('"book_flight", "refund"');
  });

  test('rests on its exchange, endpoint and card', () => {
    const [finding] = findings(judge(trace));
    expect(shown(expectMinimal(capability.judge, finding!, by())).toSorted()).toEqual(MINIMAL);
  });

  test('is INCONCLUSIVE without any one anchor, and without edges at all', () => {
    expectAnchored(capability.judge, trace, by(), ANCHORS);
    expectNothingWithoutEdges(capability.judge, trace, by());
  });

  test.each(['Wire_money', 'book_flight ', 'book', ''.padEnd(600, 'x')])(
    'skill ids are compared exactly: %j',
    (name) => {
      expect(said(invoking({ capability: name }))).toEqual(['CAPABILITY_NOT_DECLARED call']);
    },
  );

  test('the card of another endpoint does not declare it', () => {
    const other = new Trace()
      .add('selected_cards', 'other', { skill_ids: ['wire_money'] })
      .add('endpoints', 'elsewhere', { card_id: 'other' })
      .add('selected_cards', 'card', CARD)
      .add('endpoints', 'endpoint', { card_id: 'card' })
      .add('exchanges', 'exchange', { endpoint_id: 'endpoint' })
      .add('capability_invocations', 'call', { exchange_id: 'exchange', capability: 'wire_money' });
    expect(said(other)).toEqual(['CAPABILITY_NOT_DECLARED call']);
  });
});

describe('no finding', () => {
  test('a declared skill: nothing to say', () => {
    expect(judge(invoking({ capability: 'refund' }))).toEqual({ triggers: 1, statements: [] });
  });

  test('an alias that the profile lists, for a declared skill only', () => {
    const trace = invoking({ capability: 'issue_refund_v2' });
    expect(said(trace, by({ aliases: [{ capability: 'issue_refund_v2', skill_id: 'refund' }] }))).toEqual([]);
    expect(said(trace, by({ aliases: [{ capability: 'issue_refund_v2', skill_id: 'wire_money' }] }))).toEqual([
      'CAPABILITY_NOT_DECLARED call',
    ]);
    expect(said(trace, by({ aliases: [{ capability: 'refund', skill_id: 'issue_refund_v2' }] }))).toEqual([
      'CAPABILITY_NOT_DECLARED call',
    ]);
  });

  test('the extended card declares it', () => {
    expect(said(invoking({ capability: 'wire_money' }, CARD, EXTENDED))).toEqual([]);
  });

  test('requested, and not seen to be executed', () => {
    expect(said(invoking({ capability: 'wire_money', basis: 'requested' }))).toEqual([
      'CAPABILITY_ONLY_REQUESTED call',
    ]);
    expect(said(invoking({ capability: 'refund', basis: 'requested' }))).toEqual([]);
    const permissions = [{ capability: 'refund', callers: ['clerk'] }];
    const trace = invoking({ capability: 'refund', basis: 'requested' });
    expect(said(trace, by({ permissions }))).toEqual(['CAPABILITY_ONLY_REQUESTED call']);
    const unseen = invoking({ capability: 'refund', basis: 'requested', caller_agent: null });
    expect(said(unseen, by({ permissions }))).toEqual([]);
  });

  test('declared only later: an observation with both sequences', () => {
    const trace = invoking({ capability: 'wire_money' }).add('selected_cards', 'later', EXTENDED);
    expect(said(trace)).toEqual(['CAPABILITY_DECLARED_LATER call']);
    const [statement] = judge(trace).statements;
    expect(statement?.explanation).toMatch(/sequence 3\).*sequence 4\)/);
    expect(shown(expectMinimal(capability.judge, statement!, by()))).toContain('AgentCardSnapshot.selected later');
    const asked = invoking({ capability: 'wire_money', basis: 'requested' }).add('selected_cards', 'later', EXTENDED);
    expect(said(asked)).toEqual(['CAPABILITY_ONLY_REQUESTED call']);
  });
});

describe('declared, but not permitted to the caller', () => {
  const permissions = [
    { capability: 'refund', callers: ['clerk'] },
    { capability: 'refund', callers: ['auditor'] },
    { capability: 'pay_back', callers: ['planner', 'clerk'] },
  ];
  const trace = (invocation: Invocation) => invoking({ capability: 'refund', ...invocation });

  test('is one finding that rests on the card that declares it', () => {
    const [finding, ...others] = judge(trace({}), by({ permissions })).statements;
    expect([finding?.reason, others]).toEqual(['CAPABILITY_NOT_PERMITTED', []]);
    expect(finding?.explanation).toContain('"planner"');
    expect(finding?.explanation).toContain('"clerk", "auditor"');
    expectPath(finding!);
    expect(shown(expectMinimal(capability.judge, finding!, by({ permissions }))).toSorted()).toEqual(MINIMAL);
    expectAnchored(capability.judge, trace({}), by({ permissions }), ANCHORS);
  });

  test.each(['clerk', 'auditor'])('%s may', (caller_agent) => {
    expect(said(trace({ caller_agent }), by({ permissions }))).toEqual([]);
  });

  test('an unlisted capability is open to all, an empty list to none', () => {
    expect(said(invoking({ capability: 'book_flight' }), by({ permissions }))).toEqual([]);
    const none = [{ capability: 'book_flight', callers: [] }];
    expect(said(invoking({ capability: 'book_flight' }), by({ permissions: none }))).toEqual([
      'CAPABILITY_NOT_PERMITTED call',
    ]);
  });

  test('an alias does not open what the skill is closed to', () => {
    const aliases = [{ capability: 'pay_back', skill_id: 'refund' }];
    const call = (caller_agent: string) => invoking({ capability: 'pay_back', caller_agent });
    expect(said(call('planner'), by({ permissions, aliases }))).toEqual(['CAPABILITY_NOT_PERMITTED call']);
    expect(said(call('auditor'), by({ permissions, aliases }))).toEqual(['CAPABILITY_NOT_PERMITTED call']);
    expect(said(call('clerk'), by({ permissions, aliases }))).toEqual([]);
  });

  test('an unseen caller is a missing fact only where the profile limits callers', () => {
    const unseen = trace({ caller_agent: null });
    expect(judge(unseen, by({ permissions })).statements).toMatchObject([
      { reason: 'FACT_MISSING', missing: ['caller_agent'] },
    ]);
    expect(said(unseen)).toEqual([]);
  });
});

describe('an incomplete card', () => {
  const cut: Card = {
    skill_ids: null,
    raw: { ...body('{"skills":['), truncated: 11, size: 99 },
    wire_issue: { raw: 'truncated' },
  };
  const missing = (trace: Trace) => {
    const { statements } = judge(trace);
    for (const statement of statements) expectMinimal(capability.judge, statement, by());
    return statements.map(({ reason, missing }) => [reason, missing]);
  };

  test('may declare anything: INCONCLUSIVE', () => {
    const unread: Card = { skill_ids: null, wire_issue: { skill_ids: 'duplicate_name' } };
    for (const card of [cut, unread, { ...cut, skill_ids: [] }, { ...cut, skill_ids: ['wire_money'] }]) {
      expect(missing(invoking({ capability: 'wire_money' }, card))).toEqual([['FACT_MISSING', ['skill_ids']]]);
    }
  });

  test('does not matter where a complete one declares it, or where nothing was executed', () => {
    expect(missing(invoking({ capability: 'wire_money' }, cut, EXTENDED))).toEqual([]);
    expect(missing(invoking({ capability: 'wire_money', basis: 'requested' }, cut))).toEqual([]);
  });

  test('that came later does not save the agent', () => {
    const trace = invoking({ capability: 'wire_money' }).add('selected_cards', 'later', { ...EXTENDED, ...cut });
    expect(missing(trace)).toEqual([['CAPABILITY_NOT_DECLARED', undefined]]);
  });
});
