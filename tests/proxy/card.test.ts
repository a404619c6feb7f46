import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forwardedCard } from '../../src/capture/proxy/card.ts';
import { ProxyOrigins, type Standing } from '../../src/capture/proxy/origins.ts';
import { pairOf } from './lab.ts';

const standing = (text: string, address = '127.0.0.1'): Standing => ({ ...pairOf(text), address });
const originsOf = (...standings: readonly Standing[]): ProxyOrigins => new ProxyOrigins(standings);
const forwardedUrl = (url: string, origins: ProxyOrigins, asked?: string): string => {
  const head = origins.forwarded(url, asked);
  return head === null ? url : head.by + url.slice(head.length);
};

describe('an interface URL', () => {
  test.each([
    [
      'its port alone, of a localhost',
      '8001=http://localhost:9001',
      'http://localhost:9001/rpc',
      'http://localhost:8001/rpc',
    ],
    [
      'its own spelling of loopback stays',
      '8001=http://localhost:9001',
      'http://127.0.0.1:9001/',
      'http://127.0.0.1:8001/',
    ],
    [
      'localhost, where the target is an address',
      '8001=http://127.0.0.1:9001',
      'http://LOCALHOST:9001',
      'http://LOCALHOST:8001',
    ],
    [
      'an address that the proxy is not bound to',
      '8001=http://localhost:9001',
      'http://[::1]:9001/x',
      'http://127.0.0.1:8001/x',
    ],
    ['an unspecified address', '8001=http://127.0.0.1:9001', 'http://0.0.0.0:9001/', 'http://127.0.0.1:8001/'],
    [
      'scheme, host and port',
      '8001=https://agent.example',
      'https://agent.example/a?b=c#d',
      'http://127.0.0.1:8001/a?b=c#d',
    ],
    [
      'a default port that is written',
      '8001=https://agent.example',
      'https://agent.example:443/',
      'http://127.0.0.1:8001/',
    ],
    ['userinfo stays', '8001=http://agent.example', 'http://me:pw@agent.example/x', 'http://me:pw@127.0.0.1:8001/x'],
    [
      'another port is not under the target',
      '8001=http://localhost:9001',
      'http://localhost:9002/',
      'http://localhost:9002/',
    ],
    ['another scheme is not', '8001=http://agent.example', 'https://agent.example/', 'https://agent.example/'],
    [
      'a host that begins alike is not',
      '8001=http://agent.example',
      'http://agent.example.evil.test/',
      'http://agent.example.evil.test/',
    ],
    [
      'nor one behind userinfo',
      '8001=http://agent.example',
      'http://agent.example@evil.test/',
      'http://agent.example@evil.test/',
    ],
    ['what is no URL stays', '8001=http://agent.example', 'agent.example', 'agent.example'],
  ])('%s', (_, pair, url, expected) => {
    expect(forwardedUrl(url, originsOf(standing(pair)))).toBe(expected);
  });

  test('a proxy on every address is named as its client named it', () => {
    const origins = originsOf(standing('0.0.0.0:8001=http://agent.internal', '0.0.0.0'));
    expect(forwardedUrl('http://agent.internal/rpc', origins, 'gateway.test:8001')).toBe(
      'http://gateway.test:8001/rpc',
    );
    expect(forwardedUrl('http://agent.internal/rpc', origins)).toBe('http://localhost:8001/rpc');
  });

  test('of several pairs that of the target counts', () => {
    const origins = originsOf(standing('8001=http://a.example'), standing('8002=http://b.example'));
    expect(forwardedUrl('http://b.example/rpc', origins)).toBe('http://127.0.0.1:8002/rpc');
  });

  test('a request that follows is known upstream by the spelling of the card, and by every name that a text may give it', () => {
    const pair = standing('8001=http://127.0.0.1:9001');
    const origins = originsOf(pair);
    expect(origins.named(pair, 'localhost:8001', '/x').url).toBe('http://127.0.0.1:9001/x');
    forwardedUrl('http://localhost:9001/rpc', origins);
    const { url, names } = origins.named(pair, 'localhost:8001', '/rpc?q');
    expect(url).toBe('http://localhost:9001/rpc?q');
    expect(names[0]).toBe('http://localhost:8001/rpc?q');
    for (const name of ['127.0.0.1:8001', 'localhost:9001', '127.0.0.1:9001'])
      expect(names).toContain(`http://${name}/rpc?q`);
    expect(origins.named(pair, '127.0.0.1:8001', '/').url).toBe('http://127.0.0.1:9001/');
  });

  test('what leads to a proxy passes it, and a Host header does not make it so', () => {
    const pair = standing('8001=http://127.0.0.1:9001');
    const origins = originsOf(pair);
    origins.named(pair, 'evil.test:80', '/');
    const passes = (url: string) => origins.passes(url);
    expect(['http://localhost:8001/x', 'http://127.0.0.1:8001'].every(passes)).toBe(true);
    expect(
      ['http://127.0.0.1:9001/', 'https://localhost:8001/', 'http://evil.test/', 'nonsense', '/x'].some(passes),
    ).toBe(false);
  });
});

const forward = (url: string) => originsOf(standing('8001=http://localhost:9001')).forwarded(url, undefined);
const rewrite = (text: string) => forwardedCard(text, forward);

describe('a card', () => {
  test('of its interface URLs the head is rewritten at the token, everything else stays byte for byte', () => {
    const text = `\ufeff{ "name" : "\\u0041 – http://localhost:9001/", "url":"http:\\/\\/localhost:9001\\/r\\u0070c" , "documentationUrl":"http://localhost:9001/docs",
\t"supportedInterfaces":[ {"url" :"http://localhost:9001/a","x":1E2}, {"url":"https://localhost:9001/"}, {"url":7}, "http://localhost:9001"],
 "additionalInterfaces":[{"url":"\\u0068ttp://localhost:9001"}], "url" :"http://localhost:9001/twice","big":12345678901234567890 }`;
    const expected = text
      .replace('"http:\\/\\/localhost:9001\\/r', '"http://localhost:8001\\/r')
      .replace('"url" :"http://localhost:9001/a"', '"url" :"http://localhost:8001/a"')
      .replace('"\\u0068ttp://localhost:9001"', '"http://localhost:8001"')
      .replace('"url" :"http://localhost:9001/twice"', '"url" :"http://localhost:8001/twice"');
    expect(rewrite(text)).toEqual({ text: expected, rewritten: 4, isSigned: false });
  });

  test('one that is signed stays as it is; an empty list of signatures signs nothing', () => {
    const card = (signatures: unknown) => JSON.stringify({ url: 'http://localhost:9001/', signatures });
    expect(rewrite(card([{ protected: 'e30', signature: 'x' }]))).toMatchObject({
      text: card([{ protected: 'e30', signature: 'x' }]),
      rewritten: 0,
      isSigned: true,
    });
    expect(rewrite(card([]))).toMatchObject({ rewritten: 1, isSigned: false });
    expect(rewrite('{"signatures":[{}],"url":"http://elsewhere.test/"}')).toMatchObject({ isSigned: false });
  });

  test('what is no JSON is no card', () => {
    expect(rewrite('<html>')).toBeNull();
  });

  test('whatever JSON it is, the rewritten one is the same but for the heads of interface URLs', () => {
    const url = fc.constantFrom('http://localhost:9001/rpc', 'http://127.0.0.1:9001', 'http://other.test/', 'x');
    const interfaces = fc.array(fc.record({ url, more: fc.jsonValue() }));
    const card = fc.record({
      name: fc.string({ unit: 'grapheme' }),
      url,
      supportedInterfaces: interfaces,
      additionalInterfaces: interfaces,
      extra: fc.jsonValue(),
    });
    const expected = (value: string): string => value.replace(/^(http:\/\/[a-z0-9.]+):9001/, '$1:8001');
    fc.assert(
      fc.property(card, fc.constantFrom(0, 1, 3), (value, indent) => {
        const moved = (rows: typeof value.supportedInterfaces) =>
          rows.map((row) => ({ ...row, url: expected(row.url) }));
        const after = {
          ...value,
          url: expected(value.url),
          supportedInterfaces: moved(value.supportedInterfaces),
          additionalInterfaces: moved(value.additionalInterfaces),
        };
        expect(rewrite(JSON.stringify(value, null, indent))?.text).toBe(JSON.stringify(after, null, indent));
      }),
    );
  });
});
