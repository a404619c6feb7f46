import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../../src/capture/redact.ts';

const counted = (secrets: readonly string[] = []) => {
  const counts: Record<string, number> = {};
  const redactor = new Redactor((what, count) => {
    counts[what] = (counts[what] ?? 0) + count;
  }, secrets);
  return { redactor, counts };
};

describe('headers', () => {
  test('only the six of the format are kept, in order, as often as they come', () => {
    const { redactor, counts } = counted();
    const kept = redactor.headers([
      ['Content-Type', 'a/b'],
      ['Authorization', 'Bearer abcdefgh'],
      ['X-Request-Id', '1'],
      ['A2A-Version', '1.0'],
      ['content-type', 'c/d'],
      ['Location', 'https://user:hunter22@h.test/?access_token=tok-123456'],
    ]);
    expect(kept).toEqual([
      ['content-type', 'a/b'],
      ['a2a-version', '1.0'],
      ['content-type', 'c/d'],
      ['location', 'https://REDACTED@h.test/?access_token=REDACTED'],
    ]);
    expect(counts).toMatchObject({ 'credential header': 1, 'URL credential': 2 });
  });

  test.each([
    ['authorization', 'Bearer tok-abcdef', 'tok-abcdef'],
    ['Authorization', `Basic ${Buffer.from('user:pa55word').toString('base64')}`, 'pa55word'],
    ['proxy-authorization', 'Digest whole-value', 'whole-value'],
    ['cookie', 'theme=x; sid=cookie-secret', 'cookie-secret'],
    ['set-cookie', 'sid=cookie-secret; Path=/; HttpOnly', 'cookie-secret'],
    ['x-api-key', 'key-123456', 'key-123456'],
    ['X-A2A-Notification-Token', 'push-123456', 'push-123456'],
    ['x-amz-security-token', 'aws-123456', 'aws-123456'],
  ])('%s: %s is looked for in bodies from then on', (name, value, secret) => {
    const { redactor } = counted();
    redactor.headers([[name, value]]);
    expect(redactor.json(`{"text":"echo ${secret}!"}`)).toBe('{"text":"echo REDACTED!"}');
  });
});

describe('URLs', () => {
  test.each([
    ['https://h.test/a?b=1', 'https://h.test/a?b=1'],
    ['https://u:p4ssw0rd@h.test/a', 'https://REDACTED@h.test/a'],
    ['https://token@h.test', 'https://REDACTED@h.test'],
    ['https://a@b@h.test/', 'https://REDACTED@b@h.test/'],
    ['https://h.test/?api_key=k1&x=2&Signature=s', 'https://h.test/?api_key=REDACTED&x=2&Signature=REDACTED'],
    [
      'https://h.test/?X-Amz-Signature=abc#access_token=def',
      'https://h.test/?X-Amz-Signature=REDACTED#access_token=REDACTED',
    ],
    [
      'see http://u:p4ssw0rd@a.test, then (https://b.test/?token=x)',
      'see http://REDACTED@a.test, then (https://b.test/?token=REDACTED',
    ],
    // What makes a URL confusing is evidence: a host before a backslash is no userinfo.
    ['http://169.254.169.254\\@h.test/', 'http://169.254.169.254\\@h.test/'],
    ['mailto:a@b.test', 'mailto:a@b.test'],
    ['https://h.test/@user/keys?monkeys=2', 'https://h.test/@user/keys?monkeys=2'],
  ])('%s', (url, redacted) => {
    expect(counted().redactor.text(url)).toBe(redacted);
  });
});

describe('bodies', () => {
  const config = (member: string, push: string) => `{ "params" : {"x":1.50, "${member}":${push}, "y":"\\u00e9"} }`;

  test.each([
    [
      '1.0',
      'taskPushNotificationConfig',
      '{"url":"https://a.test/hook","token":"abc", "authentication":{"scheme":"Bearer","credentials":"xyz"}}',
      '{"url":"https://a.test/hook","token":"REDACTED", "authentication":{"scheme":"Bearer","credentials":"REDACTED"}}',
    ],
    [
      '0.3',
      'pushNotificationConfig',
      '{"token":"abc","authentication":{"schemes":["Basic"],"credentials":"xyz"},"url":"https://a.test"}',
      '{"token":"REDACTED","authentication":{"schemes":["Basic"],"credentials":"REDACTED"},"url":"https://a.test"}',
    ],
    ['snake case', 'push_notification_config', '{"token":"abc"}', '{"token":"REDACTED"}'],
    [
      'a list of them',
      'configs',
      '[{"url":"https://a.test","token":"\\u0061bc"}]',
      '[{"url":"https://a.test","token":"REDACTED"}]',
    ],
    [
      'doubled names',
      'pushNotificationConfig',
      '{"token":"abc","token":"def"}',
      '{"token":"REDACTED","token":"REDACTED"}',
    ],
  ])('push credentials of %s are replaced in place, all else stays byte for byte', (_, member, push, redacted) => {
    expect(counted().redactor.json(config(member, push))).toBe(config(member, redacted));
  });

  test('a token of no push configuration is a word like any other', () => {
    const text = '{"usage":{"token":"abc"},"data":{"credentials":"none"}}';
    expect(counted().redactor.json(text)).toBe(text);
  });

  test('text that was cut is searched as text', () => {
    const { redactor } = counted();
    expect(
      redactor.json('{"pushNotificationConfig":{"token":"abcdef","url":"x","authentication":{"credentials":"gh'),
    ).toBe('{"pushNotificationConfig":{"token":"REDACTED","url":"x","authentication":{"credentials":"REDACTED');
  });

  test('a known secret is found raw, escaped, percent-encoded and in base64 at any alignment', () => {
    const secret = 'p/ä"ss wörd+1';
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (before, after) => {
        const { redactor } = counted([secret]);
        const base64 = Buffer.from(before + secret + after).toString('base64');
        const inner = Buffer.from(secret).toString('base64').slice(4, 12);
        const forms = [
          JSON.stringify({ a: before + secret + after }),
          JSON.stringify({ a: secret }).replace('/', '\\/'),
          Array.from(
            { length: secret.length },
            (_, at) => `\\u${secret.charCodeAt(at).toString(16).padStart(4, '0')}`,
          ).join(''),
        ];
        expect(JSON.parse(redactor.json(forms[0]!))).toEqual({ a: `${before}REDACTED${after}` });
        expect(JSON.parse(redactor.json(forms[1]!))).toEqual({ a: 'REDACTED' });
        expect(redactor.json(`{"a":"${forms[2]}"}`)).toBe('{"a":"REDACTED"}');
        expect(redactor.text(`q=${encodeURIComponent(secret)}`)).toBe('q=REDACTED');
        const hidden = redactor.json(JSON.stringify({ raw: base64 }));
        expect(hidden).toContain('REDACTED');
        if (before === '') expect(hidden).not.toContain(inner);
      }),
    );
  });

  test('bytes that are no UTF-8 are searched all the same', () => {
    const { redactor } = counted(['top-secret']);
    const body = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from('top-secret'), Buffer.of(0xff)]);
    const redacted = Buffer.from(redactor.bytes(body));
    expect(redacted.equals(Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from('REDACTED'), Buffer.of(0xff)]))).toBe(
      true,
    );
  });

  test('without secrets every body is left as it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(Buffer.from(counted().redactor.bytes(bytes)).equals(Buffer.from(bytes))).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.json({ depthSize: 'medium' }), (json) => {
        expect(counted().redactor.json(json)).toBe(json);
      }),
    );
  });

  test('short values are not secrets, or words would vanish from the evidence', () => {
    const { redactor } = counted(['abc']);
    expect(redactor.text('abcabc')).toBe('abcabc');
  });
});

describe('known secrets', () => {
  /** The leftmost secret, of several there the longest, by trying all of them everywhere. */
  const naive = (text: string, secrets: readonly string[]): string => {
    let out = '';
    for (let at = 0; at < text.length; ) {
      const found = secrets.filter((secret) => text.startsWith(secret, at)).sort((a, b) => b.length - a.length)[0];
      out += found === undefined ? text[at] : 'REDACTED';
      at += found?.length ?? 1;
    }
    return out;
  };

  test('however many there are, and overlapping, one pass finds what trying all of them finds', () => {
    const secret = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 6, maxLength: 9 });
    fc.assert(
      fc.property(
        fc.array(secret, { maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 }),
        (secrets, text) => {
          expect(counted(secrets).redactor.text(text)).toBe(naive(text, secrets));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('of more than can be kept, the one longest not seen is forgotten', () => {
    const many = Array.from({ length: 513 }, (_, i) => `secret-${i}-value`);
    const { redactor } = counted([...many.slice(0, 512), many[0]!, many[512]!]);
    expect(redactor.text(many.join(' '))).toBe(many.map((secret, i) => (i === 1 ? secret : 'REDACTED')).join(' '));
  });
});
