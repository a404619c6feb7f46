import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyBytes, checkBody, MAX_BODY_LIMIT, makeBody, makeBodyFromParts } from '../../../src/evidence/body.ts';
import { nativeCrypto } from '../../../src/store/native-crypto.ts';
import { bodyOf, bytesOf } from './support.ts';

const check = (body: ReturnType<typeof bodyOf>) => checkBody(body, nativeCrypto);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 12 }).map(bytesOf),
  fc
    .array(fc.constantFrom(0x41, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xc3, 0xed, 0xa0), { maxLength: 12 })
    .map((list) => Uint8Array.from(list)),
);

describe('a body as evidence', () => {
  it('keeps whole bytes exactly, as text whenever they are UTF-8', () => {
    fc.assert(
      fc.property(bytes, (data) => {
        const body = bodyOf(data);
        expect([...bodyBytes(body)]).toEqual([...data]);
        expect(body).toMatchObject({ size: data.length, sha256: nativeCrypto.sha256Hex(data), truncated: null });
        expect(body.encoding === 'utf8').toBe(
          Buffer.from(data).equals(Buffer.from(Buffer.from(data).toString('utf8'))),
        );
        expect(check(body)).toBeNull();
      }),
    );
  });

  it('keeps the beginning of longer ones, never half a code point of a text', () => {
    fc.assert(
      fc.property(bytes, fc.nat(40), (data, limit) => {
        const body = makeBody(data, limit, nativeCrypto);
        const kept = bodyBytes(body);
        expect([...data.subarray(0, kept.length)]).toEqual([...kept]);
        expect(kept.length).toBeLessThanOrEqual(Math.max(limit, 0));
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(limit, data.length) - 3);
        expect(body.truncated).toBe(data.length > limit ? kept.length : null);
        expect(check(body)).toBeNull();
      }),
    );
  });

  it('cuts a euro sign before it, whatever byte of it the limit hits', () => {
    for (const limit of [1, 2, 3])
      expect(bodyOf('a€b', limit)).toMatchObject({ text: 'a', encoding: 'utf8', truncated: 1, size: 5 });
    expect(bodyOf('a€b', 4)).toMatchObject({ text: 'a€', truncated: 4 });
  });

  it('is the same from pieces', () => {
    const data = bytesOf('one two three €');
    expect(makeBodyFromParts(data.subarray(0, 14), data.length, nativeCrypto.sha256Hex(data))).toEqual(
      bodyOf(data, 14),
    );
    expect(() => makeBody(data, MAX_BODY_LIMIT + 1, nativeCrypto)).toThrow(RangeError);
  });

  it("keeps under the reader's bound of a string what is over every limit, in base64 too (case A9)", () => {
    const size = 20 * 1024 * 1024;
    for (const fill of [0x41, 0xff]) {
      const body = bodyOf(new Uint8Array(size).fill(fill));
      expect(body).toMatchObject({ size, truncated: MAX_BODY_LIMIT, encoding: fill === 0x41 ? 'utf8' : 'base64' });
      expect(body.text.length).toBeLessThanOrEqual(16 * 1024 * 1024);
      expect(check(body)).toBeNull();
    }
  });

  it('names what does not agree', () => {
    const whole = bodyOf('text');
    const cut = bodyOf('longer text', 6);
    const binary = bodyOf(Uint8Array.of(0xff, 0xfe));
    expect(check({ ...whole, size: 5 })).toContain('5 bytes');
    expect(check({ ...whole, sha256: '0'.repeat(64) })).toContain('sha256');
    expect(check({ ...whole, text: 'test' })).toContain('sha256');
    expect(check({ ...whole, truncated: 4 })).toContain('cut at 4 of 4');
    expect(check({ ...cut, truncated: 5 })).toContain('truncated states 5');
    expect(check({ ...cut, truncated: null })).toContain('size');
    expect(check({ ...binary, text: '//5=' })).toContain('base64');
    expect(check({ ...binary, text: '//5' })).toContain('base64');
    expect(check({ ...whole, text: 'dGV4dA==', encoding: 'base64' })).toContain('valid UTF-8');
    // Half a euro sign kept as base64: a cut at a boundary would have left text.
    expect(check({ text: 'YeKC', encoding: 'base64', size: 9, sha256: whole.sha256, truncated: 3 })).toContain(
      'valid UTF-8',
    );
  });
});
