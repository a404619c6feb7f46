import { describe, expect, it } from 'vitest';
import { lastHeadIn, runSeqOf } from '../../../src/pcm/extensions/head.ts';
import { readStrict } from '../../../src/pcm/strict-json.ts';
import { Float } from '../../../src/pcm/value.ts';
import { bytesOf, type Members } from '../lab.ts';
import {
  at,
  call,
  claimOf,
  eventsOf,
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

const begun: readonly Step[] = note('run.start');
const run = (...steps: readonly (readonly Step[])[]): readonly Step[] => [...begun, ...steps.flat(), ...head()];

const unnumbered = (event: Members): Members =>
  Object.fromEntries(Object.entries(event).filter(([name]) => name !== 'run_seq'));

describe('a range', () => {
  /** A suite that passes, another call, a note, another suite; the decision is record 1, the head record 8. */
  const whole = run(suite(), call('fetch', { url: 'https://a.example/' }), note('pcm.sent'), suite({}, 'tox'));
  const last = whole.length - 1;
  const places = Array.from({ length: last }, (_, i) => i + 1);

  it('that is whole proves what 0.1 proves, in any order of its records, with or without older ones', () => {
    expect(claimOf(TESTS, whole)).toEqual(PROVEN);
    expect(claimOf(TESTS, whole, { fresh: {} }, { keep: (_, i) => i > 0 })).toEqual(PROVEN);
    const { checkpoint, records } = evidenceFrom(whole);
    const reversed = { checkpoint, records: [...records].reverse() } as unknown as Members;
    expect(judge([{ ...TESTS, evidence: reversed }], { fresh: {} }).verdict).toBe('accept');
  });

  it.each(places)('without its record %i proves nothing', (missing) => {
    const keep = (_: Members, i: number) => i !== missing;
    const [result, reason] = claimOf(TESTS, whole, { fresh: {} }, { keep });
    // Without the decision or the result of the call there is nothing that 0.1 takes as proven.
    const expected =
      missing <= 2
        ? ['failed', 'PCM_CLAIM_NOT_SAID']
        : ['unproven', missing === last ? 'PCM_FRESH_NO_HEAD' : 'PCM_FRESH_GAP'];
    expect([result, reason]).toEqual(expected);
    expect(plainly(TESTS, whole, { keep })).toBe(missing <= 2 ? 'failed' : 'proven');
  });

  it('without any two, three, … of its records proves nothing', () => {
    const { checkpoint, records } = evidenceFrom(whole);
    for (let kept = 0; kept < 2 ** last - 1; kept++) {
      const some = records.filter((_, i) => i === 0 || (kept & (1 << (i - 1))) !== 0);
      const { claims } = judge([{ ...TESTS, evidence: { checkpoint, records: some } }], { fresh: {} });
      expect([kept, claims[0]!.result]).not.toEqual([kept, 'proven']);
    }
  });

  it.each<[string, readonly Step[], ((event: Members, i: number) => Members)?]>([
    [
      'a head of another run',
      run(suite())
        .slice(0, -1)
        .concat(head({ run: 'run-2' })),
    ],
    [
      'a head that says another place',
      run(suite())
        .slice(0, -1)
        .concat(head({ last: 1 })),
    ],
    [
      'a head that says another size of the log',
      run(suite())
        .slice(0, -1)
        .concat(head({ size: 9 })),
    ],
    [
      'a head that the agent wrote',
      run(suite())
        .slice(0, -1)
        .concat(head({}, { source: 'sdk' })),
    ],
    [
      'a head of the executor',
      run(suite())
        .slice(0, -1)
        .concat(head({}, { source: 'gateway', tier: 'T2' })),
    ],
    ['a record after the head', [...run(suite()), ...note('pcm.sent')]],
    ['another note in place of the head', [...begun, ...suite(), ...note('pcm.sent')]],
  ])('that ends at %s is not fresh', (_, steps) => {
    expect(claimOf(TESTS, steps)).toEqual(['unproven', 'PCM_FRESH_NO_HEAD']);
    expect(plainly(TESTS, steps)).toBe('proven');
  });

  it('with a record that follows another than the one before it is not whole', () => {
    const change = (event: Members, i: number) =>
      i === 4 ? { ...event, run_prev_hash: `sha256:${'1'.repeat(64)}` } : event;
    expect(claimOf(TESTS, whole, { fresh: {} }, { change })).toEqual(['unproven', 'PCM_FRESH_GAP']);
  });

  it.each([
    ['without a number', unnumbered],
    ['with the number of another', (event: Members) => ({ ...event, run_seq: 3 })],
  ])('with a record %s is not whole', (_, alter) => {
    const change = (event: Members, i: number) => (i === 4 ? alter(event) : event);
    expect(claimOf(TESTS, whole, { fresh: {} }, { change })).toEqual(['unproven', 'PCM_FRESH_GAP']);
  });

  it('of a decision without a number is none', () => {
    const change = (event: Members, i: number) => {
      return i === 1 ? unnumbered(event) : event;
    };
    expect(claimOf(TESTS, whole, { fresh: {} }, { change })).toEqual(['unproven', 'PCM_FRESH_GAP']);
  });

  it('ends at its last head, however many there are', () => {
    expect(claimOf(TESTS, [...begun, ...suite(), ...head(), ...note('pcm.sent'), ...head()])).toEqual(PROVEN);
  });
});

describe('the age of a head', () => {
  const steps = run(suite());
  const aged = (seconds: number, now: string) => claimOf(TESTS, steps, { fresh: { maxAge: { seconds, now } } });
  it.each([
    [0, at(3), PROVEN],
    [5, at(8), PROVEN],
    [5, '2026-11-30T12:00:08.000001Z', ['unproven', 'PCM_FRESH_OLD']],
    [5, '2026-11-30T11:59:58.000000Z', PROVEN],
    [5, '2026-11-30T11:59:57.000000Z', ['unproven', 'PCM_FRESH_OLD']],
  ])('at most %i s from %s', (seconds, now, expected) => {
    expect(aged(seconds, now)).toEqual(expected);
  });

  it.each([
    [at(5), '2 s behind'],
    ['2026-11-30T12:00:02.500000Z', '1 s ahead of'],
    [at(3), '0 s behind'],
  ])('is told from %s as %s the clock', (now, told) => {
    const evidence = evidenceFrom(steps) as unknown as Members;
    const { claims } = judge([{ ...TESTS, evidence }], { fresh: { maxAge: { seconds: 9, now } } });
    expect(claims[0]!.extensions).toMatchObject([
      { holds: true, detail: expect.stringContaining(`, ${told} the clock`) },
    ]);
  });

  it('is that of the last head', () => {
    const later = [...begun, ...suite(), ...head(), ...head()];
    expect(claimOf(TESTS, later, { fresh: { maxAge: { seconds: 0, now: at(4) } } })).toEqual(PROVEN);
  });

  it('counts after what contradicts the claim', () => {
    const failed = run(suite(), suite({ ok: false }));
    expect(claimOf(TESTS, failed, { fresh: { maxAge: { seconds: 0, now: at(50) } } })).toEqual([
      'failed',
      'PCM_FRESH_LATER_RUN',
    ]);
  });
});

describe('after a suite that passed', () => {
  const LATER = ['failed', 'PCM_FRESH_LATER_RUN'];
  const UNTOLD = ['unproven', 'PCM_FRESH_UNTOLD'];
  it.each<[string, readonly (readonly Step[])[], readonly string[]]>([
    ['the same suite fails', [suite({ ok: false })], LATER],
    ['it fails by the agent’s own word', [suite({ ok: false, who: T1 })], LATER],
    ['it fails and then passes', [suite({ ok: false }), suite()], PROVEN],
    ['it passes and then fails', [suite(), suite({ ok: false })], LATER],
    ['it passes', [suite()], PROVEN],
    ['it passes, which is not shown', [suite({ open: false })], PROVEN],
    ['it fails, which is not shown', [suite({ ok: false, open: false })], UNTOLD],
    ['it runs still', [suite({ ok: null })], UNTOLD],
    ['it runs still, which is not shown', [suite({ ok: null, open: false })], UNTOLD],
    ['it was denied', [suite({ ok: null, decision: 'deny' })], PROVEN],
    ['another suite fails', [suite({ ok: false }, 'pytest -q')], PROVEN],
    ['another suite fails, which is not shown', [suite({ ok: false, open: false }, 'pytest -q')], UNTOLD],
    ['a tool that nobody placed fails it', [call('runner', { command: 'pytest' }, { ok: false })], LATER],
    [
      'a tool that nobody placed fails, which is not shown',
      [call('runner', { command: 'pytest' }, { ok: false, open: false })],
      UNTOLD,
    ],
    [
      'a tool of the agent’s own fails, which is not shown',
      [call('ls', {}, { ok: false, open: false, who: T1 })],
      PROVEN,
    ],
    [
      'a fetch fails, which is not shown',
      [call('fetch', { url: 'https://a.example/' }, { ok: false, open: false })],
      PROVEN,
    ],
    ['a file is written', [write('other')], PROVEN],
  ])('%s', (_, after, expected) => {
    expect(claimOf(TESTS, run(suite(), ...after))).toEqual(expected);
    expect(plainly(TESTS, run(suite(), ...after))).toBe('proven');
  });

  it('a run that was decided before it fails', () => {
    const [decided, failed] = suite({ ok: false, open: false }) as [Step, Step];
    const steps = [...begun, decided, ...suite(), failed, ...head()];
    expect(claimOf(TESTS, steps)).toEqual(UNTOLD);
    expect(claimOf(TESTS, steps, { fresh: {} }, { keep: (_, i) => i > 1 })).toEqual(UNTOLD);
    const [asked, told] = suite({ ok: false, open: false, who: T1 }) as [Step, Step];
    expect(claimOf(TESTS, [...begun, asked, ...suite(), told, ...head()])).toEqual(UNTOLD);
  });

  it('a run that was decided after it, and fails before it, is none', () => {
    const [decided, passed] = suite() as [Step, Step];
    expect(claimOf(TESTS, [...begun, decided, ...suite({ ok: false }), passed, ...head()])).toEqual(PROVEN);
  });
});

describe('after a file that was written', () => {
  const LATER = ['failed', 'PCM_FRESH_LATER_WRITE'];
  const UNTOLD = ['unproven', 'PCM_FRESH_UNTOLD'];
  const edit = (more = {}, file_path = '/repo/a.py', tool = 'Edit') => call(tool, { file_path, old: 'a' }, more);
  const cases: [string, readonly (readonly Step[])[], readonly string[]][] = [
    ['nothing comes', [], PROVEN],
    ['it is written otherwise', [write('other')], LATER],
    ['it is written otherwise under another spelling', [write('other', {}, '/repo/./a.py')], LATER],
    ['it is written otherwise by the agent’s own word', [write('other', { who: T1 })], LATER],
    ['it is written otherwise and then as before', [write('other'), write('good')], PROVEN],
    ['it is written as before', [write('good', { who: T1 })], PROVEN],
    ['it could not be written', [write('other', { ok: false })], PROVEN],
    ['it is being written', [write('other', { ok: null })], UNTOLD],
    ['something is written, which is not shown', [write('other', { open: false })], UNTOLD],
    ['a relative path is written', [write('other', {}, 'a.py')], UNTOLD],
    ['another file is written', [write('other', {}, '/repo/b.py')], PROVEN],
    ['it is edited', [edit()], UNTOLD],
    ['an edit of it fails', [edit({ ok: false })], PROVEN],
    ['it is edited by a notebook’s tool', [call('NotebookEdit', { notebook_path: '/repo/a.py' })], UNTOLD],
    ['another file is edited', [edit({}, '/repo/b.py', 'MultiEdit')], PROVEN],
    ['an edit is not shown', [edit({ open: false })], UNTOLD],
    ['it is read', [call('Read', { file_path: '/repo/a.py' }, { open: false })], PROVEN],
    ['a suite runs', [suite()], UNTOLD],
    ['a shell command fails', [call('Bash', { command: 'rm /repo/a.py' }, { ok: false })], UNTOLD],
    ['a shell command of the agent’s own', [call('bash', { command: 'rm x' }, { who: T1, open: false })], UNTOLD],
    ['a shell command was denied', [call('Bash', { command: 'rm x' }, { ok: null, decision: 'deny' })], PROVEN],
    ['an executor’s tool that nobody placed', [call('save', {})], UNTOLD],
    ['a tool of the agent’s own that nobody placed', [call('save', {}, { who: T1 })], PROVEN],
    ['a fetch', [call('fetch', { url: 'https://a.example/' })], PROVEN],
  ];
  it.each(cases)('%s', (_, after, expected) => {
    expect(claimOf(FILE, run(write('good'), ...after))).toEqual(expected);
    expect(plainly(FILE, run(write('good'), ...after))).toBe('proven');
  });

  it.each(cases)('%s, and the receiver compares the bytes itself', (_, after, expected) => {
    const files = [{ path: '/repo/a.py', digest: FILE.args.digest }];
    const doubt = expected === UNTOLD ? PROVEN : expected;
    expect(claimOf(FILE, run(write('good'), ...after), { fresh: {}, files })).toEqual(doubt);
  });

  it('a call that was decided before it ends', () => {
    const [decided, ended] = call('Bash', { command: 'rm x' }) as [Step, Step];
    expect(claimOf(FILE, [...begun, decided, ...write('good'), ended, ...head()])).toEqual(UNTOLD);
  });
});

it('asks nothing of a claim that something happened', () => {
  const fetched = call('fetch', { url: 'https://api.example/' });
  expect(claimOf(host(), [...begun, ...fetched])).toEqual(PROVEN);
});

describe('the last head in evidence', () => {
  const events = eventsOf(run(suite()));
  const of = (records: unknown) => {
    const read = readStrict(bytesOf({ checkpoint: '', records }), { what: 'test', maxBytes: 1 << 20 });
    return read.ok ? lastHeadIn(read.value) : read;
  };
  it('is found however its number is spelled: the hash of the record is the same', () => {
    expect(of(events.map((event) => ({ event })))).toBe(3);
    const respelled = JSON.stringify({ checkpoint: '', records: events.map((event) => ({ event })) }).replace(
      '"run_seq":3',
      '"run_seq":3.0',
    );
    const read = readStrict(bytesOf(respelled), { what: 'test', maxBytes: 1 << 20 });
    expect(read.ok && lastHeadIn(read.value)).toBe(3);
    expect(runSeqOf({ run_seq: new Float(3.5) })).toBeNull();
  });
  it.each([[null], [[]], [[null, 1, {}, { event: null }, { event: { type: 'ext', data: null } }]], [{}], ['']])(
    'is none in %j',
    (records) => {
      expect(of(records)).toBeNull();
    },
  );
});
