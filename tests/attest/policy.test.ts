import { describe, expect, it } from 'vitest';
import { compileAskPattern } from '../../src/attest/ask-pattern.ts';
import { PolicyDocument, policyOf } from '../../src/attest/policy.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { refusalOf, sharedLab } from './lab.ts';

const found = (pattern: string, text: string): boolean | string => {
  const compiled = compileAskPattern(pattern);
  return typeof compiled === 'string' ? compiled : compiled(text);
};
const policy = (document: object) => policyOf(PolicyDocument.parse({ tools: {}, ...document }), nativeCrypto);
const decide = (document: object, tool: string, args = '{}') => {
  const made = policy(document);
  if (typeof made === 'string') throw new Error(made);
  return made.decide(tool, args);
};

describe('the pattern of an ask rule', () => {
  it.each([
    ['^', '', true],
    ['', 'x', true],
    ['$', 'x', true],
    ['^$', '', true],
    ['^$', 'x', false],
    ['sudo', '{"command":"sudo ls"}', true],
    ['sudo', '{"command":"ls"}', false],
    ['^sudo', 'a sudo', false],
    ['^\\{"a"', '{"a":1}', true],
    ['sudo$', 'a sudo', true],
    ['sudo$', 'sudo a', false],
    ['\\$', 'a$b', true],
    ['\\\\$', 'a\\', true],
    ['rm|mv', 'an mv here', true],
    ['^(?:rm|mv)', 'an mv', false],
    ['[|]', 'a|b', true],
    ['x', 'a\u2028x\u2029b', true],
    ['^a.c$', 'abc', true],
  ])('%j is found in %j: %j', (pattern, text, expected) => {
    expect(found(pattern, text)).toBe(expected);
  });

  it.each(['^rm|mv', 'rm|mv$'])('%j, which would be read in two ways, is refused', (pattern) => {
    expect(found(pattern, '')).toBe('write the choice in a group, so that ^ and $ hold for all of it');
  });

  it.each(['(a', '(?=a)', 'a**', '\\1'])('%j is outside the dialect', (pattern) => {
    expect(typeof compileAskPattern(pattern)).toBe('string');
  });

  it('ends on what makes a matcher that backtracks hang', () => {
    expect(found('(?:a*)*b$', 'a'.repeat(10_000))).toBe(false);
  });
});

describe('a policy', () => {
  const document = {
    tools: { ls: 'app', Bash: 'shell' },
    ask: [
      { id: 'R1', tool: 'Bash', pattern: 'sudo' },
      { id: 'R2', tool: 'Bash', pattern: '^' },
    ],
  };
  it.each([
    ['ls', '{}', 'allow', []],
    ['Bash', '{"command":"sudo"}', 'ask', ['R1', 'R2']],
    ['Bash', '{}', 'ask', ['R2']],
    ['other', '{}', 'deny', []],
    ['toString', '{}', 'deny', []],
  ])('decides %s %s', (tool, args, decision, ruleIds) => {
    expect(decide(document, tool, args)).toEqual({ decision, ruleIds });
  });

  it.each(['allow', 'flag', 'deny', 'ask'] as const)('decides %s for tools that it does not know', (decision) => {
    expect(decide({ unknown_tools: decision }, 'other').decision).toBe(decision);
  });

  it('has one hash for one document', () => {
    const [a, b, c] = [policy(document), policy({ ...document }), policy({ ...document, unknown_tools: 'flag' })];
    const hash = (made: typeof a) => (typeof made === 'string' ? made : made.hash);
    expect([hash(a) === hash(b), hash(a) === hash(c)]).toEqual([true, false]);
  });

  it.each([
    [{ tools: { Bash: 'http' } }, 'it places Bash as http, which PCM 0.1 places as shell'],
    [{ ask: [{ id: 'R', tool: 'x', pattern: '(' }] }, 'the pattern of the ask rule R is refused: '],
  ])('%j is refused', (wrong, text) => {
    expect(policy(wrong)).toContain(text);
  });
});

describe('a call', () => {
  const shared = sharedLab();
  it.each<[string, object, string]>([
    ['without an id', { tool: 'ls', args: {} }, 'invalid_request: /call'],
    ['with an id of other characters', { call: 'a b', tool: 'ls', args: {} }, 'the id of a call is 1 to 128 letters'],
    [
      'with args that are no object',
      { call: 'c', tool: 'ls', args: [] },
      'invalid_request: /args: an object is expected',
    ],
    [
      'with a member more',
      { call: 'c', tool: 'ls', args: {}, decision: 'allow' },
      '/decision: there is no such member',
    ],
    ['of a tool with a long name', { call: 'c', tool: 'x'.repeat(257), args: {} }, 'invalid_request: /tool'],
    [
      'that nobody could read',
      { call: 'c', tool: 'pay', args: { amount: 1, x: 'x'.repeat(20_000) } },
      'nobody can be asked to read them',
    ],
  ])('%s is refused', async (_, params, text) => {
    const run = await shared().run();
    expect(await refusalOf(run.call('decide', params as never))).toContain(text);
    expect(await run.read()).toHaveLength(1);
  });

  it('is decided, flagged and denied with its reason, and its args are a commitment', async () => {
    const run = await shared().run();
    await run.decide('ls', { in: '/' }, { call: 'c' });
    expect(await refusalOf(run.decide('unknown', {}))).toBe('forbidden: the policy denies unknown');
    expect((await run.read()).slice(1)).toMatchObject([
      {
        type: 'policy.decision',
        source: 'sdk',
        data: { tool: 'ls', decision: 'allow', args_commitment: expect.stringMatching(/^hmac-sha256:/) },
      },
      { type: 'policy.decision', data: { tool: 'unknown', decision: 'deny' } },
    ]);
  });

  it('has one result, of a decision that allows it', async () => {
    const run = await shared().run();
    await run.decide('ls', {}, { call: 'c' });
    await run.complete('c', true);
    expect(await refusalOf(run.complete('c', true))).toBe('invalid_request: the call c has its result already');
    expect(await refusalOf(run.complete('none', true))).toBe(
      'invalid_request: the run has no call none: ask for its decision first',
    );
    await refusalOf(run.decide('unknown', {}, { call: 'd' }));
    expect(await refusalOf(run.complete('d', true))).toBe('forbidden: the policy denied the call d: it has no result');
    await run.call('decide', { call: 'p', tool: 'pay', args: { amount: 1 } });
    expect(await refusalOf(run.complete('p', true))).toBe(
      'forbidden: the call p waits for an approval: consume it before the call is made',
    );
    expect(await refusalOf(run.decide('ls', {}, { call: 'c' }))).toBe(
      'invalid_request: the run has a call c already: give each call an id of its own',
    );
  });

  it('is not taken once the run has ended', async () => {
    const run = await shared().run();
    await run.end();
    for (const work of [run.decide('ls', {}), run.send('token:b', `x@sha256:${'0'.repeat(64)}`, {})])
      expect(await refusalOf(work)).toBe(`invalid_request: the run ${run.id} has ended: begin another`);
    expect(await refusalOf(run.end())).toContain('has ended already');
    expect((await run.evidence([0])).records).toHaveLength(1);
  });
});
