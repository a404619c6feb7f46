import { expect, test } from 'vitest';
import { AsrfPolicy } from '../../../../src/rules/detectors/uri/policy.ts';
import { PUBLIC_WEB } from './policies.ts';

test('a full policy is read as it stands', () => {
  const policy = {
    ...PUBLIC_WEB,
    ports: null,
    hosts: ['allowed.example', '*.sub.example', '[::1]', '1.1.1.1', 'b\u00fccher.example'],
    origins: ['http://127.0.0.1:9999', 'https://h.example'],
    allowed_cidrs: ['10.0.0.0/8', 'fd00::/8'],
    denied_cidrs: ['0.0.0.0/0'],
    test_redirects: [{ host: '*', address: '127.0.0.1' }],
  };
  expect(AsrfPolicy.parse(policy)).toEqual(policy);
});

test.each([
  ['schemes', ['HTTP']],
  ['schemes', ['http:']],
  ['ports', [65_536]],
  ['ports', [80.5]],
  ['hosts', ['']],
  ['hosts', ['*']],
  ['hosts', ['*.']],
  ['hosts', ['a.*.example']],
  ['hosts', ['h.example/path']],
  ['hosts', ['h.example:80']],
  ['hosts', ['user@h.example']],
  ['origins', ['https://h.example/']],
  ['origins', ['https://h.example:443']],
  ['origins', ['HTTPS://h.example']],
  ['allowed_cidrs', ['10.0.0.0']],
  ['denied_cidrs', ['10.0.0.0/33']],
  ['allowed_classes', ['unicast']],
  ['test_redirects', [{ host: 'h.example', address: 'localhost' }]],
  ['test_redirects', [{ host: '', address: '127.0.0.1' }]],
  ['unknown_member', true],
])('%s %j is refused', (member, value) => {
  expect(AsrfPolicy.safeParse({ ...PUBLIC_WEB, [member]: value }).success).toBe(false);
});

test('every member is described, for the documentation is made from it', () => {
  for (const [name, member] of Object.entries(AsrfPolicy.shape)) expect(member.description, name).toMatch(/\.$/);
});
