import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Hop, judgeHop } from '../../../../src/rules/detectors/uri/hop.ts';
import type { AsrfPolicy } from '../../../../src/rules/detectors/uri/policy.ts';
import { redirectTarget, resolveLocation } from '../../../../src/rules/detectors/uri/readings.ts';
import { hopTo, PUBLIC_ADDRESS, PUBLIC_WEB, tableRows } from './policies.ts';

const RESULT_OF: readonly (readonly [string, string])[] = [
  ['no finding', 'inside'],
  ['ASRF_ADDRESS_OUTSIDE_POLICY', 'outside-address'],
  ['INCONCLUSIVE', 'address-unseen'],
  ['observation', 'address-unseen'],
];

describe('the table of rebinding reports', () => {
  const rows = tableRows('rebinding.tsv');
  test('every row is read', () => expect(rows).toHaveLength(10));

  test.each(rows)(
    '%s answered %s, connected %s, proxy %s, required %s: %s',
    (uri, resolved, connected, proxy, required, expected) => {
      const hop = hopTo(uri!, {
        resolved_addresses: resolved === '(null)' ? null : resolved!.split(','),
        connected_address: connected === '(null)' ? null : connected!,
        via_proxy: proxy === 'yes' ? 'http://10.0.0.9:3128' : null,
      });
      const judged = judgeHop(hop, { ...PUBLIC_WEB, require_connected_address: required === 'yes' });
      expect(judged.result).toBe(RESULT_OF.find(([word]) => expected!.startsWith(word))![1]);
      if (judged.result === 'address-unseen') expect(judged.explanation).toContain('connected_address');
      expect(judged.observations.some(({ kind }) => kind === 'mixed-answers')).toBe(expected!.includes('mixed'));
      expect(judged.observations.some(({ kind }) => kind === 'proxied')).toBe(proxy === 'yes');
    },
  );
});

describe('redirects', () => {
  type Case = { id: string; hops: { uri: string; status: number; location: string | null }[]; expected: string };
  const cases = JSON.parse(
    readFileSync(new URL('../../../cases/uri/redirects.json', import.meta.url), 'utf8'),
  ) as Case[];
  test('every case is read', () => expect(cases).toHaveLength(5));

  test.each(cases)('$id: $expected', ({ hops, expected }) => {
    const [{ uri, status, location }] = hops as [Case['hops'][number]];
    const target = redirectTarget(uri, status, location);
    if (!expected.startsWith('outside')) {
      expect(target).toBeNull();
      return;
    }
    const judged = judgeHop(hopTo(target!), PUBLIC_WEB);
    expect(judged.result).toBe('outside-text');
    const by = expected.split(/[:; ]+/)[1]!;
    expect(judged.text.readings[0]!.by).toBe(by === 'Location' ? 'address' : by);
    expect(judgeHop(hopTo(location!, { outcome: 'blocked_by_guard' }), PUBLIC_WEB, uri).result).toBe('blocked');
  });

  test.each([301, 302, 303, 307, 308])('%i is followed', (status) => {
    expect(redirectTarget('https://h.example/a/b', status, '../c')).toBe('https://h.example/c');
  });
  test.each([200, 201, 300, 304, 305, 306, 400])('%i is not', (status) => {
    expect(redirectTarget('https://h.example/', status, '/c')).toBeNull();
  });

  test('a 302 to loopback', () => {
    const target = redirectTarget('https://allowed.example/', 302, '//127.1/admin');
    expect(target).toBe('https://127.0.0.1/admin');
    expect(judgeHop(hopTo(target!), PUBLIC_WEB).result).toBe('outside-text');
  });

  test('a Location that no parser reads is kept as it stood, and cannot be judged', () => {
    expect(resolveLocation('http://256.1.1.1/', 'https://h.example/')).toBeNull();
    expect(resolveLocation('/x', 'not absolute')).toBeNull();
    const target = redirectTarget('https://h.example/', 302, 'http://256.1.1.1/');
    expect(judgeHop(hopTo(target!), PUBLIC_WEB).result).toBe('unjudgeable');
  });
});

describe('outcomes', () => {
  test.each([
    ['http://169.254.169.254/', 'connect_failed', 'outside-text'],
    ['http://169.254.169.254/', 'blocked_by_guard', 'blocked'],
    ['http://169.254.169.254/', 'not_attempted', 'not-dereferenced'],
    ['/relative', 'connected', 'unjudgeable'],
    ['/relative', 'connect_failed', 'unjudgeable'],
    ['/relative', 'blocked_by_guard', 'blocked'],
    ['/relative', 'not_attempted', 'not-dereferenced'],
    ['http://h.example/', 'connect_failed', 'address-unseen'],
    ['http://h.example/', 'blocked_by_guard', 'blocked'],
  ] as const)('%s, %s: %s', (uri, outcome, result) => {
    const judged = judgeHop(hopTo(uri, { outcome }), PUBLIC_WEB);
    expect(judged.result).toBe(result);
    expect(judged.explanation).not.toBe('');
  });

  test.each([
    ['127.0.0.1', 'outside-address'],
    [PUBLIC_ADDRESS, 'inside'],
    [null, 'address-unseen'],
  ])('the address that the observing proxy connected to is the destination: %s is %s', (connected_address, result) => {
    const seen = { connected_address, via_proxy: '127.0.0.1:8001' };
    const judged = judgeHop(hopTo('http://h.example/', { ...seen, observer: 'proxy' }), PUBLIC_WEB);
    expect(judged.result).toBe(result);
    expect(judged.observations).toEqual([]);
    expect(judgeHop(hopTo('http://h.example/', seen), PUBLIC_WEB).result).toBe('address-unseen');
  });

  test('an address that cannot be read is not judged', () => {
    expect(judgeHop(hopTo('http://h.example/', { connected_address: 'unix:/run/x' }), PUBLIC_WEB).result).toBe(
      'unjudgeable',
    );
  });

  test('the finding of a rebinding prints both addresses and what was answered', () => {
    const judged = judgeHop(
      hopTo('http://h.example/', { resolved_addresses: [PUBLIC_ADDRESS], connected_address: '::ffff:169.254.169.254' }),
      PUBLIC_WEB,
    );
    expect(judged.explanation).toContain('::ffff:a9fe:a9fe, which embeds 169.254.169.254');
    expect(judged.address).toMatchObject({ address: '::ffff:a9fe:a9fe', judged: '169.254.169.254', class: 'metadata' });
    expect(judged.observations).toEqual([
      {
        kind: 'connected-unanswered',
        explanation: 'connected to "::ffff:169.254.169.254", which is not among the resolved addresses "93.184.216.34"',
      },
    ]);
  });

  test.each([
    [null, null],
    [null, 'http://10.0.0.9:3128'],
  ])('answers outside policy are told where the address connected was not seen', (connected, proxy) => {
    const hop = hopTo('http://h.example/', {
      resolved_addresses: ['10.0.0.5', '10.0.0.6'],
      connected_address: connected,
      via_proxy: proxy,
    });
    const judged = judgeHop(hop, PUBLIC_WEB);
    expect(judged.result).toBe('address-unseen');
    expect(judged.observations).toContainEqual({
      kind: 'answers-outside',
      explanation: 'of 2 resolved addresses 2 are outside policy: "10.0.0.5", "10.0.0.6"',
    });
  });

  test('one address spelled two ways is one answer', () => {
    const judged = judgeHop(
      hopTo('http://h.example/', { resolved_addresses: ['::FFFF:93.184.216.34'], connected_address: PUBLIC_ADDRESS }),
      PUBLIC_WEB,
    );
    expect(judged.observations).toEqual([]);
  });
});

describe('redirected dialers', () => {
  const policy = { ...PUBLIC_WEB, test_redirects: [{ host: '*.example', address: '127.0.0.1' }] };
  const override = { host: 'h.example', address: '127.0.0.1' };
  const kinds = (judged: ReturnType<typeof judgeHop>): string[] => judged.observations.map(({ kind }) => kind);

  test.each([
    ['a public answer', [PUBLIC_ADDRESS], 'inside'],
    ['a rebound answer', ['169.254.169.254'], 'outside-address'],
    ['any answer outside', [PUBLIC_ADDRESS, '10.0.0.5'], 'outside-address'],
    ['no answer', null, 'address-unseen'],
    ['an empty answer', [], 'address-unseen'],
  ] as const)('listed: %s decides, not loopback', (_, resolved, result) => {
    const judged = judgeHop(
      hopTo('http://h.example/', {
        resolved_addresses: resolved,
        connected_address: '127.0.0.1',
        dial_override: override,
      }),
      policy,
    );
    expect(judged.result).toBe(result);
    expect(kinds(judged)).toContain('override-applied');
  });

  test.each<[string, AsrfPolicy, NonNullable<Hop['dial_override']>, string]>([
    ['not listed', PUBLIC_WEB, override, '127.0.0.1'],
    [
      'listed for another host',
      { ...PUBLIC_WEB, test_redirects: [{ host: 'other.example', address: '127.0.0.1' }] },
      override,
      '127.0.0.1',
    ],
    ['listed with another address', policy, { host: 'h.example', address: '127.0.0.2' }, '127.0.0.2'],
    ['recorded of another host than the URI names', policy, { host: 'g.example', address: '127.0.0.1' }, '127.0.0.1'],
    ['not followed', policy, override, '10.0.0.5'],
  ])('%s: the connected address is judged', (_, by, dialOverride, connected) => {
    const judged = judgeHop(
      hopTo('http://h.example/', {
        resolved_addresses: [PUBLIC_ADDRESS],
        connected_address: connected,
        dial_override: dialOverride,
      }),
      by,
    );
    expect(judged.result).toBe('outside-address');
    expect(kinds(judged)).toContain('override-unlisted');
  });

  test('an override does not excuse text', () => {
    const any = { ...PUBLIC_WEB, test_redirects: [{ host: '*', address: '127.0.0.1' }] };
    const hop = hopTo('http://localhost/', {
      resolved_addresses: [PUBLIC_ADDRESS],
      connected_address: '127.0.0.1',
      dial_override: { host: 'localhost', address: '127.0.0.1' },
    });
    expect(judgeHop(hop, any).result).toBe('outside-text');
  });
});
