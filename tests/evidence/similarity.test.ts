import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CardIdentity, similarityBp } from '../../src/evidence/similarity.ts';

const pinned: CardIdentity = { name: 'Acme Travel Agent', provider: 'Acme Corp', skillIds: ['book_flight', 'refund'] };
const card = (name: string | null, provider: string | null, ...skillIds: string[]): CardIdentity => ({
  name,
  provider,
  skillIds,
});

describe('similarity in basis points', () => {
  test.each([
    ['one letter added, one changed', card('Acme Travel Agents', 'Acne Corp', 'book_flight', 'refund'), 9171],
    ['another provider', card('Acme Travel Agent', 'Evil Ltd', 'book_flight', 'refund'), 8000],
    ['a sibling product', card('Acme Billing Agent', 'Acme Corp', 'invoice'), 4857],
    ['a Cyrillic first letter', card('\u0410cme Travel Agent', null, 'book_flight', 'refund'), 7571],
    ['the same name in capitals', card('ACME TRAVEL AGENT', 'Evil Ltd', 'exfil'), 5000],
    ['underscores', card('Acme_Travel_Agent', null), 5000],
    ['no spaces', card('AcmeTravelAgent', 'Evil Ltd', 'exfil'), 4242],
    ['nothing', card(null, null), 0],
  ])('%s', (_, other, expected) => {
    expect(similarityBp(pinned, other)).toBe(expected);
  });

  test('two cards that say nothing give 0, not a division by zero', () => {
    expect(similarityBp(card(null, null), card(' -_ ', ''))).toBe(0);
  });

  test('a component empty in both is left out, empty in one counts against', () => {
    expect(similarityBp(card('Acme', null), card('acme', null))).toBe(10_000);
    expect(similarityBp(card('Acme', 'Acme Corp'), card('acme', null))).toBe(7142);
  });

  test('only ASCII letters are folded, and other code points are kept whole', () => {
    expect(similarityBp(card('É', null), card('é', null))).toBe(0);
    expect(similarityBp(card('a😀b', null), card('a😁b', null))).toBe(5000);
  });

  test('skill ids are compared exactly, as sets', () => {
    expect(similarityBp(card(null, null, 'A', 'A'), card(null, null, 'A'))).toBe(10_000);
    expect(similarityBp(card(null, null, 'A'), card(null, null, 'a'))).toBe(0);
    expect(similarityBp(card(null, null, '__proto__'), card(null, null, 'constructor'))).toBe(0);
  });

  const identity = fc.record({
    name: fc.option(fc.string({ unit: 'binary' })),
    provider: fc.option(fc.string()),
    skillIds: fc.array(fc.constantFrom('a', 'b', 'c', '__proto__'), { maxLength: 5 }),
  });

  test('an integer from 0 to 10000, the same both ways, full for itself', () => {
    fc.assert(
      fc.property(identity, identity, (a, b) => {
        const value = similarityBp(a, b);
        expect(Number.isInteger(value) && value >= 0 && value <= 10_000).toBe(true);
        expect(similarityBp(b, a)).toBe(value);
        expect([0, 10_000]).toContain(similarityBp(a, a));
      }),
    );
  });

  test('separators and the case of ASCII letters never matter to a name', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 1 }),
        fc.constantFrom(' ', '_', ' - ', './'),
        (words, separator) => {
          expect(
            similarityBp(card(words.join(' '), null), card(separator + words.join(separator).toUpperCase(), null)),
          ).toBe(10_000);
        },
      ),
    );
  });

  test('stays linear on large cards', () => {
    const skillIds = Array.from({ length: 200_000 }, (_, index) => `skill-${index}`);
    const name = 'x'.repeat(1_000_000);
    expect(
      similarityBp(
        { name, provider: null, skillIds },
        { name: 'x', provider: null, skillIds: [...skillIds].reverse() },
      ),
    ).toBe(8750);
  });
});
