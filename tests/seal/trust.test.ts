import { describe, expect, test } from 'vitest';
import { portableCrypto } from '../../src/base/portable-crypto.ts';
import { REASONS, type Reason } from '../../src/base/reasons.ts';
import { keyIdOf } from '../../src/seal/digests.ts';
import { judgeKey } from '../../src/seal/judge-key.ts';
import type { ReceiptBody } from '../../src/seal/receipt.ts';
import { readTrust } from '../../src/seal/trust.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { bytesOf } from '../support/bundle.ts';
import { testSigner, trustDocument, trustKey, trustOf } from '../support/seal.ts';

const T = (day: number) => `2026-02-${String(day).padStart(2, '0')}T00:00:00.000Z`;
const retired = { status: 'retired', valid_until: T(20) };
const revoked = (revocation_reason: string) => ({ status: 'revoked', revoked_at: T(10), revocation_reason });

const store = (...signers: readonly unknown[]) => ({ format: 'a2aft.trust.v1', signers });
const signer = (signer_id: string, ...keys: readonly unknown[]) => ({ signer_id, keys });
/** A key whose id is right and whose bytes are given in hex. */
const rawKey = (hex: string) => {
  const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
  return trustKey(1, { key_id: keyIdOf(bytes, nativeCrypto), public_key: Buffer.from(bytes).toString('base64') });
};
const withoutMember = (member: string) => {
  const { [member]: _, ...rest } = trustKey() as Record<string, unknown>;
  return rest;
};

const FAULTS: readonly (readonly [string, unknown, Reason, string])[] = [
  ['another format', { ...trustDocument(), format: 'a2aft.trust.v2' }, 'READ_WRONG_FORMAT', '/format'],
  ['no object', [], 'READ_NOT_AN_OBJECT', ''],
  ['no signers', { format: 'a2aft.trust.v1' }, 'TRUST_MEMBER_MISSING', '/signers'],
  ['an unknown member of the store', { ...trustDocument(), note: 'x' }, 'TRUST_MEMBER_UNKNOWN', '/note'],
  ['an unknown member of a signer', store({ ...signer('s'), note: 1 }), 'TRUST_MEMBER_UNKNOWN', '/signers/0/note'],
  [
    'a misspelt restriction',
    trustDocument(trustKey(1, { valid_untill: T(20) })),
    'TRUST_MEMBER_UNKNOWN',
    '/signers/0/keys/0/valid_untill',
  ],
  ['no key id', trustDocument(withoutMember('key_id')), 'TRUST_MEMBER_MISSING', '/signers/0/keys/0/key_id'],
  ['no valid_from', trustDocument(withoutMember('valid_from')), 'TRUST_MEMBER_MISSING', '/signers/0/keys/0/valid_from'],
  ['no status', trustDocument(withoutMember('status')), 'TRUST_MEMBER_MISSING', '/signers/0/keys/0/status'],
  ['an unknown status', trustDocument(trustKey(1, { status: 'ok' })), 'TRUST_MEMBER_WRONG', '/signers/0/keys/0/status'],
  [
    'a date that is none',
    trustDocument(trustKey(1, { valid_from: '2026-02-30T00:00:00.000Z' })),
    'TRUST_MEMBER_WRONG',
    '/signers/0/keys/0/valid_from',
  ],
  ['a signer id outside the grammar', store(signer('a b')), 'TRUST_MEMBER_WRONG', '/signers/0/signer_id'],
  ['one signer twice', store(signer('s'), signer('s')), 'TRUST_SIGNER_USED_TWICE', '/signers/1/signer_id'],
  ['one key twice', trustDocument(trustKey(), trustKey()), 'TRUST_KEY_USED_TWICE', '/signers/0/keys/1/key_id'],
  [
    'one key of two signers',
    store(signer('s', trustKey()), signer('t', trustKey())),
    'TRUST_KEY_USED_TWICE',
    '/signers/1/keys/0/public_key',
  ],
  [
    'the id of another key',
    trustDocument(trustKey(1, { key_id: testSigner(2).key_id })),
    'TRUST_KEY_ID_MISMATCH',
    '/signers/0/keys/0/key_id',
  ],
  [
    'base64 without padding',
    trustDocument(trustKey(1, { public_key: trustKey().public_key.slice(0, -1) })),
    'TRUST_PUBLIC_KEY_ENCODING',
    '/signers/0/keys/0/public_key',
  ],
  ['31 bytes', trustDocument(rawKey('01'.repeat(31))), 'TRUST_PUBLIC_KEY_ENCODING', '/signers/0/keys/0/public_key'],
  [
    'the identity',
    trustDocument(rawKey(`01${'00'.repeat(31)}`)),
    'TRUST_PUBLIC_KEY_UNSAFE',
    '/signers/0/keys/0/public_key',
  ],
  [
    'a second encoding (y = p)',
    trustDocument(rawKey(`ed${'ff'.repeat(30)}7f`)),
    'TRUST_PUBLIC_KEY_UNSAFE',
    '/signers/0/keys/0/public_key',
  ],
  [
    'bytes of no point',
    trustDocument(rawKey(`02${'00'.repeat(31)}`)),
    'TRUST_PUBLIC_KEY_UNSAFE',
    '/signers/0/keys/0/public_key',
  ],
  [
    'retired without an end',
    trustDocument(trustKey(1, { status: 'retired' })),
    'TRUST_STATUS_CONTRADICTION',
    '/signers/0/keys/0/valid_until',
  ],
  [
    'revoked without a reason',
    trustDocument(trustKey(1, { status: 'revoked', revoked_at: T(10) })),
    'TRUST_STATUS_CONTRADICTION',
    '/signers/0/keys/0/revocation_reason',
  ],
  [
    'revoked without a date',
    trustDocument(trustKey(1, { status: 'revoked', revocation_reason: 'cessation' })),
    'TRUST_STATUS_CONTRADICTION',
    '/signers/0/keys/0/revoked_at',
  ],
  [
    'active with a revocation',
    trustDocument(trustKey(1, { revoked_at: T(10) })),
    'TRUST_STATUS_CONTRADICTION',
    '/signers/0/keys/0/revoked_at',
  ],
  [
    'retired with a reason of revocation',
    trustDocument(trustKey(1, { ...retired, revocation_reason: 'compromise' })),
    'TRUST_STATUS_CONTRADICTION',
    '/signers/0/keys/0/revocation_reason',
  ],
];

describe.each([nativeCrypto, portableCrypto])('a faulty trust store, $name', (crypto) => {
  test.each(FAULTS)('%s', (_, document, reason, pointer) => {
    const trust = readTrust(bytesOf(document), crypto);
    expect(trust).toMatchObject({ ok: false });
    const refusals = trust.ok ? [] : trust.refusals;
    expect(refusals).toContainEqual(expect.objectContaining({ reason, at: { input: 'trust', pointer } }));
    expect(refusals.map((refusal) => REASONS[refusal.reason].level)).toEqual(refusals.map(() => 'read'));
  });
});

test('a fault in one key is a fault of the whole, and every fault is told', () => {
  const document = trustDocument(trustKey(1), trustKey(2, { status: 'retired' }), trustKey(3, { revoked_at: T(10) }));
  const trust = readTrust(bytesOf(document), nativeCrypto);
  expect(trust.ok ? [] : trust.refusals.map(({ at }) => at.pointer)).toEqual([
    '/signers/0/keys/1/valid_until',
    '/signers/0/keys/2/revoked_at',
  ]);
});

test('a store that is not restricted JSON is refused by the reader', () => {
  expect(readTrust(new TextEncoder().encode('{"format":1,"format":2}'), nativeCrypto)).toMatchObject({
    refusals: [{ reason: 'READ_DUPLICATE_NAME', at: { input: 'trust' } }],
  });
});

const JUDGEMENTS: readonly (readonly [string, object, number, Reason | 'accepted'])[] = [
  ['from valid_from on', { valid_from: T(5) }, 5, 'accepted'],
  ['before valid_from', { valid_from: T(5) }, 4, 'KEY_NOT_YET_VALID'],
  ['before valid_until', { valid_until: T(20) }, 19, 'accepted'],
  ['at valid_until', { valid_until: T(20) }, 20, 'KEY_EXPIRED'],
  ['retired, before valid_until', retired, 19, 'accepted'],
  ['retired, at valid_until', retired, 20, 'KEY_RETIRED'],
  ['compromised, after', revoked('compromise'), 11, 'KEY_REVOKED_COMPROMISE'],
  ['compromised, long before', revoked('compromise'), 1, 'KEY_REVOKED_COMPROMISE'],
  ['compromised, before valid_from', { ...revoked('compromise'), valid_from: T(5) }, 4, 'KEY_REVOKED_COMPROMISE'],
  ['superseded, before', revoked('superseded'), 9, 'accepted'],
  ['superseded, at', revoked('superseded'), 10, 'KEY_REVOKED_SUPERSEDED'],
  ['ceased, before', revoked('cessation'), 9, 'accepted'],
  ['ceased, at', revoked('cessation'), 10, 'KEY_REVOKED_CESSATION'],
  ['ceased, but expired before', { ...revoked('cessation'), valid_until: T(5) }, 6, 'KEY_EXPIRED'],
];

const body = (members: Partial<ReceiptBody>) =>
  ({ signer_id: 'signer-1', key_id: testSigner().key_id, issued_at: T(15), ...members }) as ReceiptBody;

describe('a key judged at the time of issue', () => {
  test.each(JUDGEMENTS)('%s', (_, members, day, expected) => {
    const judged = judgeKey(trustOf(trustDocument(trustKey(1, members))), body({ issued_at: T(day) }));
    expect(judged.ok ? 'accepted' : judged.refusals.map(({ reason }) => reason).join()).toBe(expected);
  });
  test.each([
    ['an unknown signer', { signer_id: 'stranger' }, 'KEY_SIGNER_UNKNOWN'],
    ['an unknown key', { key_id: testSigner(9).key_id }, 'KEY_UNKNOWN'],
    ['a key of another signer', { key_id: testSigner(2).key_id }, 'KEY_OF_ANOTHER_SIGNER'],
  ])('%s', (_, members, reason) => {
    const trust = trustOf(store(signer('signer-1', trustKey(1)), signer('signer-2', trustKey(2))));
    expect(judgeKey(trust, body(members))).toMatchObject({ ok: false, refusals: [{ reason }] });
  });
});
