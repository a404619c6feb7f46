import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonical } from '../../src/base/canonical.ts';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { type ReadDocument, readDocument } from '../../src/base/read-canonical.ts';
import { readJson } from '../../src/base/read-json.ts';
import type { Result } from '../../src/base/result.ts';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import { jsonish, modelValue, textOf } from './arbitraries.ts';

const OPTIONS = { input: 'bundle', recordAttributes: true } as const;

/** The document, held to what the strict reader makes of the same bytes; and whether its rows came along. */
const read = (text: string): { readonly document: Result<ReadDocument>; readonly hasRows: boolean } => {
  const bytes = encodeUtf8(text);
  const document = readDocument(bytes, OPTIONS);
  const strict = readJson(bytes, OPTIONS);
  if (!document.ok) {
    expect(document).toEqual(strict);
    return { document, hasRows: false };
  }
  expect(strict).toEqual({ ok: true, value: document.value.value });
  for (const [list, rows] of document.value.rows) {
    const values = (document.value.value as JsonObject)[list] as JsonValue[];
    const texts = Array.from({ length: rows.length }, (_, at) => new TextDecoder().decode(rows.at(at)));
    expect(texts).toEqual(values.map(canonical));
  }
  return { document, hasRows: document.value.rows.size > 0 };
};

const lists = fc.constantFrom('edges', 'exchanges', 'artifacts', 'format');
const attributes = fc.dictionary(textOf(3), textOf(4), { maxKeys: 3 });
const row = fc.oneof(
  modelValue,
  fc.record({ attributes, b: modelValue }).map((value) => value as JsonValue),
);
const space = fc.constantFrom('', '', '\n', ' \t\r\n');

/** A document as we write it: its rows are canonical, between them white space stands free. */
const written = fc
  .tuple(fc.dictionary(lists, fc.oneof(fc.array(row, { maxLength: 4 }), modelValue), { maxKeys: 4 }), space)
  .map(([members, gap]) => {
    const texts = Object.entries(members).map(([name, value]) => {
      const held = Array.isArray(value) ? `[${gap}${value.map(canonical).join(`${gap},${gap}`)}]` : canonical(value);
      return `"${name}"${gap}:${gap}${held}`;
    });
    return `${gap}{${texts.join(`,${gap}`)}${gap}}${gap}`;
  });

it('reads whatever we write as the strict reader does, and hands on the canonical text of each row', () => {
  let withRows = 0;
  fc.assert(
    fc.property(written, (text) => {
      if (read(text).hasRows) withRows++;
    }),
    { numRuns: 3000 },
  );
  expect(withRows).toBeGreaterThan(200);
});

it('agrees with the strict reader on every damaged document, reasons included', () => {
  let accepted = 0;
  const damage = fc.tuple(fc.nat(), fc.nat({ max: 2 }), jsonish);
  fc.assert(
    fc.property(written, damage, (text, [place, removed, added]) => {
      const at = place % text.length;
      if (read(text.slice(0, at) + added + text.slice(at + removed)).document.ok) accepted++;
    }),
    { numRuns: 8000 },
  );
  expect(accepted).toBeGreaterThan(200);
});

it.each([
  ['a name twice', '{"a":[{"b":1,"b":1}]}'],
  ['names out of order', '{"a":[{"c":1,"b":1}]}'],
  ['a shorter name after a longer one', '{"a":[{"bc":1,"b":1}]}'],
  ['a list twice', '{"a":[1],"a":[1]}'],
  ['an escape that is not needed', '{"a":["\\u0061"]}'],
  ['an escaped slash', '{"a":["\\/"]}'],
  ['a long escape of a control that has a short one', '{"a":["\\u000a"]}'],
  ['a control in upper-case hex', '{"a":["\\u001F"]}'],
  ['half a surrogate pair', '{"a":["\\ud800"]}'],
  ['white space in a row', '{"a":[{"b": 1}]}'],
  ['a fraction', '{"a":[1.0]}'],
  ['a negative zero', '{"a":[-0]}'],
  ['a leading zero', '{"a":[01]}'],
  ['an integer beyond the model', '{"a":[9007199254740992]}'],
  ['a name outside the grammar', '{"a":[{"B":1}]}'],
  ['free names beside the attributes of a record', '{"edges":[{"attributes":{"B":"1"}}]}'],
  ['an attribute that is no string', '{"a":[{"attributes":{"B":1}}]}'],
  ['depth 65', `{"a":[${'['.repeat(63)}${']'.repeat(63)}]}`],
  ['a row that does not end', '{"a":["b'],
  ['a document that does not end', '{"a":[1]'],
  ['bytes after the document', '{"a":[1]}{}'],
])('%s is left to the strict reader', (_, text) => {
  expect(read(text).hasRows).toBe(false);
});

it.each([
  ['every short escape and a control', '{"a":["\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\u007f\u2028\u{1f602}"]}'],
  ['free names of attributes', '{"a":[{"attributes":{"10":"a","9":"b","__proto__":"c","toString":"d"}}]}'],
  ['depth 64', `{"a":[${'['.repeat(62)}${']'.repeat(62)}]}`],
  ['integers of fifteen digits', '{"a":[0,-1,999999999999999]}'],
])('%s comes with its text, and free names inherit nothing', (_, text) => {
  const { document, hasRows } = read(text);
  expect(hasRows).toBe(true);
  const [first] = document.ok ? (document.value.value as { a: unknown[] }).a : [];
  if (typeof first === 'object' && !Array.isArray(first)) {
    expect(Object.getPrototypeOf((first as JsonObject).attributes)).toBe(null);
  }
});

it('refuses what is no UTF-8 as the strict reader does', () => {
  const bytes = Uint8Array.from([...encodeUtf8('{"a":["'), 0xc0, 0x80, ...encodeUtf8('"]}')]);
  expect(readDocument(bytes, OPTIONS)).toEqual(readJson(bytes, OPTIONS));
});
