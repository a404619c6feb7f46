import { describe, expect, test } from 'vitest';
import { readPair } from '../../src/capture/proxy/pair.ts';

describe('LISTEN=TARGET', () => {
  test.each([
    ['8001=http://127.0.0.1:9001', '127.0.0.1', 8001, 'http://127.0.0.1:9001'],
    ['0=https://agent.example', '127.0.0.1', 0, 'https://agent.example'],
    ['localhost:8001=http://localhost:9001/', 'localhost', 8001, 'http://localhost:9001'],
    ['0.0.0.0:65535=http://x.example', '0.0.0.0', 65535, 'http://x.example'],
    ['[::1]:8001=http://[::1]:9001', '::1', 8001, 'http://[::1]:9001'],
  ])('%s', (text, host, port, origin) => {
    const pair = readPair(text);
    expect(pair).toMatchObject({ host, port });
    expect(pair).toHaveProperty('target.origin', origin);
  });

  test.each([
    ['8001', 'LISTEN=TARGET'],
    ['=http://x.example', 'LISTEN'],
    ['65536=http://x.example', '65535'],
    ['-1=http://x.example', 'LISTEN'],
    ['::1:8001=http://x.example', 'LISTEN'],
    ['[1.2.3.4]:8001=http://x.example', 'IPv6'],
    ['a b:8001=http://x.example', 'LISTEN'],
    ['8001=x.example:80', 'http'],
    ['8001=nonsense', 'URL'],
    ['8001=ftp://x.example', 'http or https'],
    ['8001=http://user:secret@x.example', 'credentials'],
    ['8001=http://x.example/base', 'origin'],
    ['8001=http://x.example/?q', 'origin'],
  ])('%s is told to be wrong', (text, word) => {
    expect(readPair(text)).toEqual(expect.stringContaining(word));
  });

  test('what is told does not hold the credentials of a target', () => {
    expect(readPair('8001=http://user:secret@x.example')).not.toEqual(expect.stringContaining('secret'));
  });
});
