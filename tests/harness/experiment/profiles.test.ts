import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readDocuments } from '../../../harness/documents.ts';
import { legacyCardText, PYTHON_STAGE } from '../../../harness/experiment/python-stage.ts';
import { JS_STAGE } from '../../../harness/experiment/stage.ts';
import { TRUSTED } from '../../../harness/lab/cards.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test.each([JS_STAGE, PYTHON_STAGE])(
  'the profile of $sdk.path pins exactly the cards that its agents serve',
  (stage) => {
    const { pinned_cards } = readDocuments(stage.profile).profile.document.as;
    expect(pinned_cards.map(({ sha256: digest }) => digest)).toEqual(stage.protocol.trustedCards.map(sha256));
  },
);

test('the two profiles differ in name and pinned cards alone, and the cards in the version that they offer', () => {
  const [one, other] = [JS_STAGE, PYTHON_STAGE].map(({ profile }) => readDocuments(profile).profile.document);
  const { pinned_cards: _, ...as } = other!.as;
  const { profile_id, description, ...rest } = other!;
  expect({ ...one, profile_id, description }).toEqual({
    ...rest,
    as: { ...as, pinned_cards: one!.as.pinned_cards },
    profile_id,
    description,
  });
  for (const [at, identity] of TRUSTED.entries()) {
    const text = legacyCardText(identity);
    expect(text.replace('"protocolVersion":"0.3"', '"protocolVersion":"1.0"')).not.toBe(text);
    expect(JSON.parse(text.replace('"protocolVersion":"0.3"', '"protocolVersion":"1.0"'))).toEqual(
      JSON.parse(JS_STAGE.protocol.trustedCards[at]!),
    );
  }
});
