import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from '../../src/base/base64.ts';
import { ID_PATTERN, isHex, isId, isMemberName } from '../../src/base/grammar.ts';
import { bytesToHex, writeHex } from '../../src/base/hex.ts';
import { neutralise } from '../../src/base/terminal.ts';
import { isTimestamp, toEpochMs } from '../../src/base/time.ts';
import { cutUtf8, decodeUtf8, encodeUtf8, firstInvalidUtf8, isWellFormed, utf8Length } from '../../src/base/utf8.ts';
import { textOf } from './arbitraries.ts';
import { tsvRows } from './tsv.ts';

describe('base64 of RFC 4648 section 4', () => {
  it('writes what the runtime writes and reads it back, for every length up to 300', () => {
    for (let length = 0; length <= 300; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 151 + length) & 255);
      expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
    }
  });

  it('accepts a text exactly when it is the text of its bytes, over every text of four letters from a small alphabet', () => {
    const letters = ['A', 'B', 'Q', '/', '+', '-', '_', '=', '\n', ' ', 'g'];
    let accepted = 0;
    for (const a of letters)
      for (const b of letters)
        for (const c of letters)
          for (const d of letters) {
            const text = a + b + c + d;
            const canonicalText = Buffer.from(text, 'base64').toString('base64') === text;
            if ((decodeBase64(text) !== null) !== canonicalText) throw new Error(JSON.stringify(text));
            if (canonicalText) accepted++;
          }
    expect(accepted).toBeGreaterThan(1000);
  });

  it.each(['A', 'AA', 'AAA', '=', '====', 'A===', 'AA==AAAA', 'AA=A', 'AAAA\n', '\u0141AAA', 'AAA\u{1f602}'])(
    'refuses %j',
    (text) => {
      expect(decodeBase64(text)).toBe(null);
    },
  );
});

describe('UTF-8 of RFC 3629', () => {
  it('finds the first ill-formed byte where the runtime finds one, over all beginnings of up to three bytes', () => {
    const marks = [
      0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef,
      0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
    ];
    for (const a of marks)
      for (const b of marks)
        for (const c of marks)
          for (const d of [0x41, 0x80, 0xbf]) {
            const bytes = Uint8Array.of(a, b, c, d);
            const at = firstInvalidUtf8(bytes);
            if ((at === 4) !== (decodeUtf8(bytes) !== null)) throw new Error(bytesToHex(bytes));
            if (decodeUtf8(bytes.subarray(0, at)) === null) throw new Error(`too late in ${bytesToHex(bytes)}`);
            // However the text went on, the sequence that starts there would stay ill-formed or unfinished.
            for (let end = at + 1; end <= 4; end++)
              if (decodeUtf8(bytes.subarray(0, end)) !== null) throw new Error(`too early in ${bytesToHex(bytes)}`);
          }
  });

  it('measures, keeps a byte-order mark, and reads on after a refusal', () => {
    expect(decodeUtf8(Uint8Array.of(0xc3))).toBe(null);
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))).toBe('\ufeffA');
    fc.assert(
      fc.property(textOf(12), (text) => {
        expect(utf8Length(text)).toBe(encodeUtf8(text).length);
        expect(decodeUtf8(encodeUtf8(text))).toBe(text);
        expect(isWellFormed(text)).toBe(true);
      }),
    );
    for (const lone of ['\ud800', 'a\udfff', '\udc00\ud800', '\ud83d\ud83d\ude02'])
      expect(isWellFormed(lone)).toBe(false);
  });

  it('cuts at the last code-point boundary within the limit', () => {
    const bytes = encodeUtf8('a\u00e9\u20ac\u{1f602}');
    expect(Array.from({ length: 12 }, (_, limit) => cutUtf8(bytes, limit).length)).toEqual([
      0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10,
    ]);
  });
});

describe('grammar', () => {
  it.each(['a', 'A-1._:', '0', 'x'.repeat(128)])('id %j', (id) =>
    expect([isId(id), ID_PATTERN.test(id)]).toEqual([true, true]),
  );
  it.each(['', 'x'.repeat(129), 'a\n', '\na', 'a b', 'a/b', '\u00e9', 'a\0'])('no id %j', (id) =>
    expect(isId(id)).toBe(false),
  );
  it.each(['a', 'a_1', 'zz'])('member name %j', (name) => expect(isMemberName(name)).toBe(true));
  it.each(['', '_a', '1a', 'A', 'aB', 'a-b', 'a\n', '__proto__'])('no member name %j', (name) =>
    expect(isMemberName(name)).toBe(false),
  );

  it('hex is lower case, of the exact length, and survives the round trip', () => {
    expect(isHex('00ff', 4)).toBe(true);
    for (const [text, digits] of [
      ['00FF', 4],
      ['00ff', 5],
      ['00f\n', 4],
      ['0g', 2],
    ] as const)
      expect(isHex(text, digits)).toBe(false);
    const all = Uint8Array.from({ length: 256 }, (_, i) => i);
    const target = new Uint8Array(all.length + 1);
    writeHex(bytesToHex(all), target, 1);
    expect(target).toEqual(Uint8Array.of(0, ...all));
    for (const text of ['0', '0G', 'AB', '0\n', '\u0130\u0130']) {
      expect(() => writeHex(text, target, 0)).toThrow(RangeError);
    }
  });
});

describe('timestamps', () => {
  it.each(tsvRows('cases/timestamps.tsv'))('$evidence $value: $why', ({ value, evidence }) => {
    expect(isTimestamp(JSON.parse(value!) as string)).toBe(evidence === 'accept');
  });

  it.each([
    '2026-11-30T02:25:47.123z',
    '2026-11-30t02:25:47.123Z',
    '2026-11-30T02:25:47.123+00:00',
    '+002026-11-30T02:25:47.123Z',
    '2026-13-01T00:00:00.000Z',
    '2026-00-10T00:00:00.000Z',
    '2026-01-00T00:00:00.000Z',
    '2026-01-01T00:60:00.000Z',
    '2026-01-01T00:00:00.0000Z',
    ' 2026-01-01T00:00:00.00Z',
    '\u0662026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00Z',
    '2026-01-01',
    '',
  ])('refuses %j', (text) => expect(isTimestamp(text)).toBe(false));

  it('accepts exactly the days of the Gregorian calendar, over years of every kind', () => {
    for (const year of [1900, 1999, 2000, 2023, 2024, 2100, 2400]) {
      const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
      const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
      for (let month = 1; month <= 12; month++)
        for (let day = 1; day <= 31; day++) {
          const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T23:59:59.999Z`;
          expect([text, isTimestamp(text)]).toEqual([text, day <= days[month - 1]!]);
        }
    }
  });

  it('counts milliseconds, and orders as byte strings order', () => {
    expect(toEpochMs('1970-01-01T00:00:00.001Z')).toBe(1);
    expect(toEpochMs('2000-03-01T00:00:00.000Z')).toBe(951868800000);
    expect(toEpochMs('0001-01-01T00:00:00.000Z')).toBe(-62135596800000);
    expect(toEpochMs('1970-01-01')).toBe(null);
    expect(toEpochMs('0000-12-31T00:00:00.000Z')).toBe(null);
    const instant = fc.date({
      min: new Date('0001-01-01T00:00:00.000Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        const [x, y] = [a.toISOString(), b.toISOString()];
        expect(toEpochMs(x)! < toEpochMs(y)!).toBe(x < y);
      }),
    );
  });
});

describe('neutralise', () => {
  it.each([
    ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
    ['\x9b31m', '\\x9b31m'],
    ['a\nb\rc\td\0\x7f', 'a\\nb\\rc\\td\\x00\\x7f'],
    ['\u202egnp.exe\u2066', '\\u{202e}gnp.exe\\u{2066}'],
    ['a\u2028b\u2029c\u0085', 'a\\u{2028}b\\u{2029}c\\x85'],
    ['\u200b\ufeff\u00ad\u{e0041}\ufe0f\u3164', '\\u{200b}\\u{feff}\\xad\\u{e0041}\\u{fe0f}\\u{3164}'],
    ['\ud800', '\\u{d800}'],
    ['plain \u20ac \u{1f602} e\u0301 \u05d0', 'plain \u20ac \u{1f602} e\u0301 \u05d0'],
  ])('%j', (text, expected) => expect(neutralise(text)).toBe(expected));

  it('leaves nothing of C0, DEL, C1 or the bidi controls, for every code point of the plane', () => {
    for (let code = 0; code <= 0xffff; code++) {
      const out = neutralise(String.fromCharCode(code));
      if (/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.test(out)) throw new Error(code.toString(16));
    }
    expect(neutralise(neutralise('\x1b'))).toBe('\\x1b');
  });
});
