import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evidenceAge, sameFile, verifyMessage } from '../../src/index.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { ATTESTED, bytesOf, callOf, evidenceOf, type Members, messageOf, receiverOf, sha256Text, TS } from './lab.ts';

const { events, opened } = callOf('Bash', { command: 'pytest' });
const CLAIM: Members = { type: 'tests_passed', args: { suite: 'pytest' }, evidence: evidenceOf(events, opened) };
const at = (ts: string): Members => ({ event: { ts } });
const backed = (...times: string[]): Members => ({ evidence: { records: times.map(at) } });

describe('evidenceAge', () => {
  it('is what the verifier says of a proven claim', () => {
    const message = messageOf({ claims: [CLAIM] });
    const outcome = verifyMessage(bytesOf(message), receiverOf(), null, nativeCrypto);
    expect(outcome).toMatchObject({ claims: [{ result: 'proven', evidence_age_s: 10 }] });
    expect(evidenceAge(message, CLAIM)).toBe(10);
  });

  it('is that of the oldest record, wherever it stands, to the microsecond', () => {
    expect(evidenceAge({ ts: TS }, backed('2026-11-30T12:00:09.000000Z', '2026-11-30T12:00:08.999999Z'))).toBe(
      1.000001,
    );
    expect(evidenceAge({ ts: TS }, backed('2026-11-30T12:00:11.000000Z'))).toBe(-1);
    const second = (n: number): string => new Date(Date.parse(TS) - n * 1000).toISOString().replace('Z', '000Z');
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1 }), (ages) => {
        expect(evidenceAge({ ts: TS }, backed(...ages.map(second)))).toBe(Math.max(...ages));
      }),
    );
  });

  it.each<[string, Members, Members]>([
    ['no evidence', { ts: TS }, { type: 'tests_passed' }],
    ['null for it', { ts: TS }, { evidence: null }],
    ['no record', { ts: TS }, backed()],
    ['a record without a time', { ts: TS }, { evidence: { records: [{ event: {} }] } }],
    ['a time of another form', { ts: TS }, backed('2026-11-30T12:00:09Z')],
    ['a message without a time', {}, backed(TS)],
  ])('is null for %s', (_, message, claim) => {
    expect(evidenceAge(message, claim)).toBeNull();
  });
});

describe('sameFile', () => {
  const bytes = bytesOf('print(1)\n');
  const claim = (more: Members = {}): Members => ({
    type: 'file_written',
    args: { path: '/a.py', digest: sha256Text(bytes) },
    ...more,
  });

  it('is true for the bytes that a proven claim names, and no others', () => {
    const write = callOf('Write', { file_path: '/a.py', content: 'print(1)\n' }, ATTESTED);
    const message = messageOf({ claims: [claim({ evidence: evidenceOf(write.events, write.opened) })] });
    const outcome = verifyMessage(bytesOf(message), receiverOf(), null, nativeCrypto);
    expect(outcome).toMatchObject({ claims: [{ result: 'proven' }] });
    expect(sameFile(claim(), bytes)).toBe(true);
    expect(sameFile(claim(), bytes.subarray(1))).toBe(false);
  });

  it.each<[string, Members]>([
    ['of another type', claim({ type: 'tests_passed' })],
    ['without args', claim({ args: null })],
    ['with a digest in capitals', claim({ args: { digest: sha256Text(bytes).toUpperCase() } })],
    ['with a digest that ends a line', claim({ args: { digest: `${sha256Text(bytes)}\n` } })],
  ])('is false for a claim %s', (_, other) => {
    expect(sameFile(other, bytes)).toBe(false);
  });
});
