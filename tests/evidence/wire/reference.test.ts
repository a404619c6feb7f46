import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextStrings, URI_LIMIT, urisIn } from '../../../src/evidence/wire/reference.ts';
import { readText, type WireText } from '../../../src/evidence/wire/text.ts';
import { scanUris } from '../../../src/evidence/wire/uri-scan.ts';

const wire = (text: string): WireText => {
  const whole = readText(text);
  if (!('read' in whole)) throw new Error('not an object');
  return whole.read;
};
const uris = (value: unknown) => urisIn(wire(JSON.stringify(value)), () => {});

describe('URIs in the strings of a message', () => {
  it('are whole in parts and push notification configurations', () => {
    const params = {
      message: { parts: [{ url: 'gopher:x' }, { file: { uri: '../relative' } }] },
      pushNotificationConfig: { url: '//h' },
    };
    expect(uris({ params })).toEqual([
      { uri: 'gopher:x', pointer: '/params/message/parts/0/url' },
      { uri: '../relative', pointer: '/params/message/parts/1/file/uri' },
      { uri: '//h', pointer: '/params/pushNotificationConfig/url' },
    ]);
  });

  it.each([
    ['see http://a.example/x?y=1#z, then stop.', ['http://a.example/x?y=1#z']],
    ['(http://a.example/(b)) and [t](https://b.example/c)', ['http://a.example/(b)', 'https://b.example/c']],
    ['<a href="http://h/">x</a> src=\'http://i/\'', ['http://h/', 'http://i/']],
    ['http://[::1]:80/ and [http://[::2]]', ['http://[::1]:80/', 'http://[::2]']],
    ['http:169.254.169.254 http:/h http:\\\\h\\x', ['http:169.254.169.254', 'http:/h', 'http:\\\\h\\x']],
    ['gopher://h/ FILE:/etc/passwd', ['gopher://h/', 'FILE:/etc/passwd']],
    ['http://①⑥⑨.254.169.254/ http://😀.example', ['http://①⑥⑨.254.169.254/', 'http://😀.example']],
    ['note: http: no, 12:30, a:b, mailto:x, "://", http://', []],
    ['http://a/\ud800b', ['http://a/']],
    ['view-source:http://h/', ['http://h/']],
  ])('are found in prose: %s', (text, expected) => {
    expect(scanUris(text, 100)).toEqual(expected);
  });

  it('are bounded', () => {
    expect(uris({ a: 'http://h/ '.repeat(3000) })).toHaveLength(1);
    const many = Array.from({ length: 3000 }, (_, i) => `http://h/${i}`);
    expect(uris({ many })).toHaveLength(URI_LIMIT);
    const hasMore = (value: unknown): boolean => {
      let told = false;
      urisIn(wire(JSON.stringify(value)), () => {
        told = true;
      });
      return told;
    };
    expect(hasMore({ many: many.slice(0, URI_LIMIT), text: 'no URI' })).toBe(false);
    expect(hasMore({ many: many.slice(0, URI_LIMIT), last: 'http://more/' })).toBe(true);
    expect(hasMore({ a: `${'http://h/ '.repeat(URI_LIMIT)} http://more/` })).toBe(true);
    expect(uris({ a: `http://h/${'x'.repeat(70_000)}` })).toEqual([]);
    expect(scanUris('a:'.repeat(200_000), 10)).toEqual([]);
    expect(scanUris('x'.repeat(200_000) + '://h', 10)).toEqual([`${'x'.repeat(32)}://h`]);
  });

  it('stand where their pointer says, for any member names', () => {
    const name = fc.constantFrom('a', 'a/b', '~', '~1', '', '0', '__proto__', 'url', '\ud800');
    const tree = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('http://x/', 'at https://y/z.', 'none', 7, null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: false }),
      ),
    })).value;
    let found = 0;
    fc.assert(
      fc.property(tree, (value) => {
        const text = wire(JSON.stringify({ value }));
        const strings = new TextStrings(text);
        for (const { uri, pointer } of urisIn(text, () => {})) {
          found++;
          expect(strings.hold(uri, pointer)).toBe(true);
          expect(strings.hold(`${uri}!`, pointer)).toBe(false);
        }
      }),
    );
    expect(found).toBeGreaterThan(20);
  });

  it('are held by either value of a repeated name, and by nothing that is not there', () => {
    const strings = new TextStrings(wire('{"a":"http:\\/\\/x","a":{"b":["http://y"]}}'));
    expect(strings.hold('http://x', '/a')).toBe(true);
    expect(strings.hold('http://y', '/a/b/0')).toBe(true);
    expect(strings.hold('http://x', null)).toBe(true);
    for (const pointer of ['', '/b', '/a/b', '/a/b/00', '/a/b/1', 'a', '/a/'])
      expect(strings.hold('http://x', pointer)).toBe(false);
  });
});
