import { expect, it } from 'vitest';
import { readPcmSchema } from '../../src/pcm/schema.ts';
import { readPcmTrust } from '../../src/pcm/trust.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { bytesOf, keyOf, type Members } from './lab.ts';

const reasonOf = (read: { ok: boolean; findings?: readonly { reason: string; at: string }[] }): string =>
  read.ok ? 'read' : `${read.findings![0]!.reason} ${read.findings![0]!.at}`;
const trust = (document: unknown) => reasonOf(readPcmTrust(bytesOf(document), nativeCrypto));
const L = keyOf(1, 'log.example');
const W = keyOf(2, 'w.example', 4);
const named = (byte: number, name: string, type = 1) => keyOf(byte, name, type).vkey;
const witnesses = (...vkeys: readonly string[]) => ({
  logs: [L.vkey],
  witnesses: vkeys.map((vkey) => ({ vkey, class: 'public' })),
});
const [name, id, blob] = L.vkey.split(/\+(.{8})\+/) as [string, string, string];

it.each<[string, unknown, string]>([
  ['one log', { logs: [L.vkey] }, 'read'],
  ["Tracekit's other members", { logs: [L.vkey], algs: ['ed25519'], x: {} }, 'read'],
  ['the same pin twice', { logs: [L.vkey, L.vkey] }, 'read'],
  ['more witnesses required than pinned', { ...witnesses(W.vkey), witnesses_required: 3 }, 'read'],
  ['a key that is a log and a witness', witnesses(named(1, 'w.example', 4)), 'read'],
  ['no object', [], 'PCM_TRUST_SHAPE '],
  ['no logs', {}, 'PCM_TRUST_SHAPE /logs'],
  ['empty logs', { logs: [] }, 'PCM_TRUST_SHAPE /logs'],
  ['witnesses as text', { logs: [L.vkey], witnesses: [W.vkey] }, 'PCM_TRUST_SHAPE /witnesses'],
  ['a negative count', { logs: [L.vkey], witnesses_required: -1 }, 'PCM_TRUST_SHAPE /witnesses_required'],
  ['a count of 1.0', '{"logs":["x"],"witnesses_required":1.0}', 'PCM_TRUST_SHAPE /witnesses_required'],
  ['no text', { logs: [1] }, 'PCM_TRUST_KEY /logs/0'],
  ['a witness without a key', { logs: [L.vkey], witnesses: [{}] }, 'PCM_TRUST_KEY /witnesses/0'],
  ['no plus', { logs: ['log.example'] }, 'PCM_TRUST_KEY /logs/0'],
  ['no name', { logs: [named(1, '')] }, 'PCM_TRUST_KEY /logs/0'],
  ['a name with a space', { logs: [named(1, 'a b')] }, 'PCM_TRUST_KEY /logs/0'],
  ['a name of 256 bytes', { logs: [named(1, 'a'.repeat(256))] }, 'PCM_TRUST_KEY /logs/0'],
  ['an id in capitals', { logs: [`${name}+${id.toUpperCase()}+${blob}`] }, 'PCM_TRUST_KEY /logs/0'],
  ['the id of another name', { logs: [`other+${id}+${blob}`] }, 'PCM_TRUST_KEY /logs/0'],
  ['no padding', { logs: [named(1, 'a').replace(/=+$/, '') + 'A'] }, 'PCM_TRUST_KEY /logs/0'],
  ['a witness as a log', { logs: [W.vkey] }, 'PCM_TRUST_KEY /logs/0'],
  ['a log as a witness', witnesses(L.vkey), 'PCM_TRUST_KEY /witnesses/0'],
  ['a hybrid key', { logs: [named(1, 'log.example', 0xff)] }, 'PCM_TRUST_KEY /logs/0'],
  ['two keys of a log', { logs: [L.vkey, named(3, 'log.example')] }, 'PCM_TRUST_LOG_TWO_KEYS /logs/1'],
  ['a key of two logs', { logs: [L.vkey, named(1, 'b.example')] }, 'PCM_TRUST_LOG_TWO_NAMES /logs/1'],
  ['two keys of a witness', witnesses(W.vkey, named(3, 'w.example', 4)), 'PCM_TRUST_WITNESS_TWO_KEYS /witnesses/1'],
  ['a key of two witnesses', witnesses(W.vkey, named(2, 'v.example', 4)), 'PCM_TRUST_WITNESS_TWO_NAMES /witnesses/1'],
  ['a repeated name', '{"logs":[],"logs":[]}', 'PCM_READ_DUPLICATE /logs'],
])('a trust document with %s', (_, document, expected) => {
  expect(trust(document)).toBe(expected);
});

it('a key of small order is no key to trust', () => {
  const identity = Buffer.concat([Buffer.of(1), Buffer.of(1), Buffer.alloc(31)]);
  const vkey = `weak+${nativeCrypto.sha256Hex(Buffer.concat([Buffer.from('weak\n'), identity])).slice(0, 8)}+${identity.toString('base64')}`;
  expect(trust({ logs: [vkey] })).toBe('PCM_TRUST_KEY /logs/0');
});

const schema = (more: Members, fields: Members = {}) =>
  reasonOf(readPcmSchema(bytesOf({ pcm_schema: 0, name: 'n', fields, ...more }), nativeCrypto));
it.each<[string, Members, string]>([
  ['nothing more', {}, 'read'],
  ['all members', { claims: ['approved_by'], grant: true, tool: 'x'.repeat(256) }, 'read'],
  ['a tool of 256 signs of two units', { tool: '😀'.repeat(256) }, 'read'],
  ['a tool of 257 characters', { tool: 'x'.repeat(257) }, 'PCM_SCHEMA_DOCUMENT /tool'],
  ['an empty tool', { tool: '' }, 'PCM_SCHEMA_DOCUMENT /tool'],
  ['another version', { pcm_schema: 1 }, 'PCM_SCHEMA_DOCUMENT /pcm_schema'],
  ['an unknown member', { x: 1 }, 'PCM_SCHEMA_DOCUMENT /x'],
  ['an unknown claim', { claims: ['aproved_by'] }, 'PCM_SCHEMA_DOCUMENT /claims/0'],
  ['a name with an at sign', { name: 'a@b' }, 'PCM_SCHEMA_DOCUMENT /name'],
  ['no fields', { fields: null }, 'PCM_SCHEMA_DOCUMENT /fields'],
])('a schema document with %s', (_, more, expected) => {
  expect(schema(more)).toBe(expected);
});

it.each<[string, Members, string]>([
  ['string', { type: 'string', max: 65536 }, 'read'],
  ['an optional bool', { type: 'bool', optional: true }, 'read'],
  ['a long string', { type: 'string', max: 65537 }, 'PCM_SCHEMA_DOCUMENT /fields/a/max'],
  ['an empty range', { type: 'int', min: 2, max: 1 }, 'PCM_SCHEMA_DOCUMENT /fields/a'],
  ['a range of one end', { type: 'int', min: 2 }, 'PCM_SCHEMA_DOCUMENT /fields/a/max'],
  ['a currency in small letters', { type: 'money', currency: 'usd', max: 1 }, 'PCM_SCHEMA_DOCUMENT /fields/a/currency'],
  ['a value twice', { type: 'enum', values: ['x', 'x'] }, 'PCM_SCHEMA_DOCUMENT /fields/a/values'],
  ['no values', { type: 'enum', values: [] }, 'PCM_SCHEMA_DOCUMENT /fields/a/values'],
  ['an unknown type', { type: 'float' }, 'PCM_SCHEMA_DOCUMENT /fields/a/type'],
  ['a parameter of another type', { type: 'bool', max: 1 }, 'PCM_SCHEMA_DOCUMENT /fields/a/max'],
  ['a pattern outside the dialect', { type: 'id', pattern: '(?=a)' }, 'PCM_SCHEMA_PATTERN /fields/a/pattern'],
])('a field of %s', (_, field, expected) => {
  expect(schema({}, { a: field })).toBe(expected);
});
