import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../src/base/canonical.ts';
import type { JsonValue } from '../../src/base/json-value.ts';
import { RECORD_SCHEMAS, type Records } from '../../src/evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../../src/evidence/collections.ts';
import { TASK_STATES } from '../../src/evidence/records/tasks.ts';
import { artifactFields } from '../../src/evidence/wire/artifact.ts';
import { ExchangeTexts } from '../../src/evidence/wire/exchange.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { checkAdmissibility } from '../../src/verify/admissibility.ts';
import { bodyOf, bytesOf, captured, caseText, rpc } from '../evidence/wire/support.ts';
import { profile, Trace } from '../rules/support.ts';

const BY = profile();
const refusals = (records: Records) => checkAdmissibility(records, BY, nativeCrypto);
const told = (records: Records) => refusals(records).map(({ reason, at }) => `${reason} ${at.pointer}`);
const type = 'text/event-stream';
const event = (result: unknown) => `data: ${rpc(result)}\n\n`;

const request = JSON.stringify({
  jsonrpc: '2.0',
  id: 'q',
  method: 'SendStreamingMessage',
  params: { message: { messageId: 'm', taskId: 't', contextId: 'c', parts: [{ url: 'https://files.example/a' }] } },
});
const chunk = (text: string, append: boolean) => ({
  artifactUpdate: {
    taskId: 't',
    contextId: 'c',
    append,
    artifact: { artifactId: 'a', name: 'n', parts: [{ text, mediaType: 'text/html', filename: 'f' }] },
  },
});
const stream = [
  {
    task: {
      id: 't',
      contextId: 'c',
      status: { state: 'TASK_STATE_WORKING' },
      artifacts: [{ artifactId: 'x', parts: [{ raw: '/w==' }, { data: [1] }, { url: 'http://h/' }] }],
    },
  },
  chunk('<b>', false),
  chunk('http://169.254.169.254/</b>', true),
  {
    statusUpdate: {
      taskId: 't',
      contextId: 'c',
      status: { state: 'TASK_STATE_COMPLETED', message: { messageId: 'r', parts: [{ text: 'done' }] } },
    },
  },
];
const card = '{"name":"A","provider":{"organization":"P"},"url":"http://h/","skills":[{"id":"s"}]}';
const honest = (): Records =>
  captured(
    [
      { request, response: stream.map(event).join(''), type, version: '1.0' },
      { request, response: rpc(stream[0]), version: '1.0' },
      {
        response: JSON.stringify({ kind: 'task', id: 't', contextId: 'c', status: { state: 'input-required' } }),
        binding: 'HTTP+JSON',
      },
      { response: caseText('A3-cut.sse'), type },
      { response: caseText('A5-snapshot.sse'), type },
      { response: caseText('A5-replace.sse'), type },
    ],
    [
      card,
      ...Object.values(JSON.parse(caseText('A7-cards.json')) as object).map((value) =>
        typeof value === 'string' ? value.slice(4) : JSON.stringify(value),
      ),
    ],
  );

/** A hostile body: JSON pieces, A2A members, and arbitrary bytes. */
const piece = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\n\n',
  '\r',
  'data: ',
  '"result":',
  '"task":',
  '"id":',
  '"status":',
  '"state":6',
  '"kind":"task"',
  '"artifactUpdate":',
  '"artifact":',
  '"artifacts":',
  '"parts":',
  '"text":"<b>"',
  '"raw":"QQ="',
  '"data":',
  '"file":',
  '"url":"http://h/"',
  '"\\ud800"',
  'null',
  '1e999',
  '-0',
  '\ufeff',
  '\u0000',
  '😀',
  '__proto__',
);
const soup = fc.array(piece, { maxLength: 30 }).map((pieces) => bytesOf(pieces.join('')));
const mutated = fc
  .tuple(
    fc.constantFrom(request, card, ...stream.map((result) => rpc(result)), stream.map(event).join('')),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), piece), { maxLength: 3 }),
  )
  .map(([base, edits]) =>
    bytesOf(
      edits.reduce((text, [where, cut, insert]) => {
        const at = where % (text.length + 1);
        return text.slice(0, at) + insert + text.slice(at + cut);
      }, base),
    ),
  );
const spoiled = fc
  .tuple(mutated, fc.nat(), fc.nat(255))
  .map(([bytes, where, byte]) => bytes.map((old, i) => (i === where % (bytes.length || 1) ? byte : old)));
const hostileBody = fc.oneof(soup, mutated, spoiled, fc.uint8Array({ maxLength: 30 }));

describe('typed fields that agree with their text', () => {
  it('are admissible: streams, plain responses, 1.0 and 0.3, every binding', () => {
    const records = honest();
    expect(records.task_transitions.length).toBeGreaterThan(7);
    expect(records.artifacts.length).toBeGreaterThan(10);
    expect(records.uri_references.length).toBeGreaterThan(4);
    expect(refusals(records)).toEqual([]);
  });

  it('are admissible, and fit their schemas, whatever the bodies were', () => {
    let issues = 0;
    fc.assert(
      fc.property(
        fc.tuple(hostileBody, hostileBody, hostileBody),
        fc.constantFrom('JSONRPC' as const, 'HTTP+JSON' as const, 'GRPC' as const),
        fc.constantFrom('application/json', type, 'TEXT/event-stream;x'),
        fc.oneof(fc.constant(undefined), fc.nat(120)),
        ([requestBytes, responseBytes, cardBytes], binding, contentType, limit) => {
          const parts = { request: requestBytes, response: responseBytes, binding, type: contentType };
          const records = captured([limit === undefined ? parts : { ...parts, limit }], [cardBytes]);
          expect(refusals(records)).toEqual([]);
          if (records.exchanges[0]!.wire_issue !== null) issues++;
          for (const collection of COLLECTIONS) {
            for (const record of records[collection]) {
              expect(RECORD_SCHEMAS[collection].safeParse(record).error).toBeUndefined();
              expect(() => canonical(record as unknown as JsonValue)).not.toThrow();
            }
          }
        },
      ),
      { numRuns: 800 },
    );
    expect(issues).toBeGreaterThan(150);
  });

  it('are read once per text, however many records one text has', () => {
    const parts = Array.from({ length: 3000 }, (_, i) => ({ text: `${i}` }));
    const records = captured([
      { response: rpc({ task: { id: 't', artifacts: [{ artifactId: 'a', parts }], x: 'y'.repeat(500_000) } }) },
    ]);
    expect(records.artifacts).toHaveLength(3000);
    const texts = new ExchangeTexts(records.exchanges[0]!);
    expect(texts.response(null)).toBe(texts.response(null));
    const [text, place] = [texts.response(null)!, records.artifacts[2999]!];
    expect(artifactFields(text, place)).toBe(artifactFields(text, place));
    expect(refusals(records)).toEqual([]);
  });
});

/** Members that are read off wire text, by collection. */
const TYPED = {
  candidate_cards: ['name', 'provider_organization', 'interfaces', 'skill_ids', 'wire_issue'],
  exchanges: [
    'protocol_version',
    'rpc_method',
    'request_id',
    'message_id',
    'request_task_id',
    'request_context_id',
    'response_id',
    'error_code',
    'response_task_id',
    'response_context_id',
    'event_count',
    'wire_issue',
  ],
  task_transitions: ['task_id', 'context_id', 'state', 'wire_issue'],
  artifacts: [
    'task_id',
    'context_id',
    'artifact_id',
    'name',
    'part_kind',
    'media_type',
    'filename',
    'part_url',
    'append',
    'last_chunk',
    'content',
    'wire_issue',
  ],
} as const satisfies { readonly [C in Collection]?: readonly string[] };

/** Another value that the schema of that member allows. */
const another = (member: string, value: unknown, salt: string): unknown => {
  if (member === 'state') return TASK_STATES.find((state) => state !== value);
  if (member === 'part_kind') return value === 'data' ? 'raw' : 'data';
  if (member === 'append' || member === 'last_chunk') return value !== true;
  if (member === 'error_code' || member === 'event_count') return ((value as number | null) ?? 0) + 1;
  if (member === 'content') return bodyOf(`other ${salt}`);
  if (member === 'wire_issue') return { ...(value as object | null), [salt || 'x']: 'wrong_type' };
  if (member === 'skill_ids') return [...((value as string[] | null) ?? []), salt];
  if (member === 'interfaces')
    return [
      ...((value as object[] | null) ?? []),
      { url: salt, protocol: null, protocol_version: null, stated_in: 'url' },
    ];
  return `${(value as string | null) ?? ''}${salt}!`;
};

describe('a typed field that was changed', () => {
  const records = honest();
  const members = (Object.keys(TYPED) as (keyof typeof TYPED)[]).flatMap((collection) =>
    TYPED[collection].map((member) => [collection, member] as const),
  );

  it.each(members)('is refused and named, in every record: %s.%s', (collection, member) => {
    const rows = records[collection] as readonly Record<string, unknown>[];
    expect(rows.length).toBeGreaterThan(0);
    for (const [row, record] of rows.entries()) {
      const values = [another(member, record[member], 'x'), ...(record[member] === null ? [] : [null])];
      for (const value of values) {
        const altered = {
          ...records,
          [collection]: rows.map((old, i) => (i === row ? { ...old, [member]: value } : old)),
        };
        const found = refusals(altered);
        expect(found).toHaveLength(1);
        expect(found[0]).toMatchObject({
          reason: 'INADMISSIBLE_FIELD',
          at: { collection, id: record[COLLECTION_INFO[collection].id], pointer: `/${collection}/${row}/${member}` },
        });
        expect(found[0]!.detail).toContain(`${member} is `);
      }
    }
  });

  it('and so is a field whose text says nothing at all', () => {
    const silent = new Trace()
      .add('task_transitions', 't', { task_id: 't' })
      .add('exchanges', 'e', { rpc_method: 'GetTask' });
    expect(told(silent.records())).toEqual([
      'INADMISSIBLE_FIELD /exchanges/0/rpc_method',
      'INADMISSIBLE_FIELD /task_transitions/0/task_id',
    ]);
  });
});

describe('a body', () => {
  const records = honest();
  const bodies = [
    ['exchanges', 'request_body'],
    ['exchanges', 'response_body'],
    ['candidate_cards', 'raw'],
    ['artifacts', 'content'],
  ] as const;
  it.each(bodies)('that does not agree with itself is refused: %s.%s', (collection, member) => {
    const rows = records[collection] as readonly Record<string, unknown>[];
    const body = rows[0]![member] ?? rows.find((row) => row[member] !== null)![member];
    const row = rows.findIndex((candidate) => candidate[member] === body);
    const wrong = { ...(body as ReturnType<typeof bodyOf>), size: 99_999 };
    const altered = { ...records, [collection]: rows.map((old, i) => (i === row ? { ...old, [member]: wrong } : old)) };
    expect(told(altered)).toContain(`INADMISSIBLE_BODY /${collection}/${row}/${member}`);
  });

  it('is judged wherever a record keeps one', () => {
    const wrong = { ...bodyOf('x'), size: 9 };
    const trace = new Trace()
      .add('task_transitions', 't', { raw: wrong })
      .add('artifacts', 'a', { raw: wrong })
      .add('uri_dereferences', 'd', { request_body: wrong })
      .add('dereference_responses', 'r', { body: wrong })
      .add('sanitizers', 's', { output: wrong });
    expect(told(trace.records())).toEqual([
      'INADMISSIBLE_BODY /task_transitions/0/raw',
      'INADMISSIBLE_BODY /uri_dereferences/0/request_body',
      'INADMISSIBLE_BODY /dereference_responses/0/body',
      'INADMISSIBLE_BODY /artifacts/0/raw',
      'INADMISSIBLE_BODY /sanitizers/0/output',
    ]);
  });
});

describe('a place in a response', () => {
  const at = (collection: 'task_transitions' | 'artifacts', row: number, fields: object): readonly string[] => {
    const records = honest();
    return told({
      ...records,
      [collection]: (records[collection] as readonly object[]).map((old, i) =>
        i === row ? { ...old, ...fields } : old,
      ),
    });
  };
  it('that is not there is refused', () => {
    for (const wire_event of [4, 99, null]) {
      expect(at('task_transitions', 0, { wire_event })).toEqual([
        'INADMISSIBLE_WIRE_PLACE /task_transitions/0/wire_event',
      ]);
    }
    expect(at('task_transitions', 0, { wire_event: 1 })).toEqual([
      'INADMISSIBLE_WIRE_PLACE /task_transitions/0/wire_event',
    ]);
    for (const place of [
      { part_index: 3 },
      { part_index: null },
      { artifact_index: 1 },
      { artifact_index: null },
      { payload: 'message' },
    ]) {
      expect(at('artifacts', 0, place)).toEqual(['INADMISSIBLE_WIRE_PLACE /artifacts/0/payload']);
    }
  });

  it('beyond the cut of a stream is truncated, unless the record holds its own text (case A9)', () => {
    const big = event(chunk('A'.repeat(3 * 1024 * 1024), false));
    const last = { statusUpdate: { taskId: 't', status: { state: 'TASK_STATE_COMPLETED' } } };
    const limit = 1024 * 1024;
    const records = captured([{ response: big + event(last), type, limit }]);
    const exchange = records.exchanges[0]!;
    expect(exchange.response_body).toMatchObject({ size: big.length + event(last).length, truncated: limit });
    expect(exchange).toMatchObject({
      event_count: null,
      wire_issue: { response: 'truncated', event_count: 'truncated' },
    });
    const cut = {
      exchange_id: 'exchange-0',
      part_index: null,
      part_kind: null,
      append: null,
      last_chunk: null,
      content: null,
    } as const;
    const trace = new Trace()
      .add('exchanges', 'exchange-0', exchange)
      .add('artifacts', 'held-by-exchange', { ...cut, wire_event: 0, wire_issue: { response: 'truncated' } })
      .add('artifacts', 'held-by-itself', {
        ...cut,
        wire_event: 0,
        raw: bodyOf(big.slice(6), limit),
        wire_issue: { raw: 'truncated' },
      })
      .add('task_transitions', 'after', {
        exchange_id: 'exchange-0',
        wire_event: 1,
        raw: bodyOf(rpc(last)),
        task_id: 't',
        state: 'completed',
      });
    expect(told(trace.records())).toEqual([]);
  });
});

describe('a reference', () => {
  const base = {
    exchange_id: 'e',
    body: 'request',
    pointer: '/params/message/parts/0/url',
    uri: 'https://files.example/a',
  } as const;
  const wire = captured([{ request, response: stream.map(event).join(''), type, version: '1.0' }]).exchanges[0]!;
  const reference = (fields: object) =>
    told(
      new Trace()
        .add('exchanges', 'e', { ...wire, exchange_id: 'e' })
        .add('uri_references', 'r', { ...base, ...fields })
        .records(),
    );

  it('stands where it says', () => {
    for (const fields of [
      {},
      { pointer: null },
      { body: null },
      {
        body: 'response',
        wire_event: 2,
        uri: 'http://169.254.169.254/',
        pointer: '/result/artifactUpdate/artifact/parts/0/text',
      },
    ]) {
      expect(reference(fields)).toEqual([]);
    }
    for (const fields of [
      { uri: 'https://files.example/b' },
      { pointer: '/params/message/messageId' },
      { body: 'response' },
      { wire_event: 0 },
      { body: 'response', wire_event: 0, pointer: null },
      { body: 'response', wire_event: 9, pointer: null },
    ]) {
      expect(reference(fields)).toEqual(['INADMISSIBLE_REFERENCE /uri_references/0/uri']);
    }
  });

  it('may stand in what the cut took away, or in the content of an artifact', () => {
    const cut = captured([{ request, limit: 40 }]).exchanges[0]!;
    const inCut = (pointer: string | null) =>
      told(
        new Trace()
          .add('exchanges', 'e', { ...cut, exchange_id: 'e' })
          .add('uri_references', 'r', { ...base, pointer })
          .records(),
      );
    expect(inCut(null)).toEqual([]);
    expect(inCut('/params')).toEqual(['INADMISSIBLE_REFERENCE /uri_references/0/uri']);

    const part = { data: { link: 'http://h/a"b' } };
    const raw = bodyOf(JSON.stringify({ artifactUpdate: { artifact: { parts: [part] } } }));
    const inArtifact = (uri: string) =>
      told(
        new Trace()
          .add('artifacts', 'a', { raw, part_kind: 'data', content: bodyOf(JSON.stringify(part.data)) })
          .add('uri_references', 'r', { uri, artifact_record_id: 'a' })
          .records(),
      );
    expect(inArtifact('http://h/a"b')).toEqual([]);
    expect(inArtifact('http://h/c')).toEqual(['INADMISSIBLE_REFERENCE /uri_references/0/artifact_record_id']);
  });
});
