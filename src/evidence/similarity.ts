/** What similarity compares of an Agent Card; null where the card does not say. */
export type CardIdentity = {
  readonly name: string | null;
  readonly provider: string | null;
  readonly skillIds: readonly string[];
};

const FULL_BP = 10_000;
const WEIGHT = { name: 5, provider: 2, skillIds: 3 } as const;

const isAsciiAlphanumeric = (point: number): boolean =>
  (point >= 0x30 && point <= 0x39) || (point >= 0x41 && point <= 0x5a) || (point >= 0x61 && point <= 0x7a);

const normalized = (text: string): string => {
  let result = '';
  let separated = false;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    if (point < 0x80 && !isAsciiAlphanumeric(point)) {
      separated = true;
      continue;
    }
    if (separated && result !== '') result += ' ';
    separated = false;
    result += point >= 0x41 && point <= 0x5a ? String.fromCharCode(point + 0x20) : character;
  }
  return result;
};

const bigrams = (text: string | null): ReadonlySet<string> => {
  const pairs = new Set<string>();
  const core = normalized(text ?? '');
  if (core === '') return pairs;
  let previous = '';
  for (const character of ` ${core} `) {
    if (previous !== '') pairs.add(previous + character);
    previous = character;
  }
  return pairs;
};

const dice = (x: ReadonlySet<string>, y: ReadonlySet<string>): number => {
  const [small, large] = x.size <= y.size ? [x, y] : [y, x];
  let shared = 0;
  for (const member of small) if (large.has(member)) shared++;
  return Math.floor((2 * FULL_BP * shared) / (x.size + y.size));
};

/** The components of a card that are compared: bigrams of its name, of its provider, and its skill ids. */
export type Likeness = readonly (readonly [weight: number, features: ReadonlySet<string>])[];

/** Reads off an identity what is compared, once for however many comparisons; linear in its length. */
export const likenessOf = ({ name, provider, skillIds }: CardIdentity): Likeness => [
  [WEIGHT.name, bigrams(name)],
  [WEIGHT.provider, bigrams(provider)],
  [WEIGHT.skillIds, new Set(skillIds)],
];

/** As similarityBp, of what likenessOf gives of two cards; linear in the smaller of each two sets. */
export const likenessBp = (a: Likeness, b: Likeness): number => {
  let weights = 0;
  let weighted = 0;
  for (const [at, [weight, x]] of a.entries()) {
    const y = b[at]![1];
    if (x.size === 0 && y.size === 0) continue;
    weights += weight;
    weighted += weight * dice(x, y);
  }
  return weights === 0 ? 0 : Math.floor(weighted / weights);
};

/**
 * How alike two Agent Cards look, in basis points 0..10000: the weighted Dice coefficients (name 5, provider organisation 2,
 * exact skill-id sets 3) of RULES, AS, in integers. A component empty in both cards is left out; with none left it is 0.
 * Takes two identities, returns the integer; symmetric, and linear in their lengths.
 */
export const similarityBp = (a: CardIdentity, b: CardIdentity): number => likenessBp(likenessOf(a), likenessOf(b));
