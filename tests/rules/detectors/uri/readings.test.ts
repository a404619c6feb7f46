import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeHop } from '../../../../src/rules/detectors/uri/hop.ts';
import { judgeUri } from '../../../../src/rules/detectors/uri/judge.ts';
import { hopTo, outsideBy, PUBLIC_ADDRESS, PUBLIC_WEB } from './policies.ts';

describe('two readings', () => {
  test.each([
    ['backslash, internal host after it', 'http://1.1.1.1\\@127.0.0.1/', ['1.1.1.1', '127.0.0.1']],
    ['backslash, internal host before it', 'http://127.0.0.1:80\\@1.1.1.1/', ['127.0.0.1', '1.1.1.1']],
    ['backslash before the user name', 'http:\\\\1.1.1.1@127.0.0.1/', null],
    ['tab in the authority', 'http://127.0.0.1\t.h.example/', ['127.0.0.1.h.example', '127.0.0.1']],
    ['line feed in the authority', 'http://localhost\n.h.example/', ['localhost.h.example', 'localhost']],
    ['carriage return before a user name', 'http://127.0.0.1\r@h.example/', ['h.example', '127.0.0.1']],
    ['another port', 'http://h.example:80\\@h.example:6379/', ['h.example', 'h.example']],
  ])('%s', (_, uri, hosts) => {
    const judged = judgeUri(uri, PUBLIC_WEB);
    if (hosts === null) {
      expect(judged).toMatchObject({ at: 'outside', readings: [{ host: '127.0.0.1' }] });
      return;
    }
    expect(judged.at).toBe('mixed');
    expect(judged.readings.map((reading) => reading.host)).toEqual(hosts);
    expect(judged.readings.map((reading) => reading.parser)).toEqual(['WHATWG URL', 'RFC 3986']);
  });

  test('either outside counts, unless the address connected is seen and inside', () => {
    const uri = 'http://1.1.1.1\\@127.0.0.1/';
    expect(judgeHop(hopTo(uri), PUBLIC_WEB).result).toBe('outside-text');
    expect(judgeHop(hopTo(uri, { connected_address: '127.0.0.1' }), PUBLIC_WEB).result).toBe('outside-text');
    expect(judgeHop(hopTo(uri, { connected_address: '1.1.1.1', via_proxy: '10.0.0.9' }), PUBLIC_WEB).result).toBe(
      'outside-text',
    );
    const seen = judgeHop(hopTo(uri, { connected_address: '1.1.1.1' }), PUBLIC_WEB);
    expect(seen.result).toBe('inside');
    expect(seen.observations.map(({ kind }) => kind)).toEqual(['readings-differ']);
  });

  test('a public address does not excuse text that every reading puts outside', () => {
    expect(judgeHop(hopTo('http://localhost/', { connected_address: PUBLIC_ADDRESS }), PUBLIC_WEB).result).toBe(
      'outside-text',
    );
    expect(judgeHop(hopTo('http://h.example:22/', { connected_address: PUBLIC_ADDRESS }), PUBLIC_WEB).result).toBe(
      'outside-text',
    );
  });
});

describe('hosts, origins and bases', () => {
  const listed = { ...PUBLIC_WEB, hosts: ['allowed.example', '*.sub.example', '1.1.1.1', '127.0.0.1'] };
  test.each([
    ['https://allowed.example/', null],
    ['https://ALLOWED.example./', null],
    ['https://a.sub.example/', null],
    ['https://a.b.sub.example/', null],
    ['https://1.1.1.1/', null],
    ['https://0x01010101/', null],
    ['https://sub.example/', 'host'],
    ['https://evilsub.example/', 'host'],
    ['https://evilallowed.example/', 'host'],
    ['https://allowed.example.evil.example/', 'host'],
    ['https://allowed.example\\.evil.example/', 'host'],
    ['https://8.8.8.8/', 'host'],
    ['https://127.0.0.1/', 'address'],
  ])('%j with listed hosts: %s', (uri, by) => expect(outsideBy(uri, listed)).toBe(by));

  test('a listed internal name is allowed as text; its address is judged all the same', () => {
    const policy = { ...PUBLIC_WEB, hosts: ['localhost'] };
    expect(judgeHop(hopTo('http://localhost/', { connected_address: '127.0.0.1' }), policy).result).toBe(
      'outside-address',
    );
  });

  test('a listed origin is allowed whatever else says', () => {
    const policy = { ...PUBLIC_WEB, origins: ['http://127.0.0.1:9999', 'grpc://h.example:50051'] };
    expect(judgeHop(hopTo('http://127.1:9999/x', { connected_address: '127.0.0.1' }), policy).result).toBe('inside');
    expect(judgeHop(hopTo('http://127.1:9999/x'), policy).result).toBe('inside');
    expect(judgeHop(hopTo('grpc://H.example:50051'), policy).result).toBe('inside');
    expect(outsideBy('http://127.0.0.1:9998/', policy)).toBe('address');
    expect(outsideBy('https://127.0.0.1:9999/', policy)).toBe('address');
    expect(judgeHop(hopTo('http://127.0.0.1:9999\\@127.0.0.2/'), policy).result).toBe('outside-text');
  });

  test('any port, and a scheme without a default port', () => {
    expect(outsideBy('http://h.example:22/', { ...PUBLIC_WEB, ports: null })).toBeNull();
    expect(outsideBy('grpc://h.example/', { ...PUBLIC_WEB, schemes: ['grpc'] })).toBe('port');
    expect(outsideBy('grpc://h.example:443/', { ...PUBLIC_WEB, schemes: ['grpc'] })).toBeNull();
    expect(outsideBy('grpc://0x7f.1:443/', { ...PUBLIC_WEB, schemes: ['grpc'] })).toBe('address');
  });

  test('an allowed scheme without host', () => {
    expect(outsideBy('data:,x', { ...PUBLIC_WEB, schemes: ['data'] })).toBeNull();
    expect(outsideBy('data:,x', { ...listed, schemes: ['data'] })).toBe('host');
  });

  test.each([
    ['/latest/', 'http://169.254.169.254/a', 'address'],
    ['/latest/', 'https://h.example/a', null],
    ['//127.0.0.1/', 'https://h.example/a', 'address'],
    ['/\\127.0.0.1/', 'https://h.example/a', 'address'],
    ['/\t/127.0.0.1/', 'https://h.example/a', 'address'],
    ['http://127.0.0.1/', 'https://h.example/a', 'address'],
    ['/latest/', '/no/base', 'relative'],
    ['/latest/', null, 'relative'],
    ['', null, 'relative'],
    ['//256.1.1.1/', null, 'unparsable'],
    ['http://[::1/', null, 'unparsable'],
    ['http://a b/', null, 'unparsable'],
    ['http://', null, 'unparsable'],
  ])('%j against %j', (uri, base, by) => expect(outsideBy(uri, PUBLIC_WEB, base)).toBe(by));

  test('any text gives a judgement', () => {
    const piece = fc.constantFrom(
      'http:',
      '//',
      '\\',
      '@',
      ':',
      '127.0.0.1',
      'h.example',
      '[::1]',
      '/',
      '?',
      '#',
      '\t',
      '\u0000',
      '%2e',
      '①',
      ' ',
      'x-y:',
      '80',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
        ),
        (uri) => {
          const { at, readings } = judgeUri(uri, PUBLIC_WEB);
          expect(readings.length).toBeGreaterThan(0);
          expect(readings.length).toBeLessThan(3);
          expect(at === 'unjudgeable').toBe(!URL.canParse(uri));
        },
      ),
    );
  });

  test('a host that no client can resolve is not parsed, for IDNA takes quadratic time', () => {
    const label = 'zvuz'.repeat(500_000);
    for (const uri of [
      `http://xn--${label}/`,
      ` \thttps:\\\\xn--${label}`,
      `//xn--${label}`,
      `ht\ntp://x@xn--${label}/`,
    ])
      expect(judgeUri(uri, PUBLIC_WEB).at).toBe('unjudgeable');
    expect(judgeUri('/x', PUBLIC_WEB, `http://xn--${label}/`).readings[0]!.by).toBe('relative');
    expect(judgeUri(`http://h.example\\@xn--${label.slice(0, 8000)}/`, PUBLIC_WEB).readings).toHaveLength(2);
  });

  test('length elsewhere hides nothing', () => {
    const long = 'a'.repeat(100_000);
    expect(outsideBy(`http://127.0.0.1/${long}?${long}#${long}`)).toBe('address');
    expect(outsideBy(`http://${long}@127.0.0.1/`)).toBe('address');
    expect(outsideBy(`${' '.repeat(100_000)}http://127.0.0.1/`)).toBe('address');
    expect(outsideBy(`http:${'/'.repeat(100_000)}127.0.0.1/`)).toBe('address');
    expect(outsideBy(`data:;base64,${long}`)).toBe('scheme');
    expect(outsideBy(long, PUBLIC_WEB, 'http://127.0.0.1/')).toBe('address');
  });

  test('explanations stay short on long text', () => {
    const uri = `http://h.example:22/${'a'.repeat(1_000_000)}`;
    expect(judgeHop(hopTo(`/${uri}`), PUBLIC_WEB).explanation.length).toBeLessThan(400);
    expect(judgeUri(uri, PUBLIC_WEB).readings[0]!.explanation.length).toBeLessThan(400);
  });
});
