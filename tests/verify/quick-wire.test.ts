import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inMemory } from '../../src/base/byte-source.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import { makeBody } from '../../src/evidence/body.ts';
import type { Records } from '../../src/evidence/bundle.ts';
import { COLLECTIONS } from '../../src/evidence/collections.ts';
import { idsOf } from '../../src/evidence/id-index.ts';
import { viewsOf } from '../../src/evidence/record-view.ts';
import { scanBundle } from '../../src/evidence/scan-bundle.ts';
import { artifactFields, artifactPlaces } from '../../src/evidence/wire/artifact.ts';
import { ExchangeTexts, type ExchangeWire, exchangeFields } from '../../src/evidence/wire/exchange.ts';
import { holdsTransition, transitionFields } from '../../src/evidence/wire/transition.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { Inadmissible } from '../../src/verify/admissibility-refusals.ts';
import { checkWireText } from '../../src/verify/admissibility-wire.ts';
import { unsettledByText } from '../../src/verify/quick-wire.ts';
import { buildBundle } from '../support/bundle.ts';
import { common } from '../support/records.ts';
import { runs } from '../support/thorough.ts';
import { inLines } from './paths.ts';

const bundle = buildBundle();
const [, exchange] = bundle.exchanges as [JsonObject, JsonObject];
const bodyOf = (text: string) => makeBody(new TextEncoder().encode(text), 1 << 20, nativeCrypto);
const rpc = (result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 'é', result });

const PARTS = [
  { text: 'a "quoted"\nline é', mediaType: 'text/plain' },
  { url: 'https://a.example/x', filename: 'x' },
];
const TASK = {
  id: 'task-1',
  contextId: 'context-1',
  status: { state: 'TASK_STATE_WORKING', message: { messageId: 'm', parts: [{ text: 'busy' }] } },
  artifacts: [
    { artifactId: 'a', name: 'A', parts: PARTS },
    { artifactId: 'b', name: 'B', parts: [{ text: '' }] },
  ],
};
const REQUESTS = [
  '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"task-1"}}',
  '{"jsonrpc":"2.0","id":"é","method":"SendMessage","params":{"message":{"messageId":"m","taskId":null,"contextId":"c"}}}',
  '{"id":null,"params":null}',
  '',
];
const RESPONSES = [
  rpc({ task: TASK }),
  rpc(TASK),
  rpc({ kind: 'task', ...TASK }),
  rpc({ kind: 'message', messageId: 'm', taskId: 't', parts: [{ kind: 'text', text: 'x' }] }),
  rpc({ message: { messageId: 'm', context_id: 'c', content: PARTS } }),
  rpc({ statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'completed' } } }),
  rpc({ artifactUpdate: { taskId: 't', append: true, artifact: { artifactId: 'a', parts: [PARTS[0]] } } }),
  rpc({ task: TASK, message: { messageId: 'm' } }),
  '{"id":1,"result":null,"error":{"code":-32600,"message":"no"}}',
  '{"id":1,"task":{"id":"t"},"result":{"id":"u","status":{"state":3}}}',
  '[]',
];

/** What a capture makes of two texts. */
const captured = (request: string, response: string) => {
  const wire = { ...exchange, request_body: bodyOf(request), response_body: bodyOf(response) };
  const texts = new ExchangeTexts(wire as unknown as ExchangeWire);
  const text = texts.response(null)!;
  const source = { exchange_id: exchange.exchange_id, wire_event: null, raw: null, agent: null };
  const artifacts = artifactPlaces(text).map((place, at) => {
    const { content, ...fields } = artifactFields(text, place);
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const kept = bytes === null ? null : makeBody(bytes, 1 << 20, nativeCrypto);
    const id = `artifact-${at}`;
    return {
      artifact_record_id: id,
      ...common(id, 30 + at),
      ...source,
      ...place,
      ...fields,
      appends_to: null,
      content: kept,
    };
  });
  const transition = { transition_id: 'entered', ...common('entered', 60), ...source, previous_transition_id: null };
  return {
    exchanges: [{ ...wire, ...exchangeFields(wire as unknown as ExchangeWire, texts) }],
    artifacts,
    task_transitions: holdsTransition(text) ? [{ ...transition, ...transitionFields(text) }] : [],
  };
};

/** The rows of one capture with the bodies of another. */
const withBodies = (of: ReturnType<typeof captured>, { exchanges }: ReturnType<typeof captured>) => {
  const { request_body, response_body } = exchanges[0]!;
  return { ...of, exchanges: [{ ...of.exchanges[0], request_body, response_body }] };
};

const read = (rows: object) => {
  const document = { ...bundle, uri_references: [], ...rows } as unknown as JsonObject;
  const tables = scanBundle(inMemory(inLines(JSON.parse(JSON.stringify(document)) as JsonObject)));
  const ids = tables && idsOf(tables);
  if (tables === null || ids === null) return null;
  const records = Object.fromEntries(COLLECTIONS.map((name) => [name, viewsOf(tables[name])])) as unknown as Records;
  return { records, unsettled: unsettledByText(tables, ids, records, nativeCrypto) };
};

const refusedOf = (records: Records, unsettled: Records) => {
  const refusals = new Inadmissible(records);
  checkWireText(records, unsettled, nativeCrypto, refusals);
  return refusals.all();
};

/** Whether the quick way settles the exchange, and how much the check that refuses would refuse; null of what has no shape. */
const judged = (rows: object): { readonly isSettled: boolean; readonly refused: number } | null => {
  const seen = read(rows);
  if (seen === null) return null;
  const { records, unsettled } = seen;
  return { isSettled: unsettled.exchanges.length === 0, refused: refusedOf(records, records).length };
};

test('settles what is plain', () => {
  const settled = RESPONSES.slice(0, 4).map((response) => judged(captured(REQUESTS[0]!, response)));
  expect(settled).toEqual(settled.map(() => ({ isSettled: true, refused: 0 })));
});

test('a reference is held to the texts of its exchange although that is settled', () => {
  const rows = captured(REQUESTS[0]!, RESPONSES[0]!);
  const reference = (uri: string, body: string, pointer: string, at: number) => ({
    reference_id: `r-${at}`,
    ...common(`r-${at}`, 70 + at),
    uri,
    exchange_id: exchange.exchange_id,
    artifact_record_id: null,
    body,
    wire_event: null,
    pointer,
  });
  const uri_references = [
    reference('task-1', 'request', '/params/id', 0),
    reference('another', 'request', '/params/id', 1),
    reference('https://a.example/x', 'response', '/result/task/artifacts/0/parts/1/url', 2),
    reference('https://a.example/x', 'response', '/result/task/artifacts/0/parts/0/url', 3),
  ];
  const { records, unsettled } = read({ ...rows, uri_references })!;
  expect(unsettled.exchanges).toEqual([]);
  const refused = refusedOf(records, unsettled);
  expect(refused.map(({ reason, at }) => `${reason} ${at?.id}`)).toEqual([
    'INADMISSIBLE_REFERENCE r-1',
    'INADMISSIBLE_REFERENCE r-3',
  ]);
  expect(refused).toEqual(refusedOf(records, records));
});

test('what a capture makes of a text is refused by neither, and what is ambiguous is not settled', () => {
  const outcomes = REQUESTS.flatMap((request) => RESPONSES.map((response) => judged(captured(request, response))));
  expect(outcomes.map((outcome) => outcome?.refused)).toEqual(outcomes.map(() => 0));
  expect(judged(captured(REQUESTS[0]!, RESPONSES[7]!))?.isSettled).toBe(false);
});

const damage = fc.record({
  at: fc.nat(),
  cut: fc.nat(3),
  put: fc.constantFrom('', '"', '\\', '\\u0061', 'null', '1', ',', '{', '}', ':', 'id', '_', ' ', '\n'),
});
const damaged = (text: string, { at, cut, put }: { at: number; cut: number; put: string }): string => {
  const place = at % (text.length + 1);
  return text.slice(0, place) + put + text.slice(place + cut);
};

test('settles nothing of which the check would refuse anything: damaged texts under the records of others', () => {
  let settled = 0;
  let refused = 0;
  fc.assert(
    fc.property(
      fc.nat(),
      fc.nat(),
      fc.option(damage),
      fc.option(damage),
      fc.boolean(),
      (one, two, first, second, isOwn) => {
        const [request, response] = [REQUESTS[one % REQUESTS.length]!, RESPONSES[two % RESPONSES.length]!];
        const other = captured(
          first === null ? request : damaged(request, first),
          second === null ? response : damaged(response, second),
        );
        const outcome = judged(isOwn ? other : withBodies(captured(request, response), other));
        if (outcome === null) return;
        if (outcome.isSettled) expect(outcome.refused).toBe(0);
        if (outcome.isSettled) settled++;
        if (outcome.refused > 0) refused++;
      },
    ),
    { numRuns: runs(20_000, 300) },
  );
  expect(settled).toBeGreaterThan(20);
  expect(refused).toBeGreaterThan(20);
}, 300_000);
