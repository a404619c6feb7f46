import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitEvents } from '../../src/base/sse.ts';

const data = (text: string) => splitEvents(text).events.map((event) => event.data);
const pending = (text: string) => splitEvents(text).unterminated?.data;

/** The algorithm of WHATWG HTML 9.2.6 over a list of lines, as a second implementation. */
const byTheStandard = (text: string): { data: string; event: string | null }[] => {
  const lines = text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .split('\n');
  // What follows the last line end is no line yet, and its event is not dispatched.
  lines.pop();
  const events: { data: string; event: string | null }[] = [];
  let buffer = '';
  let type: string | null = null;
  for (const line of lines) {
    if (line === '') {
      if (buffer !== '') events.push({ data: buffer.slice(0, -1), event: type });
      buffer = '';
      type = null;
      continue;
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (field === 'data') buffer += `${value}\n`;
    if (field === 'event') type = value!;
  }
  return events;
};

describe('lines', () => {
  it.each(['\n', '\r', '\r\n'])('end at %j', (end) => {
    const text = ['data: a', 'data: b', '', ': note', 'event: x', 'data', '', 'data: open'].join(end);
    const { events, unterminated } = splitEvents(text);
    expect(events.map(({ data, event }) => [data, event])).toEqual([
      ['a\nb', null],
      ['', 'x'],
    ]);
    expect(unterminated?.data).toBe('open');
    expect(text.slice(events[1]!.start, events[1]!.end)).toBe([': note', 'event: x', 'data', '', ''].join(end));
    expect(unterminated?.end).toBe(text.length);
  });

  it('end at CR LF once, and at CR CR twice', () => {
    expect(data('data:a\r\n\r\n')).toEqual(['a']);
    expect(data('data:a\r\r')).toEqual(['a']);
    expect(data('data:a\n\r\n')).toEqual(['a']);
    expect(pending('data:a\r\n')).toBe('a');
  });

  it('do not end at U+2028, U+0085, form feed or NUL', () => {
    expect(data('data:a\u2028b\u0085c\fd\0\n\n')).toEqual(['a\u2028b\u0085c\fd\0']);
  });
});

describe('fields', () => {
  it.each([
    ['data:  two', [' two']],
    ['data:\t', ['\t']],
    ['data', ['']],
    ['data:', ['']],
    ['data: ', ['']],
    ['data:a:b', ['a:b']],
    ['Data: a', []],
    [' data: a', []],
    ['data : a', []],
    ['event: x', []],
    ['id: 1\nretry: 2', []],
    [':data: a', []],
  ])('%j', (block, expected) => {
    expect(data(`${block}\n\n`)).toEqual(expected);
  });
});

it('skips one leading byte-order mark and counts it in offsets', () => {
  expect(data('\ufeffdata:a\n\n')).toEqual(['a']);
  expect(splitEvents('\ufeffdata:a\n\n').events[0]?.start).toBe(1);
  expect(data('\ufeff\ufeffdata:a\n\n')).toEqual([]);
});

it('names what no blank line closes, with or without data', () => {
  expect(splitEvents('').unterminated).toBe(null);
  expect(splitEvents('\n\n').unterminated).toBe(null);
  expect(splitEvents('data:a\n\n: ping').unterminated).toMatchObject({ data: null, start: 8, end: 14 });
  expect(pending('data:a\n\ndata:{"x"')).toBe('{"x"');
});

it('agrees with the standard on every text of up to eight characters that matter, and slices join to data', () => {
  const pieces = ['data:x', 'event:y', '\n', '\r', ':', ' ', '\ufeff'];
  let texts = 0;
  const check = (text: string): void => {
    const { events } = splitEvents(text);
    const got = JSON.stringify(events.map(({ data, event }) => ({ data, event })));
    if (got !== JSON.stringify(byTheStandard(text))) throw new Error(`${JSON.stringify(text)} gave ${got}`);
    for (const { slices, data } of events) {
      if (slices.map(({ start, end }) => text.slice(start, end)).join('\n') !== data)
        throw new Error(JSON.stringify(text));
    }
    texts++;
  };
  const grow = (text: string, left: number): void => {
    check(text);
    if (left > 0) for (const piece of pieces) grow(text + piece, left - 1);
  };
  grow('', 6);
  expect(texts).toBe((7 ** 7 - 1) / 6);
});

it('a stream cut anywhere gives the first events of the whole stream', () => {
  const block = fc.tuple(
    fc.constantFrom('data: 1', 'data: 2\ndata', ': c', 'event: e\ndata:'),
    fc.constantFrom('\n', '\r', '\r\n'),
  );
  const stream = fc
    .array(block)
    .map((blocks) => blocks.map(([text, end]) => text.replaceAll('\n', end) + end + end).join(''));
  fc.assert(
    fc.property(stream, fc.nat(), (text, at) => {
      const whole = splitEvents(text);
      const cut = data(text.slice(0, at % (text.length + 1)));
      expect(whole.unterminated).toBe(null);
      expect(data(text).slice(0, cut.length)).toEqual(cut);
    }),
    { numRuns: 2000 },
  );
});
