import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Caveat, caveatOf, implies, passes } from '../../src/pcm/caveats.ts';
import type { PcmJudged } from '../../src/pcm/result.ts';
import type { PcmObject, PcmValue } from '../../src/pcm/value.ts';
import { verifyMessage } from '../../src/pcm/verify.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import {
  A,
  bytesOf,
  childOf,
  grantOf,
  keyOf,
  type Members,
  messageOf,
  ROOT_ISSUER,
  receiverOf,
  SCHEMA,
  signed,
  TS,
} from './lab.ts';

const judge = (grants: readonly Members[], body: Members = {}) =>
  verifyMessage(bytesOf(messageOf({ grants: [...grants], ...body })), receiverOf(), null, nativeCrypto) as PcmJudged;
const reasonsOf = (grants: readonly Members[], body: Members = {}) =>
  judge(grants, body).findings.map(
    ({ reason, at }) => `${reason.replace('PCM_GRANT_', '')} ${at.replace('/grants', '')}`,
  );

const C = 'uid:3';
const toC = grantOf({ subject: C });
const amount = (op: string, value: number | string) => ({ caveats: [{ field: 'amount', op, value }] });

it('a person to A; a person to C, and C to A: the root is reported', () => {
  expect(judge([grantOf()]).grants).toEqual({
    result: 'ok',
    steps: 1,
    root: { kind: 'person', id: 'uid:9', person: 'alice' },
    problems: [],
  });
  expect(judge([toC, childOf(toC, { subject: A })]).grants).toMatchObject({ result: 'ok', steps: 2 });
});

it('a chain as long as the bound passes, and one grant more does not', () => {
  const chain = [grantOf()];
  while (chain.length < 33) chain.push(childOf(chain.at(-1)!, { subject: A }));
  expect(judge(chain.slice(0, 32)).grants.result).toBe('ok');
  expect(reasonsOf(chain)).toEqual(['TOO_MANY ']);
});

it.each<[string, readonly Members[], readonly string[]]>([
  ['no person', [grantOf({ issuer: { kind: 'agent', id: 'uid:9', run: 'run-1', tenant: 'default' } })], ['ROOT /0']],
  ['a root to its own issuer', [grantOf({ issuer: { ...ROOT_ISSUER, id: A } })], ['ROOT /0']],
  ['a root that names a parent', [grantOf({ parent: `sha256:${'0'.repeat(64)}` })], ['ROOT /0']],
  [
    'the signature of a message',
    [signed({ ...grantOf(), sig: undefined } as unknown as Members, 'pcm.message.v0')],
    ['SIGNATURE /0'],
  ],
  [
    'another key',
    [signed({ ...grantOf(), sig: undefined } as unknown as Members, 'pcm.grant.v0', keyOf(2, 'other.example'))],
    ['SIGNATURE /0'],
  ],
  ['another intent', [grantOf({ intent: `x@sha256:${'0'.repeat(64)}` })], ['INTENT /0']],
  ['another tenant', [grantOf({ issuer: { ...ROOT_ISSUER, tenant: 'other' } })], ['TENANT /0']],
  ['an expiry at the time of the message', [grantOf({ expires_at: TS })], ['EXPIRED /0']],
  ['another subject', [toC], ['SUBJECT /0']],
  ['args outside a caveat', [grantOf(amount('<=', 4))], ['ARGS /0']],
  ['a caveat on an absent arg', [grantOf({ caveats: [{ field: 'note', op: '==', value: 'x' }] })], ['ARGS /0']],
  ['a caveat on no field', [grantOf({ caveats: [{ field: '__proto__', op: '==', value: 'x' }] })], ['CAVEAT /0']],
  ['an operator of another type', [grantOf(amount('in', 4))], ['CAVEAT /0']],
  ['a value of another type', [grantOf(amount('==', '5'))], ['CAVEAT /0']],
  ['a member too many', [grantOf({ x: 1 })], ['SHAPE /0/x']],
  ['no subject', [grantOf({ subject: '' })], ['SHAPE /0/subject']],
  [
    'a parent that is not delegable',
    [grantOf({ subject: C, delegable: false })].flatMap((root) => [root, childOf(root, { subject: A })]),
    ['LINK /1'],
  ],
  [
    'a child of another grant',
    [toC, childOf(grantOf({ subject: C, delegable: true, ts: '2026-11-30T12:00:11.000000Z' }), { subject: A })],
    ['LINK /1'],
  ],
  [
    'a child by another than its parent is for',
    [toC, childOf(toC, { subject: A, issuer: { kind: 'agent', id: 'uid:4', run: 'run-1', tenant: 'default' } })],
    ['LINK /1'],
  ],
  ['a child that a person issues', [toC, childOf(toC, { subject: A, issuer: { ...ROOT_ISSUER, id: C } })], ['LINK /1']],
  [
    'a child that outlives its parent',
    [toC, childOf(toC, { subject: A, expires_at: '2026-11-30T13:00:00.000001Z' })],
    ['WIDER /1'],
  ],
  ['a child that drops a caveat', [toC, childOf(toC, { subject: A, caveats: [] })], ['WIDER /1']],
  [
    'a child that widens one and adds a floor',
    [
      toC,
      childOf(toC, {
        subject: A,
        caveats: [
          { field: 'amount', op: '<=', value: 11 },
          { field: 'amount', op: '>=', value: 1 },
        ],
      }),
    ],
    ['WIDER /1'],
  ],
  [
    'steps out of order',
    [childOf(toC, { subject: A }), toC],
    ['ROOT /0', 'ROOT /0', 'LINK /1', 'LINK /1', 'SUBJECT /1'],
  ],
])('%s', (_, grants, expected) => {
  expect(reasonsOf(grants)).toEqual(expected);
});

it('tells what is broken in the words of the sources', () => {
  expect(judge([grantOf(amount('<=', 4))]).reasons).toEqual(['grant: grant 0: amount 5 breaks amount <= 4']);
  expect(judge([toC, childOf(toC, { subject: A, caveats: [] })]).reasons).toEqual([
    'grant: grant 1: amount <= 10: dropped or widened',
  ]);
});

it('a schema that asks for a grant is not met by none, nor a chain judged without its schema', () => {
  const schema = { ...SCHEMA, grant: true };
  const none = verifyMessage(bytesOf(messageOf({}, schema)), receiverOf(schema), null, nativeCrypto) as PcmJudged;
  expect([none.grants.result, none.findings.map(({ reason }) => reason)]).toEqual(['failed', ['PCM_GRANT_MISSING']]);
  const unknown = verifyMessage(
    bytesOf(messageOf({ grants: [grantOf()] })),
    receiverOf(schema),
    null,
    nativeCrypto,
  ) as PcmJudged;
  expect(unknown.findings.map(({ reason }) => reason)).toEqual(['PCM_SCHEMA_UNKNOWN', 'PCM_GRANT_CAVEAT']);
});

describe('narrowing, over every pair of caveats of a small world', () => {
  const schema = receiverOf({
    ...SCHEMA,
    fields: {
      n: { type: 'int', min: 0, max: 9 },
      s: { type: 'string', max: 9 },
      b: { type: 'bool' },
      t: { type: 'time' },
    },
  }).schemas[0]!;
  const time = (n: number) => `2026-01-0${n}T00:00:00.000000Z`;
  const of = (field: string, op: string, value: unknown): Caveat =>
    caveatOf({ field, op, value: value as PcmValue }, schema) as Caveat;
  const numbers = ['==', '<=', '>=', '<', '>'].flatMap((op) => [1, 2, 3].map((n) => of('n', op, n)));
  const lists = [['a'], ['b'], ['a', 'b'], ['b', 'c'], ['c', 'b', 'a']].map((values) => of('s', 'in', values));
  const strings = [...['a', 'b', 'c'].map((s) => of('s', '==', s)), ...lists];
  const times = ['==', '<=', '>='].flatMap((op) => [1, 2, 3].map((n) => of('t', op, time(n))));
  const bools = [true, false].map((b) => of('b', '==', b));
  const world = { n: [0, 1, 2, 3, 4], s: ['a', 'b', 'c', 'd'], t: [1, 2, 3, 4].map(time), b: [true, false] };
  const all = [...numbers, ...strings, ...times, ...bools];

  it('what a child allows, a parent that it narrows allows, and the table is complete but for bounds that meet', () => {
    let pairs = 0;
    for (const parent of all)
      for (const child of all) {
        if (parent.field !== child.field) {
          expect(implies(child, parent)).toBe(false);
          continue;
        }
        const values = world[parent.field as keyof typeof world];
        const wider = values.every((value) => {
          const args = { [parent.field]: value } as PcmObject;
          return !passes(child, args, schema) || passes(parent, args, schema);
        });
        // In this world every implication is the table's, except where a bound leaves one value or none.
        const meets = parent.op !== child.op && (child.op === '<=' || child.op === '>=');
        expect([child.text, parent.text, implies(child, parent)]).toEqual([child.text, parent.text, wider && !meets]);
        pairs++;
      }
    expect(pairs).toBe(15 * 15 + 8 * 8 + 9 * 9 + 2 * 2);
  });

  it('narrowing is transitive and each caveat narrows itself', () => {
    const one = fc.constantFrom(...all);
    fc.assert(
      fc.property(one, one, one, (a, b, c) => {
        expect(implies(a, a)).toBe(true);
        if (implies(a, b) && implies(b, c)) expect(implies(a, c)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
