import { describe, expect, test } from 'vitest';
import { classifyAddress } from '../../../../src/rules/detectors/uri/address.ts';
import { judgeHop } from '../../../../src/rules/detectors/uri/hop.ts';
import { judgeUri } from '../../../../src/rules/detectors/uri/judge.ts';
import { canonicalHost, internalName } from '../../../../src/rules/detectors/uri/names.ts';
import { hopTo, outsideBy, PUBLIC_ADDRESS, PUBLIC_WEB, tableRows } from './policies.ts';

const rows = tableRows('urls.tsv').filter(([id]) => id !== 'id');

describe('the table of reported URLs', () => {
  test('every row is read', () => expect(rows).toHaveLength(49));

  test.each(rows)('%s %s', (_, json, host, className, verdict) => {
    const uri = JSON.parse(json!) as string;
    const text = judgeUri(uri, PUBLIC_WEB);
    const [whatwg] = text.readings;

    if (host !== 'FAIL' && host !== 'NOBASE') expect(whatwg!.host).toBe(host === '' ? null : canonicalHost(host!));
    if (className!.startsWith('name'))
      expect(internalName(whatwg!.host!) ?? 'other').toBe(className!.split('.')[1] ?? 'other');
    else if (className === 'scheme' || className === 'unparsable' || className === 'relative')
      expect(whatwg!.by).toBe(className);
    else expect(classifyAddress(whatwg!.address!)!.class).toBe(className);

    const connected = judgeHop(hopTo(uri, { connected_address: whatwg!.address ?? PUBLIC_ADDRESS }), PUBLIC_WEB);
    const unseen = judgeHop(hopTo(uri), PUBLIC_WEB);
    const failed = judgeHop(hopTo(uri, { outcome: 'connect_failed' }), PUBLIC_WEB);
    const blocked = judgeHop(hopTo(uri, { outcome: 'blocked_by_guard' }), PUBLIC_WEB);
    expect(blocked.result).toBe('blocked');
    expect(failed.result).toBe(unseen.result);
    switch (verdict) {
      case 'outside':
        expect([connected.result, unseen.result]).toEqual(['outside-text', 'outside-text']);
        break;
      case 'inside':
        expect([connected.result, unseen.result]).toEqual(['inside', 'address-unseen']);
        break;
      case 'by-address':
        expect([connected.result, unseen.result]).toEqual(['inside', 'address-unseen']);
        expect(judgeHop(hopTo(uri, { connected_address: '127.0.0.1' }), PUBLIC_WEB).result).toBe('outside-address');
        break;
      case 'inconclusive':
        expect([connected.result, unseen.result]).toEqual(['unjudgeable', 'unjudgeable']);
        break;
      case 'not-allowlisted': {
        const listed = { ...PUBLIC_WEB, hosts: ['allowed.example'] };
        expect(judgeHop(hopTo(uri, { connected_address: PUBLIC_ADDRESS }), listed).result).toBe('outside-text');
        break;
      }
      default:
        expect.unreachable(`verdict ${verdict}`);
    }
  });
});

describe('what must be classed', () => {
  test.each([
    'http://2852039166/',
    'http://0xA9FEA9FE/',
    'http://0251.0376.0251.0376/',
    'http://①⑥⑨.254.169.254/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[::a9fe:a9fe]/',
    'http://[2002:a9fe:a9fe::]/',
    'http://127.1/',
    'http://0/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://169.254.169.254./',
    'http://169.254.169.254。/',
    'http://allowed.example@169.254.169.254/',
    'http://allowed.example:80@169.254.169.254/',
    'http://allowed.example%2F@169.254.169.254/',
    'http://169.254.169.254#@allowed.example/',
    'http://169.254.169.254?@allowed.example/',
    'http:169.254.169.254',
    'http:///169.254.169.254/',
    'ht\ntp://169.254.\t169.254/',
    'http://0x7f.0x0.0x0.0x1/',
    'http://127.0.0.1.:80/',
    'http://[::127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://[2001::5601:5601]/',
  ])('%j is outside by its address', (uri) => expect(outsideBy(uri)).toBe('address'));

  test.each([
    'http://metadata.google.internal/',
    'http://METADATA.google.INTERNAL./',
    'http://metadata.goog/',
    'http://metadata.goog./',
    'http://metadata。google。internal/',
    'http://%6detadata.google.internal/',
    'http://metadata/computeMetadata/v1/',
    'http://instance-data/',
    'http://instance-data.ec2.internal/',
    'http://localhost./',
    'http://a.b.localhost/',
    'http://a.localhost./',
    'http://localhost.localdomain/',
    'http://ip6-localhost/',
    'http://local\thost/',
    'http://ⓛocalhost/',
    'http://user:pw@localhost/',
  ])('%j is outside by its name', (uri) => expect(outsideBy(uri)).toBe('host'));

  test.each([
    'gopher://h.example/_x',
    'file:///etc/passwd',
    'view-source:http://h.example/',
    'jar:http://h.example!/',
    'dict://h.example/',
    'ftp://h.example/',
    'data:,x',
    'javascript:1',
    'blob:http://h.example/1',
    'about:blank',
    'ws://h.example/',
  ])('%j is outside by its scheme', (uri) => expect(outsideBy(uri)).toBe('scheme'));

  test.each(['http://h.example:6379/', 'https://h.example:22/', 'http://h.example:0/', 'http://h.example:000801/'])(
    '%j is outside by its port',
    (uri) => expect(outsideBy(uri)).toBe('port'),
  );

  test.each([
    'http://localhost.example/',
    'http://notlocalhost/',
    'http://localhost-a/',
    'http://xmetadata.google.internal/',
    'http://metadata.google.internal.example/',
    'http://metadata.goog.example/',
    'http://127.0.0.1.example/',
    'http://h.example:80/',
    'https://h.example:443/',
    'http://h.example:443/',
    'http://h.example/?u=http://127.0.0.1/',
    'http://h.example/@127.0.0.1/',
    'http://h.example/\\127.0.0.1/',
    'http://h.example/a\tb',
    'http://1.1.1.1/',
    'http://[2606:4700::1111]/',
  ])('%j is inside', (uri) =>
    expect(judgeUri(uri, PUBLIC_WEB)).toMatchObject({ at: 'inside', readings: [{ at: 'inside', by: null }] }),
  );

  test.each([
    ['http://b\u00fccher.example/', 'http://xn--bcher-kva.example/'],
    ['http://B\u00dcCHER.example/', 'http://bu\u0308cher.example./'],
    ['http://b%C3%BCcher.example/', 'http://xn--BCHER-KVA.example/'],
  ])('one IDN spelled two ways: %s, %s', (one, other) => {
    for (const pattern of ['b\u00fccher.example', 'xn--bcher-kva.example']) {
      const policy = { ...PUBLIC_WEB, hosts: [pattern] };
      expect(judgeUri(one, policy).at).toBe('inside');
      expect(judgeUri(other, policy).at).toBe('inside');
      expect(judgeUri('http://bucher.example/', policy).at).toBe('outside');
    }
  });
});
