import { expect, it } from 'vitest';
import type { PcmJudged } from '../../src/pcm/result.ts';
import { verifyMessage } from '../../src/pcm/verify.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { runs } from '../support/thorough.ts';
import { fuzzSigned, fuzzTexts } from './fuzz/run.ts';
import { meaningOf } from './fuzz/text.ts';
import { falsehood, LYING_BODIES, messageFor, receiver, TRUE_BODIES } from './fuzz/world.ts';
import { bytesOf, type Members } from './lab.ts';

const judged = (body: Members): PcmJudged =>
  verifyMessage(bytesOf(messageFor(body)), receiver, null, nativeCrypto) as PcmJudged;

it('mutates what is true and proven, and lies of which nothing is', () => {
  for (const body of TRUE_BODIES) {
    const { claims, verdict } = judged(body);
    expect(claims.map(({ result }) => result)).toEqual(claims.map(() => 'proven'));
    expect(verdict).toMatch(/^accept/);
    expect(falsehood(messageFor(body), verdict, [...claims.keys()])).toBeNull();
  }
  for (const body of LYING_BODIES) {
    const { claims, verdict } = judged(body);
    expect(claims.map(({ result }) => result)).not.toContain('proven');
    expect(falsehood(messageFor(body), verdict, [0])).toBe('claim 0 is not true, and proven');
  }
});

it.each([
  ['{"a":1,"b":[true,"x"]}', ' { "b" : [true,"\\u0078"] , "\\u0061" : 1.0 } ', true],
  ['{"a":1}', '{"a":1,"a":1}', false],
  ['{"a":1}', '{"a":2,"a":1}', false],
  ['{"a":1}', '{"a":true}', false],
  ['{"a":"1"}', '{"a":1}', false],
])('knows whether %s and %s say the same', (one, other, same) => {
  expect(meaningOf(one) === meaningOf(other)).toBe(same);
});

/** `scripts/fuzz-pcm.ts` mutates 200,000. */
it('accepts no text that was mutated to say something else, and throws on none', () => {
  const { verdicts, wrong } = fuzzTexts(runs(20_000, 1000), 1);
  expect(wrong).toEqual([]);
  for (const times of Object.values(verdicts)) expect(times).toBeGreaterThan(10);
});

it('proves no claim that is not true, and accepts nothing that nobody granted, of messages mutated before they are signed', () => {
  const { verdicts, wrong } = fuzzSigned(runs(10_000, 500), 1);
  expect(wrong).toEqual([]);
  expect(verdicts.accept).toBeGreaterThan(0);
  expect(verdicts.reject).toBeGreaterThan(10);
});
