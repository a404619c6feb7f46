import { describe, expect, it } from 'vitest';
import { artifactFields } from '../../../src/evidence/wire/artifact.ts';
import { type Observation, observationsIn, UNREADABLE } from '../../../src/evidence/wire/observations.ts';
import { PayloadText } from '../../../src/evidence/wire/payload-text.ts';
import { readBody } from '../../../src/evidence/wire/text.ts';
import { transitionFields } from '../../../src/evidence/wire/transition.ts';
import { bodyOf, caseText, rpc } from './support.ts';

const text = (value: unknown) => PayloadText.of(typeof value === 'string' ? value : JSON.stringify(value));
const events = (name: string) =>
  caseText(name)
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => block.slice(6));
const content = (held: Uint8Array | string | null) =>
  held === null || typeof held === 'string' ? held : new TextDecoder().decode(held);
const UPDATE = { payload: 'artifact_update', artifact_index: null } as const;
const part = (value: unknown) =>
  artifactFields(text({ artifactUpdate: { artifact: { parts: [value] } } }), { ...UPDATE, part_index: 0 });

describe('transitions', () => {
  const names = [
    'submitted',
    'working',
    'completed',
    'failed',
    'canceled',
    'input-required',
    'rejected',
    'auth-required',
  ];
  const state = (stated: unknown) => transitionFields(text({ task: { id: 't', status: { state: stated } } }));

  it('know each state in the spelling of 0.3, that of 1.0, and by its number', () => {
    for (const [i, name] of names.entries()) {
      const spelled = `TASK_STATE_${name.toUpperCase().replace('-', '_')}`;
      for (const stated of [name, spelled, i + 1])
        expect(state(stated)).toMatchObject({ state: name, wire_issue: null });
    }
    for (const stated of ['cancelled', 'TASK_STATE_CANCELLED']) expect(state(stated).state).toBe('canceled');
    for (const stated of ['TASK_STATE_UNSPECIFIED', 'unknown', 'Working', '', 0, 9, -1, null]) {
      expect(state(stated)).toMatchObject({ task_id: 't', state: null, wire_issue: null });
    }
    expect(state({})).toMatchObject({ wire_issue: { state: 'wrong_type' } });
    expect(state(1.5)).toMatchObject({ wire_issue: { state: 'outside_model' } });
  });

  it('come from a task or a status update alone', () => {
    const update = { taskId: 't', contextId: 'c', status: { state: 'working' } };
    const expected = { task_id: 't', context_id: 'c', state: 'working', wire_issue: null };
    for (const value of [{ statusUpdate: update }, { kind: 'status-update', ...update }, update, { result: update }]) {
      expect(transitionFields(text(value))).toEqual(expected);
      expect(observationsIn(text(value))).toEqual([{ kind: 'transition' }]);
    }
    for (const value of [
      { message: { messageId: 'm' } },
      {},
      { error: { code: 1 } },
      { result: 'x' },
      [],
      '<html>',
      '',
    ]) {
      expect(observationsIn(text(value))).toEqual([]);
    }
  });

  it('are ambiguous when a text states two payloads', () => {
    const wire_issue = { task_id: 'wrong_type', context_id: 'wrong_type', state: 'wrong_type' };
    for (const value of [
      { task: { id: 'a' }, statusUpdate: { taskId: 'b' } },
      { result: { task: { id: 'a' } }, statusUpdate: { taskId: 'b' } },
      { kind: 'task', id: 'a', statusUpdate: { taskId: 'b' } },
    ]) {
      expect(transitionFields(text(value))).toEqual({ task_id: null, context_id: null, state: null, wire_issue });
    }
  });
});

describe('what a capture records of a text that peers may read and the extraction cannot', () => {
  it.each([
    ['repeated result', '{"result":{"task":{"id":"a"}},"result":{}}'],
    ['repeated payload', '{"artifactUpdate":{},"artifactUpdate":{"artifact":{"parts":[{"text":"x"}]}}}'],
    ['repeated kind', '{"kind":"task","kind":"message"}'],
    ['nested too deep', `{"task":{"id":"t"},"x":${'['.repeat(2000)}${']'.repeat(2000)}}`],
  ])('is one unreadable transition and artifact: %s', (_, value) => {
    expect(observationsIn(text(value))).toEqual(UNREADABLE);
    expect(transitionFields(text(value)).wire_issue).not.toBeNull();
    const [, place] = UNREADABLE as readonly [Observation, Observation & { kind: 'artifact' }];
    expect(artifactFields(text(value), place)).toMatchObject({ content: null, wire_issue: expect.anything() });
  });

  it('and so is a cut body, and JSON with invalid UTF-8', () => {
    const cut = new PayloadText(readBody(bodyOf(rpc({ task: { id: 't' } }), 20)), 'raw');
    expect(observationsIn(cut)).toEqual(UNREADABLE);
    expect(transitionFields(cut).wire_issue).toEqual({ raw: 'truncated' });
    const invalid = Buffer.from('{"task":{"id":"t\xff"}}', 'latin1');
    expect(observationsIn(new PayloadText(readBody(bodyOf(invalid)), 'response'))).toEqual(UNREADABLE);
    expect(observationsIn(new PayloadText(readBody(bodyOf('<html>'.repeat(9), 20)), 'response'))).toEqual([]);
  });

  it('names artifacts hidden behind a second list', () => {
    const hidden = text('{"task":{"id":"t","artifacts":[],"artifacts":[{"parts":[{"text":"<script>"}]}]}}');
    const place = { payload: 'task_artifact', artifact_index: null, part_index: null } as const;
    expect(observationsIn(hidden)).toEqual([{ kind: 'transition' }, { kind: 'artifact', ...place }]);
    expect(artifactFields(hidden, place)).toMatchObject({
      task_id: 't',
      wire_issue: { artifact_id: 'duplicate_name', content: 'duplicate_name' },
    });
  });
});

describe('artifacts', () => {
  it('are enumerated over every list, the status message included', () => {
    const parts = [{ text: 'a' }, { text: 'b' }];
    const task = {
      id: 't',
      status: { message: { messageId: 'm', parts } },
      artifacts: [{ artifactId: 'x', parts }, { artifactId: 'y' }],
    };
    expect(observationsIn(text(rpc({ task })))).toEqual([
      { kind: 'transition' },
      { kind: 'artifact', payload: 'task_artifact', artifact_index: 0, part_index: 0 },
      { kind: 'artifact', payload: 'task_artifact', artifact_index: 0, part_index: 1 },
      { kind: 'artifact', payload: 'task_artifact', artifact_index: 1, part_index: null },
      { kind: 'artifact', payload: 'message', artifact_index: null, part_index: 0 },
      { kind: 'artifact', payload: 'message', artifact_index: null, part_index: 1 },
    ]);
    const message = observationsIn(text({ message: { messageId: 'm', parts } }));
    expect(message).toEqual(
      [0, 1].map((part_index) => ({ kind: 'artifact', payload: 'message', artifact_index: null, part_index })),
    );
  });

  it('of a stream are chunks in order (case A5)', () => {
    const chunks = (name: string) =>
      events(name).flatMap((event) =>
        observationsIn(PayloadText.of(event)).flatMap((seen) =>
          seen.kind === 'artifact' ? [artifactFields(PayloadText.of(event), seen)] : [],
        ),
      );
    const told = (name: string) =>
      chunks(name).map(({ append, last_chunk, content: bytes }) => [append, last_chunk, content(bytes)]);
    expect(told('A5-replace.sse')).toEqual([
      [false, false, 'Hel'],
      [true, false, 'lo'],
      [false, true, 'Hello'],
      [true, false, '!'],
    ]);
    expect(told('A5-snapshot.sse')).toEqual([
      [false, false, '<scr'],
      [true, false, 'ipt>alert(1)</scr'],
      [true, false, 'ipt>'],
      [true, true, null],
    ]);
    expect(chunks('A5-snapshot.sse').at(-1)).toMatchObject({
      task_id: 't1',
      context_id: 'c1',
      artifact_id: 'a1',
      part_kind: null,
      wire_issue: null,
    });
  });

  it.each([
    ['1.0 text', { text: '<b>', mediaType: 'text/html', filename: 'f' }, 'text', 'text/html', 'f', '<b>'],
    ['1.0 raw', { raw: 'PGI+', mediaType: 'text/html' }, 'raw', 'text/html', null, '<b>'],
    ['1.0 raw, URL-safe without padding', { raw: 'PGI-Pg' }, 'raw', null, null, '<b>>'],
    ['1.0 data', { data: { a: 1 } }, 'data', null, null, '{"a":1}'],
    ['1.0 data null', { data: null }, 'data', null, null, 'null'],
    ['1.0 in snake case', { text: 'x', media_type: 'text/plain' }, 'text', 'text/plain', null, 'x'],
    ['0.3 text', { kind: 'text', text: 'x' }, 'text', null, null, 'x'],
    [
      '0.3 file with bytes',
      { kind: 'file', file: { bytes: 'PGI+', mimeType: 'text/html', name: 'n' } },
      'raw',
      'text/html',
      'n',
      '<b>',
    ],
    ['0.3 over HTTP+JSON', { file: { fileWithBytes: 'PGI+' } }, 'raw', null, null, '<b>'],
    ['0.3 data', { kind: 'data', data: {} }, 'data', null, null, '{}'],
    ['nothing', {}, null, null, null, null],
  ])('hold the bytes of a part: %s', (_, value, part_kind, media_type, filename, expected) => {
    const fields = part(value);
    expect({ ...fields, content: content(fields.content) }).toMatchObject({
      part_kind,
      media_type,
      filename,
      part_url: null,
      content: expected,
      wire_issue: null,
    });
  });

  it('name the URL of a part given by reference', () => {
    for (const value of [
      { url: 'http://x/' },
      { kind: 'file', file: { uri: 'http://x/' } },
      { file: { fileWithUri: 'http://x/' } },
    ]) {
      expect(part(value)).toMatchObject({ part_kind: 'url', part_url: 'http://x/', content: null, wire_issue: null });
    }
  });

  it.each([
    [
      'two members of the oneof',
      { text: 'a', url: 'b' },
      { part_kind: 'wrong_type', part_url: 'wrong_type', content: 'wrong_type' },
    ],
    [
      'bytes and uri',
      { file: { bytes: '', uri: 'u' } },
      { part_kind: 'wrong_type', part_url: 'wrong_type', content: 'wrong_type' },
    ],
    ['bad base64', { raw: '####' }, { content: 'wrong_type' }],
    ['unused bits', { raw: 'QR==' }, { content: 'wrong_type' }],
    ['text of another type', { text: 7 }, { content: 'wrong_type' }],
    ['media type of another type', { text: 'a', mediaType: 7 }, { media_type: 'wrong_type' }],
  ])('say why a part cannot be read: %s', (_, value, wire_issue) => {
    expect(part(value).wire_issue).toEqual(wire_issue);
  });

  it('refuse a text with a lone surrogate, and keep data exactly as written', () => {
    const update = (parts: string) => text(`{"artifactUpdate":{"append":null,"artifact":{"parts":${parts}}}}`);
    const place = { ...UPDATE, part_index: 0 };
    expect(artifactFields(update('[{"text":"\\ud800"}]'), place)).toMatchObject({
      part_kind: 'text',
      content: null,
      append: false,
      wire_issue: { content: 'outside_model' },
    });
    const data = '{ "b":1e400,\n"a":[1.50,{"b":1,"b":2}] }';
    expect(content(artifactFields(update(`[{"data": ${data} }]`), place).content)).toBe(data);
    expect(artifactFields(update('[{"text":"a","text":"b"}]'), place).wire_issue).toMatchObject({
      content: 'duplicate_name',
    });
    expect(artifactFields(update('"x"'), { ...UPDATE, part_index: null }).wire_issue).toMatchObject({
      content: 'wrong_type',
    });
  });
});
