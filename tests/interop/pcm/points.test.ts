import { expect, test } from 'vitest';
import type { PcmJudged } from '../../../src/pcm/result.ts';
import { nativeCrypto } from '../../../src/store/native-crypto.ts';
import {
  ATTESTED,
  callOf,
  eventOf,
  evidenceOf,
  grantOf,
  LOG,
  type Members,
  messageOf,
  refOf,
  sha256Text,
  TS,
} from '../../pcm/lab.ts';
import { outcomeOf, type Vector } from '../../pcm/vectors.ts';
import { describeWithPython } from '../support/python.ts';
import { disagreements } from './differential.ts';

const PLAIN: Members = { pcm_schema: 0, name: 'done', fields: {} };
const caseOf = (name: string, body: Members, schema = PLAIN): Vector => ({
  name,
  text: JSON.stringify(messageOf({ intent: { type: refOf(schema), args: {} }, ...body }, schema)),
  trust: { logs: [LOG.vkey] },
  schemas: [schema],
  me: 'uid:2',
  now: TS,
  strict: false,
  replay: null,
  expected: {},
  firm: [],
});

type Evidence = ReturnType<typeof evidenceOf>;
const claim = (name: string, type: string, args: Members, evidence: Evidence): Vector =>
  caseOf(name, { claims: [{ type, args, evidence }] });
const called = (tool: string, args: Members): Evidence => {
  const { events, opened } = callOf(tool, args, ATTESTED);
  return evidenceOf(events, opened);
};
const fetched = (host: string, url: string): Vector =>
  claim(`${url} for ${host}`, 'reached_host', { host }, called('WebFetch', { url }));
const seen = (name: string, data: Members): Vector =>
  claim(
    name,
    'reached_host',
    { host: 'a.example' },
    evidenceOf([eventOf(0, 'effect.observed', { host: 'a.example', ...data }, { source: 'signer' })]),
  );
const written = (path: string, file_path: string, tool = 'Write'): Vector =>
  claim(
    `${tool} ${file_path} for ${path}`,
    'file_written',
    { path, digest: sha256Text('x') },
    called(tool, { file_path, content: 'x' }),
  );
const ran = (suite: string): Vector =>
  claim(JSON.stringify(suite), 'tests_passed', { suite }, called('Bash', { command: suite }));

const honest = called('Bash', { command: 'pytest' });
const cited = (name: string, evidence: Evidence): Vector => claim(name, 'tests_passed', { suite: 'pytest' }, evidence);
const record = (changes: Members): Evidence => ({
  ...honest,
  records: [{ ...honest.records[0]!, ...changes }, honest.records[1]!],
});
const { salt: _salt, ...unsalted } = honest.records[0]!;
const stranger = `— other.example ${Buffer.alloc(68, 1).toString('base64')}\n`;

/** Where the second verifier, or ours, was first written otherwise: what the page says now. */
const POINTS: readonly (readonly [Vector, string])[] = [
  [fetched('2001:db8::1', 'http://[2001:db8:0:0:0:0:0:1]/'), 'PCM_CLAIM_PROVEN'],
  [fetched('1.2.3.4', 'http://[::ffff:1.2.3.4]/'), 'PCM_CLAIM_PROVEN'],
  [fetched('1.2.3.4', 'http://1.2.3.4./'), 'PCM_CLAIM_HOST_UNTOLD'],
  [fetched('a.example', 'http://a.example./'), 'PCM_CLAIM_PROVEN'],
  [fetched('a.example', 'http://a.example:80:90/'), 'PCM_CLAIM_PROVEN'],
  [fetched('a.example', 'http://[b]@a.example/'), 'PCM_CLAIM_HOST_UNTOLD'],
  [seen('an attempt', { kind: 'connect' }), 'PCM_CLAIM_ATTEMPT'],
  [seen('an attempt that was denied', { kind: 'connect', denied: true }), 'PCM_CLAIM_NOT_SAID'],
  [seen('one and a half connections', { kind: 'net', connections: 1.5 }), 'PCM_CLAIM_NO_CONNECTION'],
  [seen('connections that nobody counted', { kind: 'net' }), 'PCM_CLAIM_NO_CONNECTION'],
  [written('/repo/a', '/repo/a', 'Edit'), 'PCM_CLAIM_NOT_SAID'],
  [written('C:/repo/a', '/repo/a'), 'PCM_CLAIM_PATH_UNTOLD'],
  [written('C:/repo/a', 'C:repo\\a'), 'PCM_CLAIM_PATH_UNTOLD'],
  [written('C:/repo/a', 'D:/../repo/a'), 'PCM_CLAIM_NOT_SAID'],
  [written('/repo/a', 'C:/../repo/a'), 'PCM_CLAIM_PATH_UNTOLD'],
  [ran('pytest a\u0085b'), 'PCM_CLAIM_PROVEN'],
  [ran('pytest a\u000bb'), 'PCM_CLAIM_MALFORMED'],
  [cited('args without salt', { ...honest, records: [unsalted, honest.records[1]!] }), 'PCM_EVIDENCE_OPENING'],
  [cited('an event of another shape, and another hash', record({ event: {} })), 'PCM_EVIDENCE_EVENT'],
  [cited('a strange key that signs', { ...honest, checkpoint: honest.checkpoint + stranger }), 'PCM_CLAIM_PROVEN'],
  [
    cited('a strange key that signs twice', { ...honest, checkpoint: honest.checkpoint + stranger + stranger }),
    'PCM_EVIDENCE_CHECKPOINT',
  ],
];

const child: Members = { ...grantOf({}, PLAIN), parent: 'sha256:AB' };
const intent = (type: string): Members => ({ intent: { type, args: {} } });
const MESSAGES: readonly (readonly [Vector, string])[] = [
  [caseOf('a child of another shape', { grants: [grantOf({ caveats: [] }, PLAIN), child] }), 'PCM_GRANT_SHAPE'],
  [
    caseOf('a grant of an intent that is none', { grants: [grantOf({ caveats: [], intent: 'x' }, PLAIN)] }),
    'PCM_GRANT_INTENT',
  ],
  [caseOf('an intent with a space', intent(`a b@sha256:${'0'.repeat(64)}`)), 'PCM_SCHEMA_UNKNOWN'],
  [caseOf('an intent without a hash', intent('done')), 'PCM_ENVELOPE'],
];

const titled = (points: typeof POINTS) => points.map(([vector, reason]) => [vector.name, reason, vector] as const);

test.each(titled(POINTS))('%s: %s', (_, reason, vector) => {
  expect((outcomeOf(vector, nativeCrypto) as PcmJudged).claims.map((claimed) => claimed.reason)).toEqual([reason]);
});

test.each(titled(MESSAGES))('%s: %s', (_, reason, vector) => {
  expect((outcomeOf(vector, nativeCrypto) as PcmJudged).findings.map((found) => found.reason)).toEqual([reason]);
});

describeWithPython('the second verifier, where the page once left a choice', () => {
  test('reads each point as ours does', async () => {
    expect(await disagreements([...POINTS, ...MESSAGES].map(([vector]) => vector))).toEqual([]);
  });
});
