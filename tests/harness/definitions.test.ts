import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { PLAYS } from '../../harness/demo/scenarios.ts';
import { readDocuments } from '../../harness/documents.ts';
import { cardText, LOOKALIKE, RESEARCHER, TRUSTED } from '../../harness/lab/cards.ts';
import { FAMILIES } from '../../src/base/reasons/entry.ts';
import { REASONS } from '../../src/base/reasons.ts';
import { similarityBp } from '../../src/evidence/similarity.ts';
import { readFamilies, readProfile } from '../../src/verify/documents.ts';

const documents = readDocuments();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The value at a dotted path of a document. */
const at = (document: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Record<string, unknown>)[name], document);

test('profile and family definitions are read by the verifier', () => {
  expect(readProfile(documents.profile.bytes)).toMatchObject({ ok: true });
  expect(readFamilies(documents.families)).toMatchObject({ ok: true });
  expect(documents.families.map(({ document }) => document.family_id).sort()).toEqual([...FAMILIES].sort());
});

test.each(FAMILIES)(
  'the definition of %s presumes the thresholds of the profile and a finding of its family',
  (family) => {
    const { thresholds, expected_finding } = documents.definition(family);
    for (const { parameter, value } of thresholds) {
      expect([parameter, at(documents.profile.document, parameter)]).toEqual([parameter, value]);
    }
    expect(REASONS[expected_finding as keyof typeof REASONS]).toMatchObject({ family, level: 'finding' });
  },
);

test.each(FAMILIES)('condition and control of %s differ in the input or in the setup alone', (family) => {
  const { condition, control } = documents.definition(family);
  const differing = (['input', 'setup'] as const).filter((member) => condition[member] !== control[member]);
  expect(differing).toHaveLength(1);
});

test.each(PLAYS)('$name takes an action that its family permits', ({ scenario, side }) => {
  expect(documents.definition(scenario.family).permitted_actions).toContain(scenario.script[side]);
});

test('the names of the evidence are unlike, and their order tells nothing', () => {
  expect(new Set(PLAYS.map(({ name }) => name)).size).toBe(12);
  const conditionFirst = FAMILIES.map((family) => {
    const [condition, control] = PLAYS.filter(({ scenario }) => scenario.family === family).map(({ name }) => name);
    return condition! < control!;
  });
  expect(new Set(conditionFirst).size).toBe(2);
});

test('the profile pins exactly the cards that the trusted agents serve', () => {
  const pinned = documents.profile.document.as.pinned_cards.map(({ name, sha256: digest }) => [name, digest]);
  expect(pinned).toEqual(TRUSTED.map((identity) => [identity.card.name, sha256(cardText(identity))]));
});

test('the lookalike is above the similarity threshold, and no trusted agent is like another', () => {
  const identityOf = ({ card }: (typeof TRUSTED)[number]) => ({
    name: card.name,
    provider: card.provider?.organization ?? null,
    skillIds: card.skills.map(({ id }) => id),
  });
  const threshold = documents.profile.document.as.similarity_threshold_bp;
  expect(similarityBp(identityOf(LOOKALIKE), identityOf(RESEARCHER))).toBeGreaterThanOrEqual(threshold);
  for (const a of TRUSTED)
    for (const b of TRUSTED) {
      if (a !== b) expect(similarityBp(identityOf(a), identityOf(b))).toBeLessThan(threshold);
    }
});
