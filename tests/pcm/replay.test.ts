import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReplay, type Offer } from '../../src/pcm/replay.ts';
import type { PcmJudged } from '../../src/pcm/result.ts';
import { pcmTime } from '../../src/pcm/time.ts';
import { verifyMessage, verifyMessageShared } from '../../src/pcm/verify.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { bytesOf, keyOf, type Members, messageOf, receiverOf, TS } from './lab.ts';

const OTHER = keyOf(2, 'other.example').vkey;

const at = (seconds: number): string => pcmTime(1_800_000_000_000 + seconds * 1000);
const offer = (more: Partial<Offer> = {}): Offer => ({
  sender: 's',
  ts: at(0),
  nonce: 'n',
  now: at(0),
  spend: true,
  ...more,
});
const told = (replay: ReturnType<typeof createReplay>, more: Partial<Offer> = {}): string => {
  const answer = replay.offer(offer(more));
  return answer.ok ? 'fresh' : answer.reason.replace('PCM_REPLAY_', '');
};

it.each<[string, Partial<Offer>, string]>([
  ['now', {}, 'fresh'],
  ['the edge behind', { now: at(300) }, 'fresh'],
  ['past the edge behind', { now: at(300.001) }, 'WINDOW'],
  ['the edge ahead', { now: at(-300) }, 'fresh'],
  ['past the edge ahead', { now: at(-300.001) }, 'WINDOW'],
  ['at the start', { ts: at(-100) }, 'fresh'],
  ['before the start', { ts: at(-100.001) }, 'BEFORE_START'],
])('%s: %s', (_, more, expected) => {
  expect(told(createReplay(at(-100)), more)).toBe(expected);
});

it('what is not spent stays fresh, what is spent does not, and the nonce is of its sender', () => {
  const replay = createReplay(at(-100));
  expect([told(replay, { spend: false }), told(replay), told(replay), told(replay, { sender: 't' })]).toEqual([
    'fresh',
    'fresh',
    'SEEN',
    'fresh',
  ]);
});

it('throws on a start or a clock that is no time of PCM', () => {
  expect(() => createReplay('2026-11-30')).toThrow(RangeError);
  const freshness = { replay: createReplay(TS), now: '2026-11-30' };
  expect(() => verifyMessage(bytesOf(messageOf()), receiverOf(), freshness, nativeCrypto)).toThrow(RangeError);
});

describe('in memory of any bound', () => {
  const step = fc.record({
    sender: fc.constantFrom('s', 't', 'u'),
    nonce: fc.nat(8).map(String),
    second: fc.nat(12),
    now: fc.nat(20),
  });
  it('no message is fresh twice, and what is refused without limits is refused with them', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        (steps, nonces, senders) => {
          const bounded = createReplay(at(0), { nonces, senders });
          const unbounded = createReplay(at(0), { nonces: 1000, senders: 1000 });
          const accepted = new Set<string>();
          for (const { sender, nonce, second, now } of steps) {
            // A nonce belongs to one signed message, and so to one time.
            const one = { sender, nonce: `${nonce}@${second}`, ts: at(second), now: at(now) };
            const [small, large] = [told(bounded, one), told(unbounded, one)];
            if (small !== 'fresh') continue;
            expect(accepted.has(`${sender} ${one.nonce}`)).toBe(false);
            accepted.add(`${sender} ${one.nonce}`);
            expect(large).toBe('fresh');
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('eviction refuses what is as old as what was dropped, of this sender alone', () => {
    const replay = createReplay(at(0), { nonces: 2, senders: 2 });
    for (const second of [3, 1, 2]) expect(told(replay, { nonce: `n${second}`, ts: at(second) })).toBe('fresh');
    expect(told(replay, { nonce: 'x', ts: at(1) })).toBe('FLOOR');
    expect(told(replay, { nonce: 'x', ts: at(1), sender: 't' })).toBe('fresh');
    expect(told(replay, { nonce: 'x', ts: at(1.5) })).toBe('fresh');
  });

  it('a third sender drops the one that was silent longest, and what that one sent stays refused', () => {
    const replay = createReplay(at(0), { nonces: 9, senders: 2 });
    expect([
      told(replay, { sender: 's', ts: at(1) }),
      told(replay, { sender: 't', ts: at(2) }),
      told(replay, { sender: 'u', ts: at(3) }),
    ]).toEqual(['fresh', 'fresh', 'fresh']);
    expect(told(replay, { sender: 's', ts: at(1) })).toBe('FLOOR');
    expect(told(replay, { sender: 't', ts: at(2) })).toBe('SEEN');
  });
});

describe('of messages', () => {
  const now = TS;
  const judge = (body: Members, replay: ReturnType<typeof createReplay>, more = {}) =>
    verifyMessage(bytesOf(messageOf(body)), { ...receiverOf(), ...more }, { replay, now }, nativeCrypto) as PcmJudged;

  it('a message passes once', () => {
    const replay = createReplay(TS);
    const [first, second] = [judge({}, replay), judge({}, replay)];
    expect([first.verdict, first.replay, first.skipped]).toEqual(['accept', { ok: true, detail: 'fresh' }, []]);
    expect([second.verdict, second.findings[0]!.reason]).toEqual(['reject', 'PCM_REPLAY_SEEN']);
  });

  it.each<[string, (replay: ReturnType<typeof createReplay>) => PcmJudged, string]>([
    ['another recipient', (replay) => judge({}, replay, { me: 'uid:7' }), 'PCM_REPLAY_RECIPIENT'],
    ['a schema it does not have', (replay) => judge({}, replay, { schemas: [] }), 'PCM_SCHEMA_UNKNOWN'],
    [
      'a key that is not pinned',
      (replay) => judge({}, replay, { trust: receiverOf(undefined, { logs: [OTHER] }).trust }),
      'PCM_SIGNATURE_KEY',
    ],
  ])('%s spends nothing', (_, first, reason) => {
    const replay = createReplay(TS);
    expect(first(replay).findings[0]!.reason).toBe(reason);
    expect(judge({}, replay).verdict).toBe('accept');
  });

  it('a claim that fails spends the nonce', () => {
    const replay = createReplay(TS);
    const body = { claims: [{ type: 'tests_passed', args: {} }] };
    expect([judge(body, replay).replay.ok, judge(body, replay).replay.ok]).toEqual([true, false]);
  });

  it('replicas that share a state accept a message once between them, and none while the state cannot be asked', async () => {
    const memory = createReplay(TS);
    const shared = { offer: (one: Offer) => Promise.resolve(memory.offer(one)) };
    const bytes = bytesOf(messageOf());
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => verifyMessageShared(bytes, receiverOf(), { replay: shared, now }, nativeCrypto)),
    );
    expect(outcomes.map(({ verdict }) => verdict).sort()).toEqual(['accept', 'reject', 'reject']);
    const broken = { offer: () => Promise.reject(new Error('no connection')) };
    await expect(verifyMessageShared(bytes, receiverOf(), { replay: broken, now }, nativeCrypto)).rejects.toThrow(
      'no connection',
    );
  });
});
