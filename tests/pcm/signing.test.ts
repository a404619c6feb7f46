import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseWire } from '../../src/base/wire-json.ts';
import { jcs, jcsHash } from '../../src/pcm/jcs.ts';
import { openCheckpoint } from '../../src/pcm/note.ts';
import { signatureFault, signedBytes } from '../../src/pcm/signature.ts';
import { readStrict } from '../../src/pcm/strict-json.ts';
import { readPcmTrust } from '../../src/pcm/trust.ts';
import type { PcmObject } from '../../src/pcm/value.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { bytesOf } from './lab.ts';

const text = readFileSync('tests/vectors/pcm/signing.json', 'utf8');
const known = JSON.parse(text);
const root = parseWire(text)!;
const node = root.kind === 'object' ? root.members.find(({ name }) => name === 'unsigned')!.value : root;
const read = readStrict(bytesOf(text.slice(node.start, node.end)), { what: 'test', maxBytes: 1 << 20 });
const unsigned = (read as { value: PcmObject }).value;
const opened = readPcmTrust(
  bytesOf({ logs: [known.log_vkey], witnesses: [{ vkey: known.witness_vkey }], witnesses_required: 1 }),
  nativeCrypto,
);
const trust = (opened as { value: Extract<typeof opened, { ok: true }>['value'] }).value;
const key = trust.logs.get('example.com/pcm-kat')!;

it('writes the canonical text and hash of the known answer', () => {
  expect(new TextDecoder().decode(signedBytes(unsigned, 'message'))).toBe(known.message_bytes);
  expect(jcsHash(unsigned, nativeCrypto)).toBe(known.jcs_sha256);
});

it('accepts the known signatures, each under its own tag alone', () => {
  const fault = (sig: string, tag: 'message' | 'grant') =>
    signatureFault(unsigned, sig, tag, key, nativeCrypto)?.reason;
  expect(fault(known.message_sig, 'message')).toBeUndefined();
  expect(fault(known.grant_tag_sig, 'grant')).toBeUndefined();
  expect(fault(known.message_sig, 'grant')).toBe('PCM_SIGNATURE');
  expect(fault(known.grant_tag_sig, 'message')).toBe('PCM_SIGNATURE');
});

it('opens the known checkpoint with its cosignature', () => {
  expect(openCheckpoint(known.checkpoint_note, trust, nativeCrypto)).toMatchObject({
    origin: 'example.com/pcm-kat',
    size: 3n,
    cosignatures: 1,
  });
});

it.each([
  ['12000.0', '12000'],
  ['1e2', '100'],
  ['1e21', '1e+21'],
  ['-0', '0'],
  ['-0.0', '0'],
  ['1e-400', '0'],
  ['9007199254740993.0', '9007199254740992'],
  ['0.000001', '0.000001'],
  ['1e-7', '1e-7'],
  ['"\\u20ac\\u0001\\/"', '"€\\u0001/"'],
  ['{"\\ud83d\\ude00":1,"\\uffff":2,"a":3}', '{"a":3,"😀":1,"\uffff":2}'],
  ['{"__proto__":1,"constructor":{}}', '{"__proto__":1,"constructor":{}}'],
])('%s is %s in canonical text', (input, expected) => {
  const value = readStrict(bytesOf(input), { what: 'test', maxBytes: 1 << 20 });
  expect(value.ok && jcs(value.value)).toBe(expected);
});
