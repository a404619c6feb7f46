import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ByteSource } from '../../src/base/byte-source.ts';
import type { JsonValue } from '../../src/base/json-value.ts';
import { readJson } from '../../src/base/read-json.ts';
import { readPieces } from '../../src/base/read-pieces.ts';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import { buildBundle } from '../support/bundle.ts';
import { runs } from '../support/thorough.ts';
import { jsonish, modelValue } from './arbitraries.ts';
import { tsvRows } from './tsv.ts';

const OPTIONS = { input: 'bundle', recordAttributes: true };

/** A source that gives what it is asked for, and counts the most that it was asked for at once. */
class Pieces implements ByteSource {
  readonly size: number;
  readonly whole = null;
  most = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.size = bytes.length;
  }

  stretch(from: number, least: number) {
    this.most = Math.max(this.most, least);
    return { bytes: this.bytes.slice(from, from + least), base: from };
  }
}

/** The rows of a list in pieces are in memory when they are asked for; here all are. */
const copied = (result: ReturnType<typeof readJson>) =>
  result.ok ? { ok: true, value: JSON.parse(JSON.stringify(result.value)) as unknown } : result;

const expectSame = (bytes: Uint8Array): void => {
  const whole = copied(readJson(bytes, OPTIONS));
  for (const size of [1, 5, 17, 1 << 16])
    expect({ size, read: copied(readPieces(new Pieces(bytes), OPTIONS, size)) }).toEqual({ size, read: whole });
};

it.each(tsvRows('cases/json/EXPECT.tsv'))('reads $file in pieces as it reads it whole', ({ file }) => {
  const bytes = readFileSync(new URL(`../cases/json/${file}`, import.meta.url));
  const [whole, pieces] = [readJson(bytes, OPTIONS), readPieces(new Pieces(bytes), OPTIONS, 11)];
  expect(copied(pieces)).toEqual(copied(whole));
});

it('gives values and refusals of any text as the reader of the whole does, whatever the pieces', () => {
  const list = fc.array(modelValue).map((rows) => ({ a: rows, edges: rows }));
  const written = fc
    .tuple(list, fc.constantFrom(undefined, 1))
    .map(([value, indent]) => JSON.stringify(value, null, indent));
  const cut = fc.tuple(written, fc.nat(), fc.constantFrom('', '"', ',', '\u00e9', '1', 'tru', '}', ']'));
  const damaged = cut.map(
    ([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice(at % (text.length + 1)).slice(1),
  );
  const texts = fc.oneof(jsonish, written, damaged);
  fc.assert(
    fc.property(texts, (text) => expectSame(new TextEncoder().encode(text))),
    { numRuns: runs(2000, 300) },
  );
});

it('says of every byte that is no UTF-8 where it stands, cut at a piece or not', () => {
  const bytes = encodeUtf8('{"a":[{"b":"é\u{1f600}"},2],"edges":["ü"]}');
  for (let at = 0; at < bytes.length; at++) for (const byte of [0x80, 0xc3, 0xff]) expectSame(bytes.with(at, byte));
  for (let end = 0; end < bytes.length; end++) expectSame(bytes.subarray(0, end));
});

it('reads rows of a bundle again and again, holds none, and asks for little at once', () => {
  const { exchanges: once, ...rest } = buildBundle();
  const bundle = { ...rest, exchanges: Array.from({ length: 40 }, () => once as JsonValue[]).flat() };
  const source = new Pieces(encodeUtf8(JSON.stringify(bundle, null, 1)));
  const read = readPieces(source, OPTIONS, 64);
  expect(read.ok).toBe(true);
  if (!read.ok) return;
  const { exchanges } = read.value as typeof bundle;
  const rows = exchanges as unknown[];
  expect(Array.isArray(rows)).toBe(true);
  expect(rows[0]).toEqual((bundle.exchanges as unknown[])[0]);
  expect(rows[0]).not.toBe(rows[0]);
  expect(rows[rows.length]).toBeUndefined();
  expect(rows.map((row) => JSON.stringify(row))).toEqual(
    (bundle.exchanges as unknown[]).map((row) => JSON.stringify(row)),
  );
  expect(() => rows.push(1)).toThrow(TypeError);
  expect(source.size).toBeGreaterThan(2 << 16);
  expect(source.most).toBeLessThanOrEqual(1 << 16);
});
