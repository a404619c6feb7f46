import { describe, expect, it } from 'vitest';
import type { Extensions } from '../../../src/pcm/extensions/options.ts';
import { pcmLine } from '../../../src/pcm/text.ts';
import { type Members, SCHEMA, sha256Text } from '../lab.ts';
import {
  at,
  call,
  claimOf,
  evidenceFrom,
  FILE,
  head,
  host,
  judge,
  note,
  PROVEN,
  plainly,
  type Step,
  suite,
  T1,
  TESTS,
  write,
} from './lab.ts';

const TREE = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const begun = note('run.start');
const ran = (git_tree: Members | null, more = {}): readonly Step[] => [
  ...begun,
  ...suite({ ...more, result: git_tree === null ? {} : { git_tree } }),
  ...head(),
];

describe('the tree of a suite', () => {
  it.each<[string, Members | null, readonly string[]]>([
    ['this tree', { before: TREE, after: TREE }, PROVEN],
    ['another', { before: OTHER, after: OTHER }, ['unproven', 'PCM_TREE_OTHER']],
    ['this tree, which then changed', { before: TREE, after: OTHER }, ['unproven', 'PCM_TREE_CHANGED']],
    ['another, which became this', { before: OTHER, after: TREE }, ['unproven', 'PCM_TREE_CHANGED']],
    ['none', { none: 'no git repository' }, ['unproven', 'PCM_TREE_NONE']],
    ['half of one', { before: TREE }, ['unproven', 'PCM_TREE_NONE']],
    ['no text', { before: 1, after: 1 }, ['unproven', 'PCM_TREE_NONE']],
    ['nothing', null, ['unproven', 'PCM_TREE_NONE']],
  ])('that ran on %s', (_, git_tree, expected) => {
    expect(claimOf(TESTS, ran(git_tree), { tree: TREE })).toEqual(expected);
    expect(claimOf(TESTS, ran(git_tree), { fresh: {} })).toEqual(PROVEN);
    expect(plainly(TESTS, ran(git_tree))).toBe('proven');
  });

  const on = (tree: string, ok = true) => suite({ ok, result: { git_tree: { before: tree, after: tree } } });
  it.each<[string, readonly Step[], Extensions, readonly string[]]>([
    ['one of two runs was on it', [...on(TREE), ...on(OTHER)], { tree: TREE }, PROVEN],
    [
      'one of two runs was on it, and no later one failed',
      [...on(TREE), ...on(OTHER), ...head()],
      { tree: TREE, fresh: {} },
      PROVEN,
    ],
    [
      'the run on it was undone, and that on another was not',
      [...on(TREE), ...on(TREE, false), ...on(OTHER), ...head()],
      { tree: TREE, fresh: {} },
      ['unproven', 'PCM_TREE_OTHER'],
    ],
    [
      'a run on another was undone',
      [...on(OTHER), ...on(OTHER, false), ...head()],
      { tree: TREE, fresh: {} },
      ['failed', 'PCM_FRESH_LATER_RUN'],
    ],
    [
      'a failed run alone was on it',
      [...on(TREE, false), ...on(OTHER)],
      { tree: TREE },
      ['unproven', 'PCM_TREE_OTHER'],
    ],
  ])('is enough of one call: %s', (_, steps, asked, expected) => {
    expect(claimOf(TESTS, [...begun, ...steps], asked)).toEqual(expected);
  });

  it('asks nothing of a file, but is missed in a message without a suite', () => {
    const evidence = evidenceFrom([...begun, ...write('good')]) as unknown as Members;
    const judged = judge([{ ...FILE, evidence }], { tree: TREE });
    expect([judged.verdict, judged.claims[0]!.result]).toEqual(['accept-unproven', 'proven']);
    expect(judged.findings).toMatchObject([{ reason: 'PCM_TREE_UNCLAIMED', at: '/claims' }]);
    expect(judge([], { tree: TREE }).verdict).toBe('accept-unproven');
  });
});

describe('the bytes of a file', () => {
  const steps = [...begun, ...write('good')];
  const acted = (digest: string, path = '/repo/a.py') => claimOf(FILE, steps, { files: [{ path, digest }] });
  it('are those of the claim, or the claim is not proven', () => {
    expect(acted(FILE.args.digest)).toEqual(PROVEN);
    expect(acted(FILE.args.digest, '/repo/./a.py')).toEqual(PROVEN);
    expect(acted(sha256Text('other'))).toEqual(['unproven', 'PCM_FILE_OTHER']);
  });

  it('of another path are compared with no claim, and that is said', () => {
    const evidence = evidenceFrom(steps) as unknown as Members;
    const judged = judge([{ ...FILE, evidence }], { files: [{ path: '/repo/b.py', digest: FILE.args.digest }] });
    expect([judged.verdict, judged.claims[0]!.result]).toEqual(['accept-unproven', 'proven']);
    expect(judged.findings).toMatchObject([
      { reason: 'PCM_FILE_UNCLAIMED', detail: 'no claim is of the file /repo/b.py' },
    ]);
  });

  it('named twice must both be the same', () => {
    const files = [FILE.args.digest, sha256Text('other')].map((digest) => ({ path: '/repo/a.py', digest }));
    expect(claimOf(FILE, steps, { files })).toEqual(['unproven', 'PCM_FILE_OTHER']);
  });
});

describe('any response', () => {
  const fetched = (status: unknown, ok: boolean, more = {}, tool = 'WebFetch', url = 'https://api.example/x') => [
    ...begun,
    ...call(tool, { url }, { ok, result: { status: status as number }, ...more }),
  ];
  const NOTHING = ['failed', 'PCM_CLAIM_NOT_SAID'];
  it.each<[string, readonly Step[], string, readonly string[]]>([
    ['200', fetched(200, true), 'proven', PROVEN],
    ['a redirect', fetched(302, true), 'proven', PROVEN],
    ['404', fetched(404, false), 'failed', PROVEN],
    ['500', fetched(500, false), 'failed', PROVEN],
    ['599', fetched(599, false), 'failed', PROVEN],
    ['no answer', fetched(null, false), 'failed', NOTHING],
    ['no status', fetched('404', false), 'failed', NOTHING],
    ['99', fetched(99, false), 'failed', NOTHING],
    ['600', fetched(600, false), 'failed', NOTHING],
    ['404 by the agent’s own word', fetched(404, false, { who: T1 }), 'failed', NOTHING],
    ['200 by the agent’s own word', fetched(200, true, { who: T1 }), 'unproven', ['unproven', 'PCM_CLAIM_AGENT_WORD']],
    ['404 of another host', fetched(404, false, {}, 'WebFetch', 'https://b.example/'), 'failed', NOTHING],
    [
      '404 of a host that cannot be told',
      fetched(404, false, {}, 'WebFetch', 'https://api%2eexample/'),
      'failed',
      NOTHING,
    ],
    ['404 of a URL without a host', fetched(404, false, {}, 'WebFetch', 'mailto:a@api.example'), 'failed', NOTHING],
    ['404 of a tool of another class', fetched(404, false, {}, 'Bash'), 'failed', NOTHING],
    ['404, not shown', fetched(404, false, { open: false }), 'failed', NOTHING],
    ['404, denied', fetched(404, false, { decision: 'deny' }), 'failed', NOTHING],
  ])('%s', (_, steps, before, expected) => {
    expect(plainly(host(), steps)).toBe(before);
    expect(claimOf(host(), steps, { anyResponse: true })).toEqual(expected);
    expect(claimOf(host(), steps, { fresh: {} })[0]).toBe(before);
  });

  it('counts for a claim that 0.1 leaves open, and not for a host that cannot be told', () => {
    const denied = {
      type: 'effect.observed',
      data: { kind: 'net', host: 'api.example', connections: 0 },
      more: { source: 'signer' },
    };
    const steps = [...fetched(404, false), denied];
    expect(plainly(host(), steps)).toBe('unproven');
    expect(claimOf(host(), steps, { anyResponse: true })).toEqual(PROVEN);
    expect(claimOf(host('1.2.3'), steps, { anyResponse: true })).toEqual(['unproven', 'PCM_CLAIM_HOST_UNTOLD']);
  });

  it('gives nothing to another claim', () => {
    expect(claimOf(TESTS, [...begun, ...suite({ ok: false })], { anyResponse: true })).toEqual(NOTHING);
  });
});

describe('the result', () => {
  const steps = [...begun, ...suite({ result: { git_tree: { before: TREE, after: TREE } } }), ...head()];
  const message = (asked?: Extensions) =>
    judge([{ ...TESTS, evidence: evidenceFrom(steps) as unknown as Members }], asked);

  it('says which extensions were applied and, of each claim, what they say', () => {
    const judged = message({ fresh: { maxAge: { seconds: 60, now: at(13) } }, tree: TREE, anyResponse: true });
    expect(judged.extensions).toEqual(['fresh', 'tree', 'any-response']);
    expect(judged.claims[0]!.extensions).toEqual([
      {
        name: 'fresh',
        holds: true,
        detail: 'every record, run_seq 1 to the head 3, 10 s behind the clock of the receiver',
      },
      { name: 'tree', holds: true, detail: `the suite ran on the tree ${TREE}` },
      { name: 'any-response', holds: null, detail: 'it asks nothing of this claim' },
    ]);
    expect(pcmLine(judged)).toContain(
      `; fresh: every record, run_seq 1 to the head 3, 10 s behind the clock of the receiver; tree: the suite ran on the tree ${TREE})`,
    );
  });

  it('says why one does not hold, and of which', () => {
    const judged = message({ fresh: {}, tree: OTHER });
    expect(judged.verdict).toBe('accept-unproven');
    expect(judged.claims[0]!.extensions).toMatchObject([
      { name: 'fresh', holds: true },
      { name: 'tree', holds: false },
    ]);
    expect(judged.reasons).toEqual([`tests_passed: unproven (the suite ran on the tree ${TREE}, and not on ${OTHER})`]);
  });

  it('without the option has none of it', () => {
    const judged = message();
    expect([Object.hasOwn(judged, 'extensions'), Object.hasOwn(judged.claims[0]!, 'extensions')]).toEqual([
      false,
      false,
    ]);
    expect(judged.verdict).toBe('accept');
  });

  it('of a claim that 0.1 does not prove says so', () => {
    const judged = judge(
      [{ ...TESTS, evidence: evidenceFrom([...begun, ...suite({ who: T1 })]) as unknown as Members }],
      { fresh: {} },
    );
    expect(judged.claims[0]).toMatchObject({
      result: 'unproven',
      reason: 'PCM_CLAIM_AGENT_WORD',
      extensions: [{ name: 'fresh', holds: null }],
    });
  });

  it('of a schema that lists a claim misses it when it is not fresh, and rejects under strict', () => {
    const evidence = evidenceFrom([...begun, ...suite()]) as unknown as Members;
    const claims = [{ ...TESTS, evidence }];
    const schema = { ...SCHEMA, claims: ['tests_passed'] };
    expect(judge(claims, {}, { schema, strict: true }).verdict).toBe('accept');
    expect(judge(claims, { fresh: {} }, { schema, strict: true }).verdict).toBe('reject');
    expect(judge(claims, { fresh: {} }, { schema }).findings).toMatchObject([
      { reason: 'PCM_FRESH_NO_HEAD', at: '/claims/0' },
      { reason: 'PCM_CLAIM_REQUIRED' },
    ]);
  });

  it.each<[string, Extensions]>([
    ['a negative age', { fresh: { maxAge: { seconds: -1, now: at(1) } } }],
    ['an age that is no number', { fresh: { maxAge: { seconds: Number.NaN, now: at(1) } } }],
    ['a clock that is no time', { fresh: { maxAge: { seconds: 1, now: 'now' } } }],
    ['a tree in other letters', { tree: 'A'.repeat(40) }],
    ['half a tree', { tree: 'a'.repeat(39) }],
    ['a relative path', { files: [{ path: 'a.py', digest: FILE.args.digest }] }],
    ['no digest', { files: [{ path: '/repo/a.py', digest: 'a' }] }],
  ])('is none with %s: that is the receiver’s own error', (_, asked) => {
    expect(() => message(asked)).toThrow(RangeError);
  });
});
