import { escapePointer, type Finding, finding } from '../pcm/finding.ts';
import { Float, isPcmObject, type PcmValue } from '../pcm/value.ts';

type Path = readonly (string | number)[];

/** Where a number stands that is an integer and not written as one; null: nowhere. Recursion is as deep as the reader allows. */
const respelled = (value: PcmValue): Path | null => {
  if (value instanceof Float) return Number.isSafeInteger(value.value) ? [] : null;
  const inner: Iterable<readonly [string | number, PcmValue]> = Array.isArray(value)
    ? value.entries()
    : isPcmObject(value)
      ? Object.entries(value)
      : [];
  for (const [step, one] of inner) {
    const path = respelled(one);
    if (path !== null) return [step, ...path];
  }
  return null;
};

/** Records of a log are as their signer wrote them, and nobody acts on them. */
const withoutEvidence = (message: PcmValue): PcmValue => {
  if (!isPcmObject(message) || !Array.isArray(message.claims)) return message;
  const bare = message.claims.map((claim) => (isPcmObject(claim) ? { ...claim, evidence: null } : claim));
  return { ...message, claims: bare };
};

/**
 * Takes a message that was read strictly; returns the first number outside its evidence that is an integer and not written as one, or null. The
 * signature holds over 1.0 as over 1, and what an executor parses no longer tells them apart.
 */
export const respelledInteger = (message: PcmValue): Finding | null => {
  const path = respelled(withoutEvidence(message));
  if (path === null) return null;
  const at = path.map((step) => `/${escapePointer(String(step))}`).join('');
  return finding('PCM_A2A_INTEGER', at, 'an integer is written with a point or an exponent');
};
