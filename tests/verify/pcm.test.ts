import { describe, expect, it } from 'vitest';
import { PCM_MEDIA_TYPE } from '../../src/pcm/a2a-parts.ts';
import { bytesOf, callOf, evidenceOf, keyOf, LOG, SCHEMA } from '../pcm/lab.ts';
import { common } from '../support/records.ts';
import { body, FILES, messageAt, reportOfTrace, type Sent, timeOf, traceOf } from './pcm-lab.ts';

const at = (sequence: number, more: Partial<Sent> = {}): Sent => ({ sequence, text: messageAt(sequence), ...more });
const forgedAt = (sequence: number): string => messageAt(sequence).replace('"amount":5', '"amount":6');
const FORGED = at(120, { text: forgedAt(120) });

describe('a message in a request', () => {
  it('that is accepted is CONSISTENT', () => {
    expect(traceOf([at(120)])).toMatchObject({ said: [], family: { status: 'CONSISTENT', triggers: 1 } });
  });

  it('that is not proven is CONSISTENT with a warning', () => {
    const claims = [{ type: 'tests_passed', args: { suite: 'pytest' } }];
    const told = traceOf([{ sequence: 120, text: messageAt(120, { claims }) }]);
    expect(told).toMatchObject({ said: ['PCM_TRACE_UNPROVEN pcm-120'], family: { status: 'CONSISTENT' } });
  });

  it('that proves its claims is accepted', () => {
    const { events, opened } = callOf('Bash', { command: 'pytest' });
    const claims = [{ type: 'tests_passed', args: { suite: 'pytest' }, evidence: evidenceOf(events, opened) }];
    expect(traceOf([{ sequence: 120, text: messageAt(120, { claims }) }]).said).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    ['forged', forgedAt(120), /did not sign this/],
    ['for another', messageAt(120, { to: { agent: 'uid:3' } }), /addressed to uid:3, not uid:2/],
    ['older than five minutes', messageAt(120, { ts: '2026-03-01T09:56:59.999999Z' }), /more than 300 s/],
    ['older than the trace', messageAt(120, { ts: '2026-03-01T09:59:59.999999Z' }), /before this receiver started/],
    ['malformed', messageAt(120, { intent: { type: 'pay', args: {} } }), /an intent is name@/],
  ])('that is %s is INDICATED at the exchange', (_, text, why) => {
    const told = traceOf([{ sequence: 120, text }]);
    expect(told).toMatchObject({
      said: ['PCM_TRACE_REJECTED pcm-120'],
      family: { status: 'INDICATED' },
      verdict: 'FORENSICALLY_INDICATED',
    });
    expect(told.statements[0]!.explanation).toMatch(why);
  });

  it.each<[string, Sent]>([
    ['a name twice', at(120, { text: messageAt(120).replace('{', '{"pcm":0,') })],
    ['a number that overflows', at(120, { text: messageAt(120).replace('"amount":5', '"amount":1e400') })],
    ['a data part', { sequence: 120, parts: `{"data":{"pcm":0},"mediaType":"${PCM_MEDIA_TYPE}"}` }],
    ['half a surrogate pair', { sequence: 120, parts: `{"text":"\\ud800","mediaType":"${PCM_MEDIA_TYPE}"}` }],
  ])('that is bad input (%s) is INDICATED', (_, sent) => {
    const told = traceOf([sent]);
    expect(told).toMatchObject({ said: ['PCM_TRACE_BAD_INPUT pcm-120'], family: { status: 'INDICATED' } });
  });

  it.each<[string, Parameters<typeof traceOf>, string, string]>([
    ['schema', [[at(120)], { pcm: { ...FILES, schemas: [] } }], 'PCM_TRACE_SCHEMA_NOT_GIVEN', 'pcm-schema'],
    ['identity in the profile', [[at(120)], { identities: null }], 'PCM_TRACE_RECEIVER_NOT_KNOWN', 'pcm.identities'],
    ['name of the agent', [[at(120, { server_agent: null })]], 'PCM_TRACE_RECEIVER_NOT_KNOWN', 'server_agent'],
    ['whole text', [[at(120, { truncated: true })]], 'PCM_TRACE_NOT_READ', 'request_body'],
    [
      'UTF-8',
      [[{ sequence: 120, bytes: Buffer.from(`{"${PCM_MEDIA_TYPE}":"\xff"}`, 'latin1') }]],
      'PCM_TRACE_NOT_READ',
      'request_body',
    ],
    [
      'UTF-8 (but UTF-16)',
      [[{ sequence: 120, bytes: Buffer.from(`{"${PCM_MEDIA_TYPE}":"£"}`, 'utf16le') }]],
      'PCM_TRACE_NOT_READ',
      'request_body',
    ],
    ['text that is JSON', [[{ sequence: 120, request: `{"${PCM_MEDIA_TYPE}"` }]], 'PCM_TRACE_NOT_READ', 'request_body'],
  ])('without its %s is INCONCLUSIVE', (_, trace, reason, missing) => {
    const told = traceOf(...trace);
    expect(told).toMatchObject({
      said: [`${reason} pcm-120`],
      statements: [{ missing: [missing] }],
      family: { status: 'INCONCLUSIVE', triggers: 1 },
      verdict: 'INCONCLUSIVE',
    });
  });

  it('that nobody could accept is INDICATED whatever is not given', () => {
    const nothing = { pcm: { ...FILES, schemas: [] }, identities: null };
    expect(traceOf([FORGED], nothing).said).toEqual(['PCM_TRACE_REJECTED pcm-120']);
    const old = at(120, { text: messageAt(120, { ts: '2026-03-01T09:59:59.999999Z' }) });
    expect(traceOf([old], nothing).said).toEqual(['PCM_TRACE_REJECTED pcm-120']);
  });

  it('is found in a batch, behind an escape, and in each reading of a name that stands twice', () => {
    const partOf = (text: string) => JSON.stringify({ text, mediaType: PCM_MEDIA_TYPE });
    const callOfText = (text: string) =>
      `{"jsonrpc":"2.0","id":9,"method":"SendMessage","params":{"message":{"parts":[${partOf(text)}]}}}`;
    const [one, two] = [forgedAt(120), forgedAt(121)].map(callOfText);
    const requests = [`[${one},${two}]`, one!.replace('"params":', '"params":{},"params":')];
    expect(requests.map((request) => traceOf([{ sequence: 122, request }]).family.triggers)).toEqual([2, 1]);
    const escaped = partOf(forgedAt(120)).replace('application/vnd', 'application/\\u0076nd');
    expect(traceOf([{ sequence: 122, parts: `{"text":"hello"},${escaped}` }]).said).toHaveLength(1);
  });
});

describe('a message that comes again', () => {
  const text = messageAt(120);
  const again = (sequence: number, more: Partial<Sent> = {}): Sent => ({ sequence, text, ...more });

  it('is INDICATED where it comes again, in the order of the runtime, and rests on where it came first', () => {
    const told = traceOf([again(130), again(120)]);
    expect(told.said).toEqual(['PCM_TRACE_REJECTED pcm-130']);
    expect(told.statements[0]!.explanation).toContain('this message was already received');
    expect(told.statements[0]!.minimal).toMatchObject([{ id: 'pcm-130' }, { id: 'pcm-120' }]);
  });

  it('seen by the taps of both sides is one message, by whatever name the client knows the agent', () => {
    for (const server_agent of ['Worker', 'The Worker', null]) {
      const told = traceOf([again(120, { observer: 'sdk-client', server_agent }), again(121)]);
      expect(told).toMatchObject({ said: [], family: { triggers: 1 } });
    }
  });

  it('twice, seen from both sides, is one replay', () => {
    const sides = (sequence: number) => [again(sequence, { observer: 'sdk-client' }), again(sequence + 1)];
    expect(traceOf([...sides(120), ...sides(130)]).said).toEqual(['PCM_TRACE_REJECTED pcm-131']);
    const crossed = [120, 121, 122, 123].map((n) => again(n, n < 122 ? { observer: 'sdk-client' } : {}));
    expect(traceOf(crossed).said).toEqual(['PCM_TRACE_REJECTED pcm-123']);
  });

  it('is one message when one observer of both processes saw one answer, and two when it saw two', () => {
    const hook = (sequence: number, answer = '{"a":1}') => again(sequence, { observer: 'process-hook', answer });
    expect(traceOf([hook(120), hook(121)]).said).toEqual([]);
    expect(traceOf([hook(120), hook(121, '{"a":2}')]).said).toEqual(['PCM_TRACE_REJECTED pcm-121']);
    expect(traceOf([hook(120), hook(121), hook(122)]).said).toEqual(['PCM_TRACE_REJECTED pcm-122']);
  });

  it('to another agent is for another', () => {
    const identities = { identities: ['Worker', 'Other'].map((agent, i) => ({ agent, identity: `uid:${i + 2}` })) };
    const other = again(121, { server_agent: 'Other', url: 'https://other.example/', observer: 'sdk-client' });
    expect(traceOf([again(120), other], { identities }).said).toEqual(['PCM_TRACE_REJECTED pcm-121']);
  });
});

describe('the report', () => {
  it('of a trace with the option names the family, its documents and what was checked', () => {
    const report = reportOfTrace([FORGED]);
    expect(report).toMatchObject({
      verdict: 'FORENSICALLY_INDICATED',
      findings: [{ reason: 'PCM_TRACE_REJECTED', family: 'PCM', affected: { type: 'RuntimeExchange', id: 'pcm-120' } }],
      reasons: { PCM_TRACE_REJECTED: { level: 'finding' } },
    });
    expect(report.families.at(-1)).toEqual({ family: 'PCM', status: 'INDICATED', triggers: 1 });
    expect(report.inputs.map(({ input }) => input).slice(-2)).toEqual(['pcm-trust', 'pcm-schemas/pay.json']);
    expect(report.checked.at(-1)).toMatch(/^Each proof-carrying message of a request was verified/);
  });

  it('of a trace without the option lists messages as not checked, and has the verdict it had', () => {
    const report = reportOfTrace([FORGED, at(121), at(122, { truncated: true })], { pcm: null });
    expect(report.families.map(({ family }) => family)).not.toContain('PCM');
    expect(report.verdict).toBe('FORENSICALLY_CONSISTENT');
    expect(report.not_checked).toContain(
      'Proof-carrying messages in 3 parts of requests: not checked (give --pcm-trust FILE).',
    );
    expect(report.checked.join()).not.toContain('roof-carrying');
  });

  it('of a trace that carries none says nothing of them without the option, and with it that none came', () => {
    expect(JSON.stringify(reportOfTrace([], { pcm: null }))).not.toMatch(/pcm|proof-carrying/i);
    expect(reportOfTrace([]).families.at(-1)).toMatchObject({ family: 'PCM', triggers: 0 });
  });

  const text = messageAt(120);
  const part = { text, mediaType: PCM_MEDIA_TYPE };
  const task = {
    id: 't',
    contextId: 'c',
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ artifactId: 'a', parts: [part] }],
  };
  const artifact = {
    artifact_record_id: 'answer-1',
    ...common('answer-1', 121),
    exchange_id: 'pcm-120',
    wire_event: null,
    raw: null,
    agent: 'Worker',
    payload: 'task_artifact',
    artifact_index: 0,
    part_index: 0,
    task_id: 't',
    context_id: 'c',
    artifact_id: 'a',
    name: null,
    part_kind: 'text',
    media_type: PCM_MEDIA_TYPE,
    filename: null,
    part_url: null,
    append: null,
    last_chunk: null,
    appends_to: null,
    content: body(text),
    wire_issue: null,
  };

  it('lists messages in answers as not checked, with the option too', () => {
    const answer = JSON.stringify({ jsonrpc: '2.0', id: 9, result: { task } });
    const report = reportOfTrace([{ sequence: 120, parts: '{"text":"hello"}', answer }], { artifacts: [artifact] });
    expect(report.refusals).toEqual([]);
    expect(report.not_checked).toContain('Proof-carrying messages in 1 part of responses: not checked.');
    expect(report.not_checked.join()).not.toContain('gRPC');
  });

  it('lists calls over gRPC that carry one as not checked, with the option too: by their parts, and by bytes that name it', () => {
    const raw = body(JSON.stringify(task));
    const calls: Sent[] = [
      { sequence: 120, binding: 'GRPC', bytes: null },
      { sequence: 130, binding: 'GRPC', bytes: Buffer.from(`\0\0\0\0\x20\x1a\x18${PCM_MEDIA_TYPE}\xff`, 'latin1') },
      { sequence: 140, binding: 'GRPC', bytes: Buffer.from('\0\0\0\0\x02hi') },
    ];
    const report = reportOfTrace(calls, { artifacts: [{ ...artifact, raw }] });
    expect(report.refusals).toEqual([]);
    expect(report.not_checked).toContain('Proof-carrying messages in 2 calls over gRPC: not checked.');
    expect(report.not_checked.join()).not.toContain('of responses');
    expect(report.families.at(-1)).toMatchObject({ family: 'PCM', triggers: 0 });
  });

  it('leaves the messages out with the rules, and judges them without the relationships', () => {
    expect(reportOfTrace([FORGED], { mode: 'root-only' })).toMatchObject({
      verdict: 'INTEGRITY_VERIFIED',
      families: [],
    });
    const [finding] = reportOfTrace([FORGED], { mode: 'records-only' }).findings;
    expect(finding).toMatchObject({ reason: 'PCM_TRACE_REJECTED' });
  });

  it.each([
    ['two keys of one log', { logs: [LOG.vkey, keyOf(2, LOG.name).vkey] }, FILES.schemas, 'pcm-trust', '/logs/1'],
    ['no trust document', SCHEMA, FILES.schemas, 'pcm-trust', '/logs'],
    [
      'no schema',
      { logs: [LOG.vkey] },
      [{ name: 'x.json', bytes: bytesOf('{}') }],
      'pcm-schemas/x.json',
      '/pcm_schema',
    ],
  ])('says that nothing was checked under documents that are refused: %s', (_, trust, schemas, input, pointer) => {
    const report = reportOfTrace([at(120)], { pcm: { trust: bytesOf(trust), schemas } });
    expect([report.verdict, report.exit_code]).toEqual(['COULD_NOT_CHECK', 2]);
    expect(report.refusals).toMatchObject([{ reason: 'PCM_DOCUMENT_REFUSED', at: { input, pointer } }]);
  });
});

it('a time of evidence is a time of PCM', () => {
  expect(timeOf(120)).toBe('2026-03-01T10:02:00.000000Z');
});
