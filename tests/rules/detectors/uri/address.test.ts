import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyAddress, networkOf } from '../../../../src/rules/detectors/uri/address.ts';
import { judgeAddress } from '../../../../src/rules/detectors/uri/judge.ts';
import { PUBLIC_WEB } from './policies.ts';

describe('classes', () => {
  test.each([
    ['8.8.8.8', 'public'],
    ['169.254.169.254', 'metadata'],
    ['169.254.170.2', 'metadata'],
    ['168.63.129.16', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['192.0.0.192', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['FD00:0EC2:0:0::0254', 'metadata'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['::', 'unspecified'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['9.255.255.255', 'public'],
    ['11.0.0.1', 'public'],
    ['172.15.255.255', 'public'],
    ['172.32.0.0', 'public'],
    ['169.254.0.1', 'link-local'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['fc00::1', 'unique-local'],
    ['fdff::1', 'unique-local'],
    ['224.0.0.1', 'multicast'],
    ['ff02::1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['100.64.0.1', 'carrier-grade-nat'],
    ['100.127.255.255', 'carrier-grade-nat'],
    ['100.128.0.1', 'public'],
    ['192.0.2.1', 'reserved'],
    ['198.18.0.1', 'reserved'],
    ['198.51.100.1', 'reserved'],
    ['203.0.113.1', 'reserved'],
    ['240.0.0.1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['100::1', 'reserved'],
    ['fec0::1', 'reserved'],
    ['::ffff:0:a9fe:a9fe', 'reserved'],
    ['64:ff9b:1::a9fe:a9fe', 'reserved'],
    ['64:ff9b:1::808:808', 'reserved'],
    ['2606:4700::1111', 'public'],
  ])('%s is %s', (text, expected) => expect(classifyAddress(text)?.class).toBe(expected));

  test.each([
    ['2852039166', '169.254.169.254', 'metadata'],
    ['0xA9FEA9FE', '169.254.169.254', 'metadata'],
    ['0251.0376.0251.0376', '169.254.169.254', 'metadata'],
    ['127.1', '127.0.0.1', 'loopback'],
    ['0', '0.0.0.0', 'unspecified'],
    ['010.8.8.8', '8.8.8.8', 'public'],
  ])('the number form %s is %s', (text, address, expected) => {
    expect(classifyAddress(text)).toEqual({ address, judged: address, class: expected });
  });
});

const groups = (a: number, b: number, c: number, d: number): string =>
  `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
const EMBEDDINGS: readonly (readonly [string, (a: number, b: number, c: number, d: number) => string])[] = [
  ['mapped', (...quad) => `::ffff:${groups(...quad)}`],
  ['mapped, dotted', (...quad) => `::ffff:${quad.join('.')}`],
  ['mapped, in full', (...quad) => `0:0:0:0:0:FFFF:${groups(...quad)}`],
  ['mapped, in brackets, with a zone', (...quad) => `[::ffff:${quad.join('.')}%eth0]`],
  ['NAT64', (...quad) => `64:ff9b::${groups(...quad)}`],
  ['NAT64, dotted', (...quad) => `64:ff9b::${quad.join('.')}`],
  ['6to4', (...quad) => `2002:${groups(...quad)}::1`],
  ['Teredo', (a, b, c, d) => `2001:0:4136:e378:8000:63bf:${groups(255 - a, 255 - b, 255 - c, 255 - d)}`],
];

describe('embedded IPv4 addresses', () => {
  const octet = fc.integer({ min: 0, max: 255 });

  test.each(EMBEDDINGS)('%s: judged as the IPv4 address, whatever that is', (_, embed) => {
    const interesting = fc.constantFrom<[number, number, number, number]>(
      [169, 254, 169, 254],
      [8, 8, 8, 8],
      [10, 0, 0, 5],
      [0, 0, 0, 0],
      [0, 0, 0, 1],
      [168, 63, 129, 16],
    );
    fc.assert(
      fc.property(fc.oneof(fc.tuple(octet, octet, octet, octet), interesting), (quad) => {
        const plain = classifyAddress(quad.join('.'))!;
        expect(classifyAddress(embed(...quad))).toMatchObject({ judged: plain.address, class: plain.class });
      }),
    );
  });

  test.each([
    ['::a9fe:a9fe', '169.254.169.254', 'metadata'],
    ['::169.254.169.254', '169.254.169.254', 'metadata'],
    ['::808:808', '8.8.8.8', 'public'],
    ['::2', '0.0.0.2', 'unspecified'],
    ['::1', '::1', 'loopback'],
    ['::0.0.0.1', '::1', 'loopback'],
    ['2001::5601:5601', '169.254.169.254', 'metadata'],
    ['2002:a9fe:a9fe::', '169.254.169.254', 'metadata'],
  ])('%s is judged as %s', (text, judged, expected) => {
    expect(classifyAddress(text)).toMatchObject({ judged, class: expected });
  });

  test('the compatible form keeps its own text', () => {
    expect(classifyAddress('::169.254.169.254')?.address).toBe('::a9fe:a9fe');
  });
});

describe('texts', () => {
  test.each([
    '',
    '[]',
    '%',
    '::%',
    'localhost',
    '256.1.1.1',
    '1.2.3.4.5',
    '1.2.3.4:80',
    '[::1]:80',
    '::1::',
    '1:2:3',
    'gg::1',
    '::ffff:010.8.8.8',
    '::ffff:256.1.1.1',
    '①.1.1.1',
    '1.2.3.4/8',
  ])('%j is no address', (text) => {
    if (text === '::%') expect(classifyAddress(text)?.class).toBe('unspecified');
    else expect(classifyAddress(text)).toBeNull();
  });

  test('a zone id is dropped, in any form', () => {
    for (const zone of ['eth0', '25eth0', '1', 'a/b c'])
      expect(classifyAddress(`fe80::1%${zone}`)).toEqual({
        address: 'fe80::1',
        judged: 'fe80::1',
        class: 'link-local',
      });
  });

  test('long text is refused, not searched', () => {
    expect(classifyAddress('1:'.repeat(1_000_000))).toBeNull();
    expect(classifyAddress('0'.repeat(1_000_000))).toBeNull();
  });

  test('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-fx:.%[\]]{0,50}$/), fc.ipV6(), fc.ipV4Extended()),
        (text) => {
          expect(classifyAddress(text)).toSatisfy((result: unknown) => result === null || typeof result === 'object');
        },
      ),
    );
  });

  test('every address has a class, and its canonical text has the same one', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const classified = classifyAddress(text)!;
        expect(classifyAddress(classified.address)).toEqual(classified);
      }),
    );
  });
});

describe('by a policy', () => {
  const policy = {
    ...PUBLIC_WEB,
    allowed_cidrs: ['10.1.0.0/16', 'fd00:1::/32'],
    denied_cidrs: ['93.184.0.0/16', '10.1.2.0/24', '2002::/16'],
  };
  test.each([
    ['8.8.8.8', true, 'class public'],
    ['10.0.0.1', false, 'class private'],
    ['10.1.0.1', true, 'allowed network 10.1.0.0/16'],
    ['::ffff:10.1.0.1', true, 'embeds 10.1.0.1'],
    ['64:ff9b::10.1.0.1', true, 'embeds 10.1.0.1'],
    ['10.1.2.3', false, 'denied network 10.1.2.0/24'],
    ['93.184.216.34', false, 'denied network 93.184.0.0/16'],
    ['64:ff9b::93.184.216.34', false, 'denied network 93.184.0.0/16'],
    ['2002:808:808::1', false, 'denied network 2002::/16'],
    ['fd00:1::5', true, 'allowed network fd00:1::/32'],
    ['fd00:2::5', false, 'class unique-local'],
    ['not an address', false, 'not an IP address'],
  ])('%s', (address, inside, why) => {
    const judged = judgeAddress(address, policy);
    expect(judged.inside).toBe(inside);
    expect(judged.explanation).toContain(why);
  });

  test('both addresses are printed', () => {
    expect(judgeAddress('::ffff:169.254.169.254', PUBLIC_WEB).explanation).toBe(
      'address ::ffff:a9fe:a9fe, which embeds 169.254.169.254, is of class metadata, which is not allowed',
    );
  });

  test('networks of the other family never match', () => {
    expect(networkOf('10.0.0.1', ['::/0'])).toBeNull();
    expect(networkOf('10.0.0.1', ['::/0', '0.0.0.0/0'])).toBe('0.0.0.0/0');
  });
});
