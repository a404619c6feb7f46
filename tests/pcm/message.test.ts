import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jcs } from '../../src/pcm/jcs.ts';
import { readStrict } from '../../src/pcm/strict-json.ts';
import { verifyMessage } from '../../src/pcm/verify.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import {
  approvalOf,
  bytesOf,
  callOf,
  evidenceOf,
  grantOf,
  keyOf,
  LOG,
  type Members,
  messageOf,
  receiverOf,
  SCHEMA,
  signed,
} from './lab.ts';

const verdictOf = (bytes: Uint8Array, schema: Members = SCHEMA) =>
  verifyMessage(bytes, receiverOf(schema), null, nativeCrypto).verdict;
const reasonOf = (message: unknown) => {
  const { findings, verdict } = verifyMessage(bytesOf(message), receiverOf(), null, nativeCrypto);
  return findings.length === 0 ? verdict : `${findings[0]!.reason} ${findings[0]!.at}`;
};
const claim = { type: 'tests_passed', args: { suite: 'pytest' } };

it.each<[string, unknown, string]>([
  ['as it should be', messageOf(), 'accept'],
  ['with a text', messageOf({ payload: { kind: 'text', text: 'hello' } }), 'accept'],
  ['with data', messageOf({ payload: { kind: 'data', data: [1.5, null, { __proto__: 1 }] } }), 'accept'],
  ['that is no object', 'true', 'PCM_ENVELOPE '],
  ['without sig', { ...messageOf(), sig: undefined }, 'PCM_ENVELOPE /sig'],
  ['with a member of another version', messageOf({ x: 1 }), 'PCM_ENVELOPE /x'],
  ['with a member t', messageOf({ t: 'pcm.message.v0' }), 'PCM_ENVELOPE /t'],
  ['with a member __proto__', messageOf(JSON.parse('{"__proto__":{}}') as Members), 'PCM_ENVELOPE /__proto__'],
  ['of another version', messageOf({ pcm: 1 }), 'PCM_ENVELOPE /pcm'],
  ['with an id in capitals', messageOf({ id: 'A'.repeat(32) }), 'PCM_ENVELOPE /id'],
  ['with a short nonce', messageOf({ nonce: '1' }), 'PCM_ENVELOPE /nonce'],
  ['of a day that is none', messageOf({ ts: '2026-02-30T00:00:00.000000Z' }), 'PCM_ENVELOPE /ts'],
  ['from an agent without name', messageOf({ from: { agent: '', run: 'r', tenant: 't' } }), 'PCM_ENVELOPE /from/agent'],
  [
    'from an agent of a long name',
    messageOf({ from: { agent: 'x'.repeat(257), run: 'r', tenant: 't' } }),
    'PCM_ENVELOPE /from/agent',
  ],
  ['to an agent and more', messageOf({ to: { agent: 'uid:2', x: 1 } }), 'PCM_ENVELOPE /to/x'],
  ['of an intent without hash', messageOf({ intent: { type: 'pay', args: {} } }), 'PCM_ENVELOPE /intent/type'],
  [
    'of args that are a list',
    messageOf({ intent: { type: `x@sha256:${'0'.repeat(64)}`, args: [] } }),
    'PCM_ENVELOPE /intent/args',
  ],
  ['with a claim of no args', messageOf({ claims: [{ type: 'x' }] }), 'PCM_ENVELOPE /claims/0/args'],
  ['with null claims', messageOf({ claims: null }), 'PCM_ENVELOPE /claims'],
  ['with 65 claims', messageOf({ claims: Array.from({ length: 65 }, () => claim) }), 'PCM_ENVELOPE /claims'],
  ['with null grants', messageOf({ grants: null }), 'PCM_ENVELOPE /grants'],
  ['with a payload of another kind', messageOf({ payload: { kind: 'x', text: '' } }), 'PCM_ENVELOPE /payload/kind'],
  [
    'with a payload of two kinds',
    messageOf({ payload: { kind: 'text', text: '', data: 1 } }),
    'PCM_ENVELOPE /payload/data',
  ],
  ['with more in sig', { ...messageOf(), sig: { ...(messageOf().sig as Members), x: 1 } }, 'PCM_ENVELOPE /sig/x'],
  ['of a key that is not pinned', messageOf({}, SCHEMA, keyOf(2, 'log.example')), 'PCM_SIGNATURE_KEY /sig/key'],
  [
    'of a key under another name',
    messageOf({}, SCHEMA, { ...LOG, ref: LOG.ref.replace('log.', 'lok.') }),
    'PCM_SIGNATURE_KEY /sig/key',
  ],
  ['of a key with a tail', messageOf({}, SCHEMA, { ...LOG, ref: `${LOG.ref}+x` }), 'PCM_SIGNATURE_KEY /sig/key'],
  ['of a witness', messageOf({}, SCHEMA, { ...keyOf(1, 'log.example', 4) }), 'PCM_SIGNATURE_KEY /sig/key'],
  [
    'signed as a grant',
    signed({ ...messageOf(), sig: undefined } as unknown as Members, 'pcm.grant.v0'),
    'PCM_SIGNATURE /sig/sig',
  ],
  ['with half a signature', { ...messageOf(), sig: { key: LOG.ref, sig: 'AAAA' } }, 'PCM_SIGNATURE_ENCODING /sig/sig'],
  [
    'with an arg too many',
    messageOf({ intent: { type: messageOf().intent!['type' as never], args: { amount: 5, x: 1 } } }),
    'PCM_SCHEMA_ARGS /intent/args',
  ],
  [
    'with an arg that only Object has',
    messageOf({ intent: { type: messageOf().intent!['type' as never], args: { amount: 5, constructor: 1 } } }),
    'PCM_SCHEMA_ARGS /intent/args',
  ],
])('a message %s', (_, message, expected) => {
  expect(reasonOf(message)).toBe(expected);
});

it('without me and without replay the result says that it is for audit', () => {
  const { me: _, ...receiver } = receiverOf();
  const outcome = verifyMessage(bytesOf(messageOf({ to: { agent: 'uid:7' } })), receiver, null, nativeCrypto);
  expect(outcome).toMatchObject({ verdict: 'accept', replay: { ok: null }, skipped: ['replay', 'recipient'] });
});

it('an integer field takes no 1.0, although its canonical text and so its signature are the same', () => {
  const text = JSON.stringify(messageOf());
  expect(reasonOf(text.replace('"amount":5', '"amount":5.0'))).toBe('PCM_SCHEMA_ARGS /intent/args');
  expect(reasonOf(text.replace('"pcm":0', '"pcm":0.0'))).toBe('PCM_ENVELOPE /pcm');
});

describe('one byte changed', () => {
  const call = callOf('Bash', { command: 'pytest' });
  const schema = { ...SCHEMA, claims: ['tests_passed', 'approved_by'], grant: true };
  const body = {
    claims: [
      { ...claim, evidence: evidenceOf(call.events, call.opened) },
      {
        type: 'approved_by',
        args: { person: 'alice', call: 'c1', covers: true },
        evidence: evidenceOf(approvalOf('pcm.grant', { x: 1 })),
      },
    ],
    grants: [grantOf({}, schema)],
    payload: { kind: 'data', data: { n: 1.5, s: 'é\n' } },
  };
  const message = messageOf(body, schema);
  const canonicalText = (bytes: Uint8Array): string | null => {
    const read = readStrict(bytes, { what: 'test', maxBytes: 1 << 20 });
    return read.ok ? jcs(read.value) : null;
  };
  const change = (bytes: Uint8Array, at: number, byte: number): Uint8Array =>
    bytes.map((old, i) => (i === at ? byte : old));

  it('by anybody but the signer: the message is not accepted, unless it says the same', () => {
    const bytes = bytesOf(JSON.stringify(message, null, 1));
    expect(verdictOf(bytes, schema)).toBe('accept');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        const changed = change(bytes, at, byte);
        if (verdictOf(changed, schema) === 'accept') expect(canonicalText(changed)).toBe(canonicalText(bytes));
      }),
      { numRuns: 150 },
    );
  });

  it.each(['claims', 'grants'] as const)(
    'in the %s, by a lying agent whose signer signs what it sends: the same',
    (name) => {
      const bytes = bytesOf(JSON.stringify(body[name]));
      let signedAnew = 0;
      fc.assert(
        fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0x20, max: 0x7e }), (at, byte) => {
          const changed = change(bytes, at, byte);
          const said = canonicalText(changed);
          if (said === null || said === canonicalText(bytes)) return;
          signedAnew++;
          expect(verdictOf(bytesOf(messageOf({ ...body, [name]: JSON.parse(said) }, schema)), schema)).not.toBe(
            'accept',
          );
        }),
        { numRuns: 200 },
      );
      expect(signedAnew).toBeGreaterThan(50);
    },
  );

  it('whatever the bytes, a verdict is given and nothing is thrown', () => {
    const text = JSON.stringify(message);
    const cut = fc.tuple(
      fc.nat(text.length),
      fc.nat(text.length),
      fc.constantFrom('', 'null', '{}', '[]', '"', '1e999', '-1', '"\\u0000"'),
    );
    fc.assert(
      fc.property(cut, ([a, b, put]) => {
        const changed = text.slice(0, Math.min(a, b)) + put + text.slice(Math.max(a, b));
        expect(verdictOf(bytesOf(changed), schema)).toMatch(
          a === b && put === '' ? /^accept$/ : /^(?:bad-input|reject|accept)/,
        );
      }),
      { numRuns: 200 },
    );
  });

  it('a value of any kind in any place of claims and grants, signed: the same, and nothing is thrown', () => {
    const places = (value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] =>
      value !== null && typeof value === 'object'
        ? [path, ...Object.entries(value).flatMap(([step, one]) => places(one, [...path, step]))]
        : [path];
    const all = places(body).filter(([name, ...rest]) => rest.length > 0 && name !== 'payload');
    const put = (value: unknown, [step, ...rest]: readonly (string | number)[], one: unknown): unknown => {
      if (step === undefined) return one;
      const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
      copy[step] = put(copy[step], rest, one);
      return copy;
    };
    const strange = fc.constantFrom<unknown>(null, true, 0, -1, 1.5, '', 'x', [], {}, [null], { constructor: null });
    const original = canonicalText(bytesOf(body));
    fc.assert(
      fc.property(fc.constantFrom(...all), strange, (path, one) => {
        const changed = put(body, path, one) as Members;
        if (verdictOf(bytesOf(messageOf(changed, schema)), schema) === 'accept')
          expect([path, canonicalText(bytesOf(changed))]).toEqual([path, original]);
      }),
      { numRuns: 200 },
    );
  });
});
