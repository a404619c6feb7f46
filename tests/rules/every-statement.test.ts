import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reason } from '../../src/base/reasons.ts';
import type { Collection } from '../../src/evidence/collections.ts';
import { observeExchanges } from '../../src/rules/exchanges.ts';
import { RULES } from '../../src/rules/registry.ts';
import type { Rule } from '../../src/rules/rule.ts';
import { PUBLIC_WEB } from './detectors/uri/policies.ts';
import { ACME, at, EVIL, pinned } from './discovery-traces.ts';
import { body, expectMinimal, expectPath, profile, sha256, Trace } from './support.ts';

/** Small worlds of records joined anyhow: each field is drawn from a few values, each foreign id from those added before. */

type Drawn = readonly [Collection, object, number];
const PREFIX: Partial<Record<Collection, string>> = { exchanges: 'x', endpoints: 'e', selected_cards: 'c' };

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const TEXTS = ['<p onclick="a()">x</p>', '<scr', 'ipt>a()</script>', '<p>hi</p>', '<img src=//e.example/x>', ''];
const CUT = { ...body(TEXTS[0]!), truncated: 3 };
const content = pick<unknown>(...TEXTS.map(body), body(TEXTS[0]!), null, CUT);
const input = pick(TEXTS[0]!, ...TEXTS, TEXTS[1]! + TEXTS[2]!).map(sha256);
const uri = pick(
  'https://ok.example/',
  'http://127.0.0.1/',
  'file:///x',
  'http://a.example\\@127.0.0.1/',
  '/n',
  'http://[',
);
const address = pick('93.184.216.34', '10.0.0.1', null);
const agent = pick('a', 'b');
const task = pick('t1', 't2', 't3');
const count = pick(null, 0, 3, 9);

/** `card` stands for several members that belong together. */
const KINDS: readonly (readonly [Collection, Readonly<Record<string, fc.Arbitrary<unknown>>>])[] = [
  [
    'selected_cards',
    {
      card: pick(ACME, EVIL, { ...EVIL, name: 'Other' }, { ...ACME, raw: body('changed') }, { ...EVIL, name: null }),
      skill_ids: pick(null, ['s1'], ['s1', 's2'], []),
      interfaces: pick(null, [at('https://agent.example/a2a')], [at('https://evil.example/a2a/')], []),
    },
  ],
  ['endpoints', {}],
  ['discovery_events', {}],
  [
    'exchanges',
    {
      url: pick('https://agent.example/a2a', 'https://evil.example/a2a'),
      ended: pick('complete', 'complete', 'aborted'),
      event_count: pick(null, 0, 2),
      request_id: pick(null, '1', '"1"'),
      response_id: pick(null, '1', '2'),
      response_body: pick(null, body('{}')),
    },
  ],
  [
    'capability_invocations',
    { capability: pick('s1', 's2'), basis: pick('executed', 'requested'), caller_agent: pick(null, 'a', 'b') },
  ],
  [
    'routing_events',
    {
      destination_agent: agent,
      source_agent: agent,
      outcome: pick('ok', 'failed', null),
      progress: pick(false, false, false, true, null),
    },
  ],
  [
    'task_transitions',
    { agent: pick('a', null), task_id: task, state: pick('working', 'input-required', 'completed') },
  ],
  [
    'task_load_snapshots',
    { agent: pick('a', 'a', null), awaiting_input_count: pick(0, 1, 2), queue_depth: count, latency_us: count },
  ],
  ['uri_references', { uri }],
  [
    'uri_dereferences',
    {
      uri,
      connected_address: address,
      resolved_addresses: pick(null, ['10.0.0.1'], ['93.184.216.34', '10.0.0.1']),
      via_proxy: pick(null, null, 'p:1'),
      outcome: pick('connected', 'connected', 'connect_failed', 'blocked_by_guard', 'not_attempted'),
      status: pick(null, null, 200, 302),
      response_headers: pick([], [['location', 'http://127.0.0.1/']]),
    },
  ],
  ['dereference_responses', {}],
  [
    'artifacts',
    {
      content,
      append: fc.boolean(),
      last_chunk: fc.boolean(),
      artifact_id: pick('a1', null),
      media_type: pick(null, 'text/html', 'application/pdf'),
    },
  ],
  ['sanitizers', { output: content }],
  [
    'artifact_renders',
    {
      renderer: pick('panel', 'frame'),
      interpreted_as: pick('text/html', 'text/html', null),
      mode: pick('interpreted', 'interpreted', 'source'),
      input_sha256: input,
    },
  ],
];

const recordsOf = (collections: readonly Collection[]) =>
  fc.oneof(
    ...KINDS.filter(([collection]) => collections.includes(collection)).map(([collection, members]) =>
      fc.tuple(fc.constant(collection), fc.record(members), fc.nat()),
    ),
  );

/** The members of a record that name an earlier one. */
const JOINS: Readonly<Partial<Record<Collection, Readonly<Record<string, Collection>>>>> = {
  endpoints: { card_id: 'selected_cards' },
  discovery_events: { selected_card_id: 'selected_cards' },
  exchanges: { endpoint_id: 'endpoints' },
  capability_invocations: { exchange_id: 'exchanges' },
  routing_events: { exchange_id: 'exchanges', predecessor: 'routing_events' },
  task_transitions: { exchange_id: 'exchanges', previous_transition_id: 'task_transitions' },
  task_load_snapshots: { endpoint_id: 'endpoints' },
  uri_references: { exchange_id: 'exchanges', artifact_record_id: 'artifacts' },
  uri_dereferences: { reference_id: 'uri_references', redirect_of: 'uri_dereferences' },
  dereference_responses: { dereference_id: 'uri_dereferences' },
  artifacts: { exchange_id: 'exchanges', appends_to: 'artifacts' },
  sanitizers: { artifact_record_id: 'artifacts' },
  artifact_renders: { artifact_record_id: 'artifacts', sanitizer_id: 'sanitizers' },
};
/** Members that are as often null as not. */
const OPTIONAL = new Set(['appends_to', 'redirect_of', 'sanitizer_id', 'predecessor', 'artifact_record_id']);

const build = (drawn: readonly Drawn[]): Trace => {
  const trace = new Trace().add('trace_metadata', 'trace').add('trusted_cards', 'acme', ACME);
  const ids = new Map<Collection, string[]>();
  for (const [collection, { card, ...members }, seed] of drawn as readonly [Collection, { card?: object }, number][]) {
    const fields: Record<string, unknown> = { ...card, ...members };
    let chance = seed;
    for (const [member, of] of Object.entries(JOINS[collection] ?? {})) {
      const known = ids.get(of) ?? [];
      const none = member === 'predecessor' ? 'root' : null;
      const isNone = known.length === 0 || chance % 16 < (OPTIONAL.has(member) ? 8 : 1);
      fields[member] = isNone ? none : known[Math.floor(chance / 16) % known.length];
      chance = Math.floor(chance / 64);
    }
    if (collection === 'uri_dereferences' && fields.redirect_of !== null) fields.hop = 1;
    const own = ids.get(collection) ?? [];
    ids.set(collection, own);
    own.push(`${PREFIX[collection] ?? collection}${own.length}`);
    trace.add(collection, own.at(-1)!, fields);
  }
  return trace;
};

const BY = profile({
  as: { pinned_cards: [pinned], unknown_card: 'finding', changed_card: 'strict' },
  cc: { permissions: [{ capability: 's1', callers: ['a'] }] },
  co: { max_cycle_repeats: 1, max_hops: 3 },
  hotf: { awaiting_input_threshold: 1, max_queue_depth: 2, max_latency_us: 5 },
  asrf: { ...PUBLIC_WEB, require_connected_address: false },
  atsi: { sandboxed_renderers: ['frame'] },
});

const exchanges: Rule['judge'] = (graph, by) => ({ triggers: 0, statements: observeExchanges(graph, by) });

const CARDS = ['selected_cards', 'endpoints', 'discovery_events', 'exchanges'] as const;
/** A judge, the records it looks at, and a finding or observation that says the worlds are not too thin for it. */
const JUDGES: readonly (readonly [string, Rule['judge'], readonly Collection[], readonly Reason[]])[] = [
  ['AS', RULES.AS.judge, CARDS, ['AS_LOOKALIKE_CARD_USED', 'AS_ENDPOINT_NOT_IN_CARD', 'CARD_UNKNOWN_REFUSED']],
  ['CC', RULES.CC.judge, [...CARDS, 'capability_invocations'], ['CAPABILITY_NOT_DECLARED', 'CAPABILITY_NOT_PERMITTED']],
  ['CO', RULES.CO.judge, ['exchanges', 'routing_events'], ['CO_CYCLE_WITHOUT_PROGRESS']],
  [
    'HOTF',
    RULES.HOTF.judge,
    ['endpoints', 'exchanges', 'task_transitions', 'task_load_snapshots'],
    ['HOTF_DEGRADED_BY_HALF_OPEN_TASKS'],
  ],
  [
    'ASRF',
    RULES.ASRF.judge,
    ['exchanges', 'artifacts', 'uri_references', 'uri_dereferences', 'dereference_responses'],
    ['ASRF_ADDRESS_OUTSIDE_POLICY', 'ASRF_BLOCKED'],
  ],
  [
    'ATSI',
    RULES.ATSI.judge,
    ['exchanges', 'artifacts', 'artifact_renders', 'sanitizers'],
    ['ATSI_ACTIVE_CONTENT_INTERPRETED', 'ATSI_REMOTE_LOAD', 'ATSI_INPUT_NOT_TRACED', 'ATSI_CONTENT_NOT_HELD'],
  ],
  [
    'exchanges',
    exchanges,
    ['exchanges', 'task_transitions', 'artifacts', 'selected_cards'],
    ['ARTIFACT_UPDATE_AFTER_LAST_CHUNK', 'STREAM_WITHOUT_FINAL_STATE'],
  ],
];

describe('every statement about any world', () => {
  it.each(JUDGES)(
    '%s: its evidence makes it again, no less does, and its path is joined',
    (_name, judge, collections, said) => {
      const reasons = new Set<string>();
      const world = fc.array(recordsOf(collections), { minLength: 8, maxLength: 30, size: 'max' });
      fc.assert(
        fc.property(world, (drawn) => {
          for (const statement of judge(build(drawn).graph(), BY).statements) {
            reasons.add(statement.reason);
            expectPath(statement);
            expectMinimal(judge, statement, BY);
          }
        }),
        { seed: 1, numRuns: 250 },
      );
      expect([...reasons]).toEqual(expect.arrayContaining([...said]));
    },
  );
});
