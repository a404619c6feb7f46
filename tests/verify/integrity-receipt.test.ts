import { describe, expect, test } from 'vitest';
import { inMemory } from '../../src/base/byte-source.ts';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { portableCrypto } from '../../src/base/portable-crypto.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { parse } from '../../src/verify/parse.ts';
import { LISTED } from '../../src/verify/refusals.ts';
import { asObject, buildBundle, bytesOf } from '../support/bundle.ts';
import { check, told } from '../support/check.ts';
import { at, inserted, removed, replaced } from '../support/edit.ts';
import { resigned, seal, testSigner, trustDocument, trustKey, trustOf } from '../support/seal.ts';

const bundle = buildBundle();
const receipt = seal(bundle);
const signatureOf = (root: JsonObject): string => root.signature as string;

describe('read', () => {
  const refusal = (one: Uint8Array, other: Uint8Array) => {
    const parsed = parse({ bundle: inMemory(one), receipt: other });
    return parsed.ok ? [] : parsed.refusals.map(({ reason, at: place }) => `${reason} ${place.input} ${place.pointer}`);
  };
  const [good, goodReceipt] = [bytesOf(bundle), bytesOf(receipt)];
  test('the pair as it is', () => expect(refusal(good, goodReceipt)).toEqual([]));
  test.each([
    ['a bundle that is a list', [], receipt, 'READ_NOT_AN_OBJECT bundle '],
    ['a bundle without format', removed(bundle, ['format']), receipt, 'READ_WRONG_FORMAT bundle /format'],
    ['a receipt that is text', bundle, 'x', 'READ_NOT_AN_OBJECT receipt '],
    ['a receipt without a body', bundle, removed(receipt, ['body']), 'READ_NOT_AN_OBJECT receipt /body'],
    ['a receipt whose body is a list', bundle, replaced(receipt, ['body'], []), 'READ_NOT_AN_OBJECT receipt /body'],
    [
      'a receipt of another format',
      bundle,
      replaced(receipt, ['body', 'format'], 'a2aft.receipt.v2'),
      'READ_WRONG_FORMAT receipt /body/format',
    ],
    [
      'a float',
      replaced(bundle, ['exchanges', 0, 'status'], 200.5),
      receipt,
      'READ_NUMBER_OUTSIDE_MODEL bundle /exchanges/0/status',
    ],
  ])('%s', (_, one, other, expected) => expect(refusal(bytesOf(one), bytesOf(other))).toEqual([expected]));
  test('the faults of both files are told', () => {
    expect(refusal(bytesOf([]), bytesOf([]))).toEqual(['READ_NOT_AN_OBJECT bundle ', 'READ_NOT_AN_OBJECT receipt ']);
    expect(refusal(new Uint8Array(), new Uint8Array())).toEqual(['READ_EMPTY bundle ', 'READ_EMPTY receipt ']);
  });
});

describe('the form of a receipt, though correctly signed', () => {
  const list = receipt.commitments as JsonValue[];
  const signed = (members: object) => resigned(receipt, members);
  const FORMS: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    ['an unknown member of the body', signed({ note: 'x' }), ['RECEIPT_MEMBER_UNKNOWN /body/note']],
    ['an unknown member beside it', { ...receipt, note: 'x' }, ['RECEIPT_MEMBER_UNKNOWN /note']],
    ['no signature', removed(receipt, ['signature']), ['RECEIPT_MEMBER_MISSING /signature']],
    ['a signature that is a number', replaced(receipt, ['signature'], 1), ['RECEIPT_MEMBER_WRONG /signature']],
    [
      'a signature of 63 bytes',
      replaced(receipt, ['signature'], btoa('x'.repeat(63))),
      ['SIGNATURE_ENCODING /signature'],
    ],
    [
      'a signature with a line end',
      { ...receipt, signature: `${signatureOf(receipt)}\n` },
      ['SIGNATURE_ENCODING /signature'],
    ],
    ['a count of 0', signed({ commitment_count: 0 }), ['RECEIPT_MEMBER_WRONG /body/commitment_count']],
    ['another algorithm', signed({ algorithm: 'none' }), ['RECEIPT_MEMBER_WRONG /body/algorithm']],
    ['a root in capitals', signed({ incident_root: 'A'.repeat(64) }), ['RECEIPT_MEMBER_WRONG /body/incident_root']],
    ['an incident outside the id grammar', signed({ incident_id: 'a b' }), ['RECEIPT_MEMBER_WRONG /body/incident_id']],
    [
      'an issue time that is no date',
      signed({ issued_at: '2026-02-30T00:00:00.000Z' }),
      ['RECEIPT_MEMBER_WRONG /body/issued_at'],
    ],
    ['a list that nobody signed', signed({ commitments_digest: null }), ['COMMITMENTS_PRESENCE /commitments']],
    ['a signed list that is gone', removed(receipt, ['commitments']), ['COMMITMENTS_PRESENCE /commitments']],
    [
      'a list that is an object',
      replaced(receipt, ['commitments'], asObject({})),
      ['RECEIPT_MEMBER_WRONG /commitments'],
    ],
    ['an entry that is null', inserted(receipt, ['commitments'], 0, null), ['COMMITMENT_MALFORMED /commitments/0']],
    [
      'an entry with a fourth member',
      replaced(receipt, ['commitments', 1], { ...(list[1] as object), x: 1 }),
      ['COMMITMENT_MALFORMED /commitments/1'],
    ],
    [
      'an entry of no collection',
      replaced(receipt, ['commitments', 0, 'c'], 'format'),
      ['COMMITMENT_MALFORMED /commitments/0'],
    ],
  ];
  test.each(FORMS)('%s', (_, changed, expected) => {
    const checked = check(bundle, changed);
    expect(checked.stage).toBe('signature');
    expect(told(checked)).toEqual(expected);
  });
  test('each member of the body is required', () => {
    for (const member of Object.keys(receipt.body as object)) {
      const rest = removed(receipt, ['body', member]);
      const stage = member === 'format' ? 'read' : 'signature';
      expect([member, check(bundle, resigned(rest, {})).stage]).toEqual([member, stage]);
    }
  });
  test('a million malformed entries are listed as far as they go, and a number', () => {
    const { refusals } = check(
      bundle,
      replaced(
        receipt,
        ['commitments'],
        Array.from({ length: 1_000_000 }, () => null),
      ),
    );
    expect(refusals).toHaveLength(LISTED + 1);
    expect(refusals[LISTED]).toMatchObject({
      reason: 'REFUSALS_NOT_LISTED',
      detail: expect.stringContaining('990000'),
    });
  });
});

describe.each([nativeCrypto, portableCrypto])('key and signature, $name', (crypto) => {
  test('a body signed by another trusted key than it names', () => {
    const other = testSigner(2);
    const forged = resigned(receipt, {}, other);
    expect(told(check(bundle, forged, { crypto }))).toEqual(['SIGNATURE_INVALID /signature']);
  });
  test('a signature with S + L', () => {
    const L = 2n ** 252n + 27742317777372353535851937790883648493n;
    const bytes = Buffer.from(signatureOf(receipt), 'base64');
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + L;
    const tail = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
    const signature = Buffer.concat([bytes.subarray(0, 32), tail]).toString('base64');
    expect(told(check(bundle, { ...receipt, signature }, { crypto }))).toEqual(['SIGNATURE_INVALID /signature']);
  });
  test('a refused key and a false signature and another incident are all told', () => {
    const trust = trustOf(trustDocument(trustKey(1, { valid_until: '2026-02-01T00:00:00.000Z' })));
    const forged = resigned(receipt, {}, testSigner(2));
    expect(told(check(bundle, forged, { crypto, trust, expectedIncident: 'incident-9' }))).toEqual([
      'KEY_EXPIRED /body/issued_at',
      'INCIDENT_NOT_EXPECTED /body/incident_id',
      'SIGNATURE_INVALID /signature',
    ]);
  });
  test('keys come from the trust store alone', () => {
    const stranger = seal(bundle, {}, testSigner(3, 'signer-3'));
    expect(told(check(bundle, stranger, { crypto }))).toEqual(['KEY_SIGNER_UNKNOWN /body/signer_id']);
  });
});

test('a pair of two incidents is refused twice, and by the incident asked about', () => {
  const other = replaced(bundle, ['trace_metadata', 0, 'incident_id'], 'incident-2');
  const checked = check(other, receipt);
  expect(checked.stage).toBe('commitments');
  expect(told(checked)).toEqual([
    'INCIDENT_MISMATCH /body/incident_id',
    'RECORD_ALTERED trace_metadata trace-1',
    'CAPTURE_DIGEST_MISMATCH ',
    'INCIDENT_ROOT_MISMATCH /body/incident_root',
  ]);
  expect(told(check(bundle, receipt, { expectedIncident: 'incident-3' }))).toEqual([
    'INCIDENT_NOT_EXPECTED /body/incident_id',
  ]);
  expect(check(bundle, receipt, { expectedIncident: 'incident-1' }).stage).toBe('intact');
});

test.each([
  ['incident_id', 'INCIDENT_MISMATCH'],
  ['profile_id', 'PROFILE_MISMATCH'],
  ['capture_backend', 'CAPTURE_BACKEND_MISMATCH'],
])('a signed %s that is not that of TraceMetadata', (member, reason) => {
  expect(told(check(bundle, resigned(receipt, { [member]: 'another' })))).toEqual([`${reason} /body/${member}`]);
});

test('a receipt issued before its latest observation names it; at that moment it stands', () => {
  const latest = at(bundle, ['artifact_renders', 0, 'observed_at']) as string;
  const checked = check(bundle, resigned(receipt, { issued_at: latest.replace('.000Z', '.001Z') }));
  expect(checked.stage).toBe('intact');
  expect(check(bundle, resigned(receipt, { issued_at: latest })).stage).toBe('intact');
  const early = check(bundle, resigned(receipt, { issued_at: '2026-03-01T10:00:05.000Z' }));
  expect(early.stage).toBe('identifiers');
  expect(told(early)).toEqual(['RECEIPT_BEFORE_OBSERVATION artifact_renders render-1']);
});
