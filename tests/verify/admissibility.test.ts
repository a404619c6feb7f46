import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REASONS } from '../../src/base/reasons.ts';
import type { RecordOf, Records } from '../../src/evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../../src/evidence/collections.ts';
import type { Profile } from '../../src/rules/profile.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { checkAdmissibility } from '../../src/verify/admissibility.ts';
import { FOREIGN_IDS } from '../../src/verify/admissibility-ids.ts';
import { LISTED } from '../../src/verify/refusals.ts';
import { bodyOf } from '../evidence/wire/support.ts';
import { profile, Trace } from '../rules/support.ts';

const BY = profile();
const EMPTY = { raw: bodyOf(''), name: null, interfaces: null, skill_ids: null };
const NO_PART = { content: null, part_kind: null, append: null, last_chunk: null } as const;
const START = '2026-01-01T00:00:00.000Z';

const refusals = (records: Records, by: Profile = BY) => checkAdmissibility(records, by, nativeCrypto);
/** As `REASON pointer`. */
const told = (records: Records, by: Profile = BY) =>
  refusals(records, by).map(({ reason, at }) => `${reason} ${at.pointer}`);

/** One record of each kind, every foreign id set, admissible. */
const linked = (): Trace =>
  new Trace()
    .add('trace_metadata', 'trace')
    .add('candidate_cards', 'card', { ...EMPTY, endpoint_id: 'endpoint' })
    .add('trusted_cards', 'card', { ...EMPTY, endpoint_id: 'endpoint' })
    .add('selected_cards', 'card', { ...EMPTY, endpoint_id: 'endpoint' })
    .add('endpoints', 'endpoint', { card_id: 'card' })
    .add('discovery_events', 'discovery', {
      considered_card_ids: ['card'],
      trusted_card_ids: ['card'],
      selected_card_id: 'card',
    })
    .add('exchanges', 'exchange', { endpoint_id: 'endpoint' })
    .add('capability_invocations', 'invocation', { exchange_id: 'exchange' })
    .add('task_transitions', 'transition-0', { exchange_id: 'exchange' })
    .add('task_transitions', 'transition-1', { exchange_id: 'exchange', previous_transition_id: 'transition-0' })
    .add('artifacts', 'artifact-0', { ...NO_PART, exchange_id: 'exchange', wire_issue: null })
    .add('artifacts', 'artifact-1', { ...NO_PART, appends_to: 'artifact-0' })
    .add('routing_events', 'step-0', { exchange_id: 'exchange' })
    .add('routing_events', 'step-1', {
      predecessor: 'step-0',
      source_agent: 'b',
      progress: true,
      progress_transition_id: 'transition-0',
      progress_artifact_record_id: 'artifact-0',
    })
    .add('task_load_snapshots', 'snapshot', { endpoint_id: 'endpoint' })
    .add('artifacts', 'artifact-2', {
      ...NO_PART,
      raw: bodyOf('{"artifactUpdate":{"artifact":{"parts":[{"url":"https://files.example/"}]}}}'),
      append: false,
      last_chunk: false,
      part_kind: 'url',
      part_url: 'https://files.example/',
    })
    .add('uri_references', 'reference', { exchange_id: 'exchange', artifact_record_id: 'artifact-2' })
    .add('uri_dereferences', 'hop-0', { reference_id: 'reference' })
    .add('uri_dereferences', 'hop-1', { redirect_of: 'hop-0', hop: 1, status: 200 })
    .add('dereference_responses', 'response', { dereference_id: 'hop-1' })
    .add('sanitizers', 'sanitizer', { artifact_record_id: 'artifact-0' })
    .add('artifact_renders', 'render', { artifact_record_id: 'artifact-0', sanitizer_id: 'sanitizer' });

const PINNED = profile({
  as: { pinned_cards: [{ name: 'a', sha256: EMPTY.raw.sha256, allowed_origins: [] }] },
});

/** The records with one member of one record replaced. */
const changed = (records: Records, collection: Collection, row: number, fields: object): Records => ({
  ...records,
  [collection]: records[collection].map((record, i) => (i === row ? { ...record, ...fields } : record)),
});

describe('foreign ids', () => {
  it('may all resolve, or all be null', () => {
    expect(told(linked().records(), PINNED)).toEqual([]);
    let records = linked().records();
    for (const collection of COLLECTIONS) {
      for (const [row] of records[collection].entries()) {
        const nulls = Object.keys(FOREIGN_IDS[collection] ?? {}).map((member) => [
          member,
          member === 'predecessor' ? 'unknown' : member.endsWith('ids') ? [] : null,
        ]);
        records = changed(records, collection, row, Object.fromEntries(nulls));
      }
    }
    const progress = refusals(records, PINNED).map(({ reason }) => reason);
    expect(new Set(progress)).toEqual(new Set(['INADMISSIBLE_PROGRESS']));
  });

  const members = COLLECTIONS.flatMap((collection) =>
    Object.keys(FOREIGN_IDS[collection] ?? {}).map((member) => [collection, member] as const),
  );
  it.each(members)('that name no record are refused: %s.%s', (collection, member) => {
    const records = linked().records();
    const held = records[collection].map((record) => (record as Record<string, unknown>)[member]);
    const row = held.findIndex((value) => value !== null && value !== 'root');
    expect(row).toBeGreaterThanOrEqual(0);
    // `trace` is the id of a record, of another kind.
    for (const dangling of ['nowhere', 'trace']) {
      const value = Array.isArray(held[row]) ? [...(held[row] as string[]), dangling] : dangling;
      expect(told(changed(records, collection, row, { [member]: value }), PINNED)).toEqual([
        `INADMISSIBLE_DANGLING_ID /${collection}/${row}/${member}`,
      ]);
    }
  });

  it('are every member of the schemas that holds one', () => {
    const named = COLLECTIONS.flatMap((collection) =>
      Object.keys(linked().records()[collection][0]!)
        .filter((name) => name !== COLLECTION_INFO[collection].id)
        .filter(
          (name) => /_ids?$/.test(name) || name === 'appends_to' || name === 'redirect_of' || name === 'predecessor',
        )
        .filter(
          (name) =>
            ![
              'task_id',
              'context_id',
              'artifact_id',
              'incident_id',
              'profile_id',
              'request_id',
              'message_id',
              'request_task_id',
              'request_context_id',
              'response_id',
              'response_task_id',
              'response_context_id',
              'skill_ids',
            ].includes(name),
        )
        .map((name) => `${collection}.${name}`),
    );
    expect(named.toSorted()).toEqual(members.map(([collection, member]) => `${collection}.${member}`).toSorted());
  });
});

describe('what follows another record', () => {
  const follower = [
    ['routing_events', 'predecessor', 1],
    ['uri_dereferences', 'redirect_of', 1],
    ['task_transitions', 'previous_transition_id', 1],
    ['artifacts', 'appends_to', 1],
  ] as const;
  it.each(follower)('came after it: %s.%s', (collection, member, row) => {
    const records = linked().records();
    const [first, second] = records[collection] as readonly { sequence: number }[];
    const swapped = changed(changed(records, collection, 0, { sequence: second!.sequence }), collection, row, {
      sequence: first!.sequence,
    });
    expect(told(swapped, PINNED)).toEqual([`INADMISSIBLE_ORDER /${collection}/1/${member}`]);
    const itself = { [member]: (records[collection][row] as Record<string, unknown>)[COLLECTION_INFO[collection].id] };
    expect(told(changed(records, collection, row, itself), PINNED)).toEqual([
      `INADMISSIBLE_ORDER /${collection}/1/${member}`,
    ]);
  });

  it('continues a step as delegation or follow-up, and in no other way', () => {
    const route = (source_agent: string) =>
      told(
        new Trace()
          .add('routing_events', 'r0')
          .add('routing_events', 'r1', { predecessor: 'r0', source_agent })
          .records(),
      );
    expect(route('b')).toEqual([]);
    expect(route('a')).toEqual([]);
    expect(route('c')).toEqual(['INADMISSIBLE_ROUTE /routing_events/1/source_agent']);
  });

  it('shows its progress', () => {
    const step = (progress: boolean | null) => told(new Trace().add('routing_events', 'r', { progress }).records());
    expect(step(true)).toEqual(['INADMISSIBLE_PROGRESS /routing_events/0/progress']);
    for (const progress of [false, null]) expect(step(progress)).toEqual([]);
  });

  it('counts redirect hops', () => {
    const records = linked().records();
    for (const hop of [0, 2, 3]) {
      expect(told(changed(records, 'uri_dereferences', 1, { hop }), PINNED)).toEqual([
        'INADMISSIBLE_HOP /uri_dereferences/1/hop',
      ]);
    }
    expect(told(changed(records, 'uri_dereferences', 1, { reference_id: 'reference' }), PINNED)).toEqual([
      'INADMISSIBLE_HOP /uri_dereferences/1/reference_id',
    ]);
  });

  it('is of the same task, observer and artifact', () => {
    const raw = (taskId: string) => bodyOf(`{"taskId":"${taskId}","status":{}}`);
    const transitions = (task: string, observer: RecordOf<'task_transitions'>['observer']) =>
      told(
        new Trace()
          .add('task_transitions', 't0', { raw: raw('a'), task_id: 'a' })
          .add('task_transitions', 't1', { raw: raw(task), task_id: task, observer, previous_transition_id: 't0' })
          .records(),
      );
    expect(transitions('a', 'harness')).toEqual([]);
    expect(transitions('b', 'harness')).toEqual(['INADMISSIBLE_CHAIN /task_transitions/1/task_id']);
    expect(transitions('a', 'proxy')).toEqual(['INADMISSIBLE_CHAIN /task_transitions/1/observer']);
    const chunk = (artifact_id: string) => ({
      ...NO_PART,
      part_index: null,
      artifact_id,
      append: false,
      last_chunk: false,
      raw: bodyOf(`{"artifactUpdate":{"artifact":{"artifactId":"${artifact_id}"}}}`),
    });
    const artifacts = (second: string) =>
      told(
        new Trace()
          .add('artifacts', 'a0', chunk('x'))
          .add('artifacts', 'a1', { ...chunk(second), appends_to: 'a0' })
          .records(),
      );
    expect(artifacts('x')).toEqual([]);
    expect(artifacts('y')).toEqual(['INADMISSIBLE_CHAIN /artifacts/1/artifact_id']);
  });

  it('costs linear time for a chain of many steps', () => {
    const trace = new Trace();
    for (let i = 0; i < 20_000; i++)
      trace.add('routing_events', `r${i}`, { predecessor: i === 0 ? 'root' : `r${i - 1}`, destination_agent: 'a' });
    expect(told(trace.records())).toEqual([]);
  });
});

describe('the trace', () => {
  const at = (ms: number): string => new Date(Date.parse(START) + ms).toISOString();
  const steps = (times: readonly number[], time_tolerance_ms: number) => {
    const trace = new Trace().add('trace_metadata', 'trace', { ended_at: at(100_000) });
    for (const [i, ms] of times.entries()) trace.add('capability_invocations', `i${i}`, { observed_at: at(ms) });
    return told(trace.records(), { ...BY, time_tolerance_ms });
  };

  it('steps back in time no further than the profile tolerates, from the latest time so far', () => {
    expect(steps([0, 10, 5, 20], 5)).toEqual([]);
    expect(steps([0, 10, 4, 20], 5)).toEqual(['INADMISSIBLE_TIME /capability_invocations/2/observed_at']);
    expect(steps([0, 10, 7, 4], 5)).toEqual(['INADMISSIBLE_TIME /capability_invocations/3/observed_at']);
  });

  it('is judged by sequence, not by the order in the file', () => {
    const trace = new Trace()
      .add('trace_metadata', 'trace', { ended_at: at(9), sequence: 9, observed_at: at(9) })
      .add('capability_invocations', 'late', { sequence: 5, observed_at: at(5) })
      .add('exchanges', 'early', { sequence: 1, observed_at: at(1) });
    expect(told(trace.records())).toEqual([]);
  });

  it('ends after its last record, and complete without gaps', () => {
    const trace = (fields: Partial<RecordOf<'trace_metadata'>>) =>
      told(
        new Trace()
          .add('trace_metadata', 'trace', fields)
          .add('capability_invocations', 'i', { observed_at: at(10) })
          .records(),
      );
    const gaps = [{ at: START, what: 'tap failed' }];
    expect(trace({ ended_at: at(10) })).toEqual([]);
    expect(trace({ ended_at: at(9) })).toEqual(['INADMISSIBLE_END /capability_invocations/0/observed_at']);
    expect(trace({ ended_at: at(10), gaps })).toEqual(['INADMISSIBLE_GAPS /trace_metadata/0/gaps']);
    for (const ended of ['recovered', 'incomplete'] as const)
      expect(trace({ ended_at: at(10), gaps, ended })).toEqual([]);
  });

  it('trusts exactly the cards that the profile pins', () => {
    const records = linked().records();
    expect(told(records)).toEqual(['INADMISSIBLE_TRUSTED_CARDS /trusted_cards/0/raw']);
    const other = { name: 'b', sha256: '0'.repeat(64), allowed_origins: [] };
    const more = profile({ as: { pinned_cards: [...PINNED.as.pinned_cards, other] } });
    expect(told(records, more)).toEqual(['INADMISSIBLE_TRUSTED_CARDS /trace_metadata/0']);
    const twice = profile({ as: { pinned_cards: [...PINNED.as.pinned_cards, ...PINNED.as.pinned_cards] } });
    expect(told(records, twice)).toEqual([]);
  });

  it('has one status for a response and its hop', () => {
    expect(told(changed(linked().records(), 'dereference_responses', 0, { status: 302 }), PINNED)).toEqual([
      'INADMISSIBLE_STATUS /dereference_responses/0/status',
    ]);
    expect(told(changed(linked().records(), 'dereference_responses', 0, { status: null }), PINNED)).toHaveLength(1);
  });
});

describe('refusals', () => {
  it('name reason, record, member and both values, in the order of the records', () => {
    const records = changed(linked().records(), 'exchanges', 0, { rpc_method: 'GetTask', endpoint_id: 'gone' });
    expect(refusals(records, PINNED)).toEqual([
      {
        reason: 'INADMISSIBLE_FIELD',
        at: { input: 'bundle', collection: 'exchanges', id: 'exchange', pointer: '/exchanges/0/rpc_method' },
        detail: 'rpc_method is "GetTask"; its wire text gives null',
      },
      {
        reason: 'INADMISSIBLE_DANGLING_ID',
        at: { input: 'bundle', collection: 'exchanges', id: 'exchange', pointer: '/exchanges/0/endpoint_id' },
        detail: 'endpoint_id is "gone", and no record of endpoints has that id',
      },
    ]);
  });

  it('have the level inadmissible, stay short, and are listed up to a bound', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 5000 }), (rpc_method) => {
        for (const { reason, detail } of refusals(
          changed(linked().records(), 'exchanges', 0, { rpc_method }),
          PINNED,
        )) {
          expect(REASONS[reason].level).toBe('inadmissible');
          expect(detail.length).toBeLessThan(400);
        }
      }),
      { numRuns: 20 },
    );
    const trace = new Trace();
    for (let i = 0; i < LISTED + 500; i++) trace.add('endpoints', `e${i}`, { card_id: 'gone' });
    expect(refusals(trace.records())).toHaveLength(LISTED + 1);
  });
});
