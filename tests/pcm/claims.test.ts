import { describe, expect, it } from 'vitest';
import type { PcmJudged } from '../../src/pcm/result.ts';
import { verifyMessage } from '../../src/pcm/verify.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { claimOf, type Evidence, judge } from './judged.ts';
import {
  ATTESTED,
  bytesOf,
  callOf,
  eventOf,
  evidenceOf,
  type Members,
  messageOf,
  receiverOf,
  refOf,
  SCHEMA,
  sha256Text,
} from './lab.ts';

const proof = ({ events, opened }: ReturnType<typeof callOf>) => evidenceOf(events, opened);
const PYTEST = { suite: 'pytest -q' };
const ran = (tool = 'Bash', command = 'pytest -q', result: Members = ATTESTED, more = {}) =>
  callOf(tool, { command }, result, more);

describe('tests_passed', () => {
  it.each<[string, Evidence, string, string]>([
    ['an attested run', proof(ran()), 'proven', 'PROVEN'],
    ["the agent's own report", proof(ran('Bash', 'pytest -q', {})), 'unproven', 'AGENT_WORD'],
    ['a tier the agent wrote into its data', proof(ran('Bash', 'pytest -q', { tier: 'T2' })), 'unproven', 'AGENT_WORD'],
    ['a gateway that states no tier', proof(ran('Bash', 'pytest -q', { source: 'gateway' })), 'unproven', 'AGENT_WORD'],
    ['a tool that is not placed', proof(ran('my_shell')), 'unproven', 'UNPLACED_TOOL'],
    ['a tool placed as http', proof(ran('WebFetch')), 'unproven', 'UNPLACED_TOOL'],
    ['another command', proof(ran('Bash', 'pytest -q x')), 'failed', 'NOT_SAID'],
    ['a run that failed', proof(ran('Bash', 'pytest -q', ATTESTED, { ok: false })), 'failed', 'NOT_SAID'],
    ['a run that was denied', proof(ran('Bash', 'pytest -q', ATTESTED, { decision: 'deny' })), 'failed', 'NOT_SAID'],
    ['a decision that is not opened', evidenceOf(ran().events), 'failed', 'NOT_SAID'],
    ['a decision alone', evidenceOf(ran().events.slice(0, 1), ran().opened), 'failed', 'NOT_SAID'],
    ['no evidence', undefined, 'unproven', 'NO_EVIDENCE'],
    ['null evidence', null, 'unproven', 'NO_EVIDENCE'],
  ])('%s: %s', (_, evidence, result, reason) => {
    expect(claimOf('tests_passed', PYTEST, evidence)).toEqual([result, reason]);
  });

  it('the age is from the oldest record, also of one that says nothing', () => {
    const { events, opened } = ran();
    const old = { ...eventOf(2, 'note', {}), ts: '2026-11-30T11:59:00.500000Z' };
    const { claims } = judge({
      claims: [{ type: 'tests_passed', args: PYTEST, evidence: evidenceOf([...events, old], opened) }],
    });
    expect(claims[0]!.evidence_age_s).toBe(69.5);
  });
});

describe('file_written', () => {
  const digest = sha256Text('hello');
  const wrote = (args: Members, tool = 'Write', result: Members = ATTESTED) =>
    proof(callOf(tool, { content: 'hello', ...args }, result));
  const path = '/repo/a.py';
  it.each<[string, Evidence, string, string]>([
    ['an attested write', wrote({ file_path: path }), 'proven', 'PROVEN'],
    ['a path under its other name', wrote({ path }), 'proven', 'PROVEN'],
    ['file_path before path', wrote({ file_path: '/x', path }), 'failed', 'NOT_SAID'],
    ["the agent's own report", wrote({ file_path: path }, 'Write', {}), 'unproven', 'AGENT_WORD'],
    ['a relative path', wrote({ file_path: 'a.py' }), 'unproven', 'PATH_UNTOLD'],
    ['another path', wrote({ file_path: '/repo/b.py' }), 'failed', 'NOT_SAID'],
    ['no path', wrote({}), 'failed', 'NOT_SAID'],
    ['other bytes', wrote({ file_path: path, content: 'hellO' }), 'failed', 'NOT_SAID'],
    ['another tool', wrote({ file_path: path }, 'Edit'), 'failed', 'NOT_SAID'],
  ])('%s: %s', (_, evidence, result, reason) => {
    expect(claimOf('file_written', { path, digest }, evidence)).toEqual([result, reason]);
  });
});

describe('reached_host', () => {
  const host = 'api.example.com';
  const effect = (data: Members, more: Members = { source: 'signer' }) =>
    evidenceOf([eventOf(0, 'effect.observed', { port: 443, host, ...data }, more)]);
  const fetched = (url: string, tool = 'WebFetch', result: Members = ATTESTED, more = {}) =>
    proof(callOf(tool, { url }, result, more));
  it.each<[string, Evidence, string, string]>([
    ['a connection', effect({ kind: 'net', connections: 2 }), 'proven', 'PROVEN'],
    ['no connection', effect({ kind: 'net', connections: 0 }), 'unproven', 'NO_CONNECTION'],
    ['an effect the signer did not write', effect({ kind: 'net', connections: 2 }, {}), 'failed', 'NOT_SAID'],
    ['an attempt', effect({ kind: 'connect', sensor: 'tetragon' }), 'unproven', 'ATTEMPT'],
    ['an attempt that was denied', effect({ kind: 'connect', sensor: 'tetragon', denied: true }), 'failed', 'NOT_SAID'],
    ['a connection to another', effect({ kind: 'net', connections: 2, host: 'b.example' }), 'failed', 'NOT_SAID'],
    [
      'a connection to a host that cannot be told',
      effect({ kind: 'net', connections: 2, host: '0127.0.0.1' }),
      'unproven',
      'HOST_UNTOLD',
    ],
    ['a fetch', fetched('https://api.example.com/x'), 'proven', 'PROVEN'],
    ['a fetch the agent reports', fetched('https://api.example.com/x', 'WebFetch', {}), 'unproven', 'AGENT_WORD'],
    ['a fetch by another tool', fetched('https://api.example.com/x', 'curl'), 'unproven', 'UNPLACED_TOOL'],
    [
      'a fetch that failed',
      fetched('https://api.example.com/x', 'WebFetch', ATTESTED, { ok: false }),
      'failed',
      'NOT_SAID',
    ],
    ['a fetch of a URL that cannot be told', fetched('api.example.com/x'), 'unproven', 'HOST_UNTOLD'],
    ['a fetch of a file', fetched('file://api.example.com/x'), 'failed', 'NOT_SAID'],
    ['a fetch of another', fetched('https://api.example.com.evil.example/'), 'failed', 'NOT_SAID'],
  ])('%s: %s', (_, evidence, result, reason) => {
    expect(claimOf('reached_host', { host }, evidence)).toEqual([result, reason]);
  });

  it('a claimed host that cannot be told is doubt', () => {
    expect(claimOf('reached_host', { host: '0127.0.0.1' }, effect({ kind: 'net', connections: 2 }))).toEqual([
      'unproven',
      'HOST_UNTOLD',
    ]);
  });
});

it.each<[string, Members]>([
  ['tests_passed', {}],
  ['tests_passed', { suite: 1 }],
  ['tests_passed', { suite: 'true' }],
  ['tests_passed', { suite: 'pytest', x: 1 }],
  ['approved_by', { person: 'alice' }],
  ['approved_by', { person: 'alice', call: 'c', covers: 'yes' }],
  ['approved_by', { person: 'alice', call: 'c', covers: null }],
  ['reached_host', { host: 'A.example' }],
  ['file_written', { path: 'a', digest: `sha256:${'0'.repeat(64)}` }],
  ['file_written', { path: '/a', digest: `sha256:${'A'.repeat(64)}` }],
])('%s %j is malformed, with and without evidence', (type, args) => {
  expect(claimOf(type, args, undefined)).toEqual(['failed', 'MALFORMED']);
  expect(claimOf(type, args, proof(ran()))).toEqual(['failed', 'MALFORMED']);
});

it.each(['ran_fast', '__proto__', 'toString'])('the claim type %s is unknown', (type) => {
  expect(claimOf(type, {}, proof(ran()))).toEqual(['failed', 'UNKNOWN_TYPE']);
});

it('one proof of a listed type is enough; one doubt keeps the verdict from accept; strict asks for the proof alone', () => {
  const schema = { ...SCHEMA, claims: ['tests_passed'] };
  const claims = [
    { type: 'tests_passed', args: PYTEST, evidence: proof(ran()) },
    { type: 'tests_passed', args: PYTEST },
  ];
  const verdict = (body: Members, strict: boolean) =>
    verifyMessage(bytesOf(messageOf(body, schema)), { ...receiverOf(schema), strict }, null, nativeCrypto).verdict;
  expect([verdict({ claims }, true), verdict({ claims: claims.slice(0, 1) }, true)]).toEqual([
    'accept-unproven',
    'accept',
  ]);
  expect([verdict({ claims: claims.slice(1) }, true), verdict({}, true), verdict({}, false)]).toEqual([
    'reject',
    'reject',
    'accept-unproven',
  ]);
});

it('level 1 proves nothing, and still refuses what is malformed', () => {
  const claims = [
    { type: 'tests_passed', args: PYTEST, evidence: proof(ran()) },
    { type: 'tests_passed', args: { suite: 'true' } },
  ];
  const outcome = verifyMessage(
    bytesOf(messageOf({ claims })),
    { ...receiverOf(), level: 1 },
    null,
    nativeCrypto,
  ) as PcmJudged;
  expect(outcome.claims.map(({ result, reason }) => [result, reason])).toEqual([
    ['unproven', 'PCM_CLAIM_LEVEL_1'],
    ['failed', 'PCM_CLAIM_MALFORMED'],
  ]);
});

it('the schema ref printed by the sources is that of its document', () => {
  const document = {
    pcm_schema: 0,
    name: 'refund.request',
    fields: {
      amount: { type: 'money', currency: 'USD', max: 1000000 },
      order: { type: 'int', min: 1, max: 999999999 },
    },
    claims: ['approved_by'],
    grant: true,
  };
  const ref = 'refund.request@sha256:d8636b6fbbd07430d057ea9ead9c27f0df1b918b10d34ab9257a4971d487846c';
  expect([receiverOf(document).schemas[0]!.ref, refOf(document)]).toEqual([ref, ref]);
});
