import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseURL, serializeURL } from 'whatwg-url';
import { readUrl, type Url } from '../../src/base/url.ts';
import { NODE_DIFFERS, ODD_URLS } from './odd-urls.ts';

/** What this Node reads. */
const byNode = (text: string, base: string | null): Url | null => {
  try {
    const { href, protocol, host, hostname, port, pathname, search, hash } = new URL(text, base ?? undefined);
    return { href, protocol, host, hostname, port, pathname, search, hash };
  } catch {
    // Not `URL.canParse`, which in Node 20 refuses what the constructor takes.
    return null;
  }
};

const byLibrary = (text: string, base: string | null = null): string | null => {
  const baseURL = base === null ? undefined : parseURL(base);
  const record = baseURL === null ? null : parseURL(text, { baseURL });
  return record === null ? null : serializeURL(record);
};

describe('reading a URL', () => {
  it('reads some hundred odd spellings as Node does, but for those listed', () => {
    expect(ODD_URLS.length).toBeGreaterThan(600);
    const different = ODD_URLS.filter(
      ({ text, base }) =>
        !NODE_DIFFERS.has(text) && JSON.stringify(readUrl(text, base)) !== JSON.stringify(byNode(text, base)),
    );
    expect(different).toEqual([]);
  });

  it.each([...NODE_DIFFERS])('reads %j as %j whatever the version of Node', (text, href) => {
    expect(readUrl(text, text === 'x#f' ? 'data:x' : null)?.href ?? null).toBe(href);
    expect(ODD_URLS.some((spelling) => spelling.text === text)).toBe(true);
  });

  const piece = fc.constantFrom(
    'a',
    'Z',
    '0',
    '9',
    '.',
    '..',
    '-',
    '_',
    '~',
    '%',
    '%2e',
    '%2E',
    '%4',
    '/',
    '\\',
    '?',
    '#',
    ':',
    '@',
    '[',
    ']',
    ';',
    '=',
    '&',
    '+',
    '!',
    ' ',
    '\t',
    'xn--',
    '0x1',
    '255',
    '256',
    ':80',
    ':443',
    ':8080',
    ':65536',
    '//',
    'http:',
    'é',
    "'",
    '"',
    '|',
    '*',
    '(',
    '$',
    ',',
  );
  const front = fc.constantFrom('http://', 'https://', 'ws://', 'ftp://', 'grpc://', 'urn:', 'data:', 'a', '');
  const texts = fc.tuple(front, fc.array(piece, { maxLength: 8 })).map(([start, pieces]) => start + pieces.join(''));

  it('reads what it takes for plain as its parser would', () => {
    let read = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const url = readUrl(text);
        if (url !== null) read++;
        expect(url?.href ?? null).toBe(byLibrary(text));
      }),
      { numRuns: 4000 },
    );
    expect(read).toBeGreaterThan(1000);
  });

  it('reads references as its parser would', () => {
    const bases = fc.constantFrom(
      'http://h.example/a/b?q',
      'https://h.example:8443',
      'ws://u@h.example/',
      'grpc://h/a',
      'file:///C:/a',
      'http://[::1]/x/',
      'data:x',
      '//h',
    );
    fc.assert(
      fc.property(fc.tuple(fc.constantFrom('/', '//', '', '?'), texts), bases, ([slashes, text], base) => {
        expect(readUrl(slashes + text, base)?.href ?? null).toBe(byLibrary(slashes + text, base));
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses a host that no client can resolve, and what is long and odd, at once', () => {
    const long = 'a'.repeat(4 * 1024 * 1024);
    expect(readUrl(`http://${long}/`)).toBeNull();
    expect(readUrl(`http://h.example/ ${long}`)).toBeNull();
    expect(readUrl(` ${long}`, 'http://h.example/')).toBeNull();
    expect(readUrl(`http://h.example/${long}?${long}#${long}`)?.pathname).toBe(`/${long}`);
    expect(readUrl(`/${long}`, 'http://h.example/')?.hostname).toBe('h.example');
    expect(readUrl(`data:text/plain;base64,${long}`)?.protocol).toBe('data:');
  });
});
