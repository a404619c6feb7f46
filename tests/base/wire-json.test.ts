import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  booleanAt,
  integerAt,
  itemsAt,
  lookUp,
  objectAt,
  stringAt,
  tokenAt,
  WIRE_ISSUES,
  type WirePath,
} from '../../src/base/wire-fields.ts';
import { MAX_WIRE_DEPTH, parseWire, type WireNode } from '../../src/base/wire-json.ts';
import { runs } from '../support/thorough.ts';
import { jsonish, textOf } from './arbitraries.ts';

const parsed = (text: string): WireNode => {
  const node = parseWire(text);
  if (node === null) throw new Error(`unparsable: ${text}`);
  return node;
};

/** The value JSON.parse makes of the same text: the last of two members of one name wins. */
const plain = (node: WireNode): unknown => {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(node.members.map(({ name, value }) => [name, plain(value)]));
    case 'array':
      return node.items.map(plain);
    case 'string':
      return node.value;
    case 'number':
      return Number(node.token);
    case 'true':
    case 'false':
      return node.kind === 'true';
    case 'null':
      return null;
  }
};

const every = function* (node: WireNode): Generator<WireNode> {
  yield node;
  if (node.kind === 'array') for (const item of node.items) yield* every(item);
  if (node.kind === 'object') for (const { value } of node.members) yield* every(value);
};

/** Same verdict and value as JSON.parse after one byte-order mark, and every node's span is a text of that very value. */
const agree = (text: string): boolean => {
  const node = parseWire(text);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    if (node !== null) throw new Error(`accepted ${JSON.stringify(text)}`);
    return false;
  }
  if (node === null) throw new Error(`refused ${JSON.stringify(text)}`);
  if (JSON.stringify(plain(node)) !== JSON.stringify(value))
    throw new Error(`another value of ${JSON.stringify(text)}`);
  for (const inner of every(node)) {
    const again = JSON.stringify(JSON.parse(text.slice(inner.start, inner.end)));
    if (again !== JSON.stringify(plain(inner))) throw new Error(`span of ${again} in ${JSON.stringify(text)}`);
  }
  return true;
};

describe('parseWire accepts exactly what JSON.parse accepts', () => {
  it('on every text of up to five pieces of a small alphabet', () => {
    const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '0', '-', '.', 'e'];
    let accepted = 0;
    const grow = (text: string, left: number): void => {
      if (agree(text)) accepted++;
      if (left > 0) for (const piece of pieces) grow(text + piece, left - 1);
    };
    grow('', 5);
    expect(accepted).toBe(34);
  });

  it('on generated texts', () => {
    let accepted = 0;
    fc.assert(
      fc.property(jsonish, (text) => {
        if (agree(text)) accepted++;
      }),
      { numRuns: runs(100_000, 20_000) },
    );
    expect(accepted).toBeGreaterThan(400);
  });

  it('on valid texts with one character put in, taken out or changed', () => {
    const changed = fc
      .tuple(
        fc.jsonValue({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom('', '"', '\\', '0', '.', 'e', '-', ',', '\x1f', '\ud800', ']', ' '),
        fc.nat(1),
      )
      .map(([value, at, put, cut]) => {
        const text = JSON.stringify(value, null, at % 2);
        const i = at % (text.length + 1);
        return text.slice(0, i) + put + text.slice(i + cut);
      });
    fc.assert(
      fc.property(changed, (text) => void agree(text)),
      { numRuns: runs(50_000, 10_000) },
    );
  });
});

it('skips one leading byte-order mark and counts it in offsets', () => {
  expect(parsed('\ufeff 7')).toEqual({ kind: 'number', token: '7', start: 2, end: 3 });
  expect(parseWire('\ufeff\ufeff7')).toBe(null);
  expect(parseWire('\ufeff')).toBe(null);
});

it('keeps depth within its bound without overflow', () => {
  const nested = (depth: number): string => '{"a":'.repeat(depth - 1) + '[]' + '}'.repeat(depth - 1);
  expect(parsed(nested(MAX_WIRE_DEPTH)).kind).toBe('object');
  expect(parseWire(nested(MAX_WIRE_DEPTH + 1))).toBe(null);
  expect(parseWire('['.repeat(10_000_000))).toBe(null);
});

it('keeps repeated names, number tokens and lone surrogates as they came', () => {
  const text = '{"id":1,"\\u0069d":1.0e400,"s":"\\ud800"}';
  expect(parsed(text)).toEqual({
    kind: 'object',
    start: 0,
    end: text.length,
    members: [
      { name: 'id', value: { kind: 'number', token: '1', start: 6, end: 7 } },
      { name: 'id', value: { kind: 'number', token: '1.0e400', start: 18, end: 25 } },
      { name: 's', value: { kind: 'string', value: '\ud800', start: 30, end: 38 } },
    ],
  });
});

describe('typed fields', () => {
  const text =
    '{"id":7,"id":"7","n":null,"o":{"s":"x","bad":"\\udc00","i":-3,"f":1.0,"big":9007199254740992,"z":-0,"t":true,"l":[1,null]}}';
  const node = parsed(text);
  const none = (issue: string | null) => ({ value: null, issue });

  it.each<[string, (n: WireNode, path: WirePath) => unknown, WirePath, unknown]>([
    ['string', stringAt, ['o', 's'], { value: 'x', issue: null }],
    ['string', stringAt, ['o', 'missing'], none(null)],
    ['string', stringAt, ['n'], none(null)],
    ['string', stringAt, ['n', 'below', 0], none(null)],
    ['string', stringAt, ['id'], none('duplicate_name')],
    ['string', stringAt, ['id', 'below'], none('duplicate_name')],
    ['string', stringAt, ['o', 'bad'], none('outside_model')],
    ['string', stringAt, ['o', 'i'], none('wrong_type')],
    ['string', stringAt, ['o', 's', 'below'], none('wrong_type')],
    ['string', stringAt, ['o', 0], none('wrong_type')],
    ['string', stringAt, ['__proto__'], none(null)],
    ['integer', integerAt, ['o', 'i'], { value: -3, issue: null }],
    ['integer', integerAt, ['o', 'f'], none('outside_model')],
    ['integer', integerAt, ['o', 'big'], none('outside_model')],
    ['integer', integerAt, ['o', 'z'], none('outside_model')],
    ['integer', integerAt, ['o', 's'], none('wrong_type')],
    ['integer', integerAt, ['o', 'l', 0], { value: 1, issue: null }],
    ['integer', integerAt, ['o', 'l', 1], none(null)],
    ['integer', integerAt, ['o', 'l', 2], none(null)],
    ['integer', integerAt, ['o', 'l', 'length'], none('wrong_type')],
    ['boolean', booleanAt, ['o', 't'], { value: true, issue: null }],
    ['boolean', booleanAt, ['o', 'i'], none('wrong_type')],
    ['items', itemsAt, ['o', 's'], none('wrong_type')],
    ['object', objectAt, ['o', 'l'], none('wrong_type')],
    ['object', objectAt, ['o', 'l', 'below'], none('wrong_type')],
  ])('%s at %j', (_, read, path, expected) => {
    expect(read(node, path)).toEqual(expected);
  });

  it('finds objects and items as nodes, and tokens as they are spelled', () => {
    expect(objectAt(node, ['o']).value).toBe((lookUp(node, ['o']) as { found: WireNode }).found);
    expect(itemsAt(node, ['o', 'l']).value).toHaveLength(2);
    expect(tokenAt(text, node, ['o', 'f'])).toEqual({ value: '1.0', issue: null });
    expect(tokenAt(text, node, ['n'])).toEqual({ value: 'null', issue: null });
    expect(tokenAt(text, node, ['missing'])).toEqual({ value: null, issue: null });
    expect(tokenAt(text, node, ['id'])).toEqual({ value: null, issue: 'duplicate_name' });
    expect(lookUp(node, [])).toEqual({ found: node });
    expect(lookUp(node, ['missing'])).toEqual({ absent: true });
  });

  it('names the issues as the format does', () => {
    expect(WIRE_ISSUES).toEqual([
      'unparsable',
      'truncated',
      'duplicate_name',
      'outside_model',
      'wrong_type',
      'unterminated',
    ]);
  });
});

it('reads back any string, escaped or not', () => {
  fc.assert(
    fc.property(textOf(20), (value) => {
      expect(stringAt(parsed(JSON.stringify({ a: value })), ['a'])).toEqual({ value, issue: null });
    }),
  );
});
