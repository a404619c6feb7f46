import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostOfName, hostOfUrl, isClaimableHost } from '../../src/pcm/hosts.ts';

const told = (reading: ReturnType<typeof hostOfUrl>): string =>
  'untold' in reading ? 'cannot be told' : (reading.host ?? 'no host');
const UNTOLD = 'cannot be told';

describe('the host of a URL', () => {
  it.each([
    ['http://api.example.com/x', 'api.example.com'],
    ['https://API.Example.COM./x?y#z', 'api.example.com'],
    ['//api.example.com/x', 'api.example.com'],
    ['ws://u:p@api.example.com:80', 'api.example.com'],
    ['http://u%40@api.example.com/', 'api.example.com'],
    ['http://a.example:99999/', 'a.example'],
    ['http://xn--zz--invalid.example/', 'xn--zz--invalid.example'],
    ['http://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
    ['http://a_b.example/%C3%A9', 'a_b.example'],
    ['http://good.com/a[1]', 'good.com'],
    ['http://good.com?a[1]', 'good.com'],
    ['http://[::1]:8080/', '::1'],
    ['http://u@[::1]/x', '::1'],
    ['http://[2001:DB8:0:0::1]/', '2001:db8::1'],
    ['http://[::ffff:1.2.3.4]/', '1.2.3.4'],
    ['http://[::ffff:102:304]/', '1.2.3.4'],
    ['http://[64:ff9b::1.2.3.4]/', '1.2.3.4'],
    ['http://[64:ff9b::7f00:1]/', '127.0.0.1'],
    ['http://[::1.2.3.4]/', '::102:304'],
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://10.0.0.1/', '10.0.0.1'],
    ['http://u\\@a.example/', UNTOLD],
    ['http://a.example\\@b.example/', UNTOLD],
    ['http://a.example\\b/', UNTOLD],
    ['http:\\\\a.example/', UNTOLD],
    ['http:/a.example/', UNTOLD],
    ['http:a.example/', UNTOLD],
    ['http:///a.example/', UNTOLD],
    ['///a.example/', UNTOLD],
    ['http://', UNTOLD],
    ['http://a..example/', UNTOLD],
    ['http://.example/', UNTOLD],
    ['http://a.example../', UNTOLD],
    [`http://${'a'.repeat(64)}.example/`, UNTOLD],
    ['http://a!b.example/', UNTOLD],
    ['http://a.example /', UNTOLD],
    [' http://a.example/', UNTOLD],
    ['http://a.example/é', UNTOLD],
    ['http://a.example/\u007f', UNTOLD],
    ['http://bücher.example/', UNTOLD],
    ['http://faß.example/', UNTOLD],
    ['http://%61.example/', UNTOLD],
    ['http://[::1%25eth0]/', UNTOLD],
    ['http://[x]@good.com/', UNTOLD],
    ['http://[zz]@[::1]/', UNTOLD],
    ['http://[::1]x/', UNTOLD],
    ['http://[::1]@', UNTOLD],
    ['http://[::1', UNTOLD],
    ['http://::1]/', UNTOLD],
    ['http://[v1.x]/', UNTOLD],
    ['http://[1.2.3.4]/', UNTOLD],
    ['http://[::ffff:01.2.3.4]/', UNTOLD],
    ['http://[1::2::3]/', UNTOLD],
    ['http://0127.0.0.1/', UNTOLD],
    ['http://127.1/', UNTOLD],
    ['http://0x7f.0.0.1/', UNTOLD],
    ['http://127.0.0.0x1/', UNTOLD],
    ['http://2130706433/', UNTOLD],
    ['http://1.2.3.256/', UNTOLD],
    ['http://1.2.3.4.5/', UNTOLD],
    ['http://1.2.3.4./', UNTOLD],
    ['view-source:http://a.example/', UNTOLD],
    ['BLOB:http://a.example/1', UNTOLD],
    ['/api.example.com/x', UNTOLD],
    ['api.example.com/x', UNTOLD],
    ['', UNTOLD],
    ['file://a.example/x', 'no host'],
    ['mailto:x@a.example', 'no host'],
    ['a.example:80/x', 'no host'],
  ])('%s: %s', (url, expected) => {
    expect(told(hostOfUrl(url))).toBe(expected);
  });

  const part = fc.constantFrom(
    'http',
    'https',
    ':',
    '/',
    '\\',
    '@',
    '[',
    ']',
    '?',
    '#',
    '%',
    '.',
    '::1',
    'a.example',
    'b',
    '1.2.3.4',
    '0',
    'A',
    '-',
    '//',
  );
  it('agrees with WHATWG URL wherever it tells a name or an address', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
        const url = `http:${parts.join('')}`;
        const reading = hostOfUrl(url);
        if ('untold' in reading || !URL.canParse(url)) return;
        const browser = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
        expect([url, reading.host]).toEqual([url, browser]);
      }),
      { numRuns: 5000 },
    );
  });
});

it.each([
  ['api.example.com', 'api.example.com'],
  ['api.example.com:99', 'api.example.com'],
  ['api.example.com.', 'api.example.com'],
  ['::1', '::1'],
  ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['[::1]:443', '::1'],
  ['API.Example.com', 'api.example.com'],
  ['1.2.3.4:80', '1.2.3.4'],
  ['a..example', UNTOLD],
  [':80', UNTOLD],
  ['a.example:', UNTOLD],
  ['a.example:123456', UNTOLD],
  ['a:b', UNTOLD],
  ['a:b:c', UNTOLD],
  ['0127.0.0.1', UNTOLD],
  ['a.example/x', UNTOLD],
  ['u@a.example', UNTOLD],
  ['bücher.example', UNTOLD],
  ['', UNTOLD],
])('the host of the name %s: %s', (name, expected) => {
  expect(told(hostOfName(name))).toBe(expected);
});

it.each(['api%2eexample.com', 'bücher.example', 'API.example.com', '[::1]', 'a/b', 'a b', ''])(
  '%s is no host to claim',
  (host) => {
    expect(isClaimableHost(host)).toBe(false);
  },
);
