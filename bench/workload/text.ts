import type { Random } from './random.ts';

const WORDS =
  'invoice delta review agent policy ledger region café übersicht quota window request response vector node edge replica trace audit context memo status queue batch signal approval routing capture evidence'.split(
    ' ',
  );
const SHORTEST = 40;
const SPREAD = 200;

/** Plain prose of 40 to 240 characters, some of them not ASCII, some sentences on a line of their own. */
export const proseOf = (random: Random): string => {
  const length = SHORTEST + random.below(SPREAD);
  let text = random.pick(WORDS);
  while (text.length < length) text += `${random.below(12) === 0 ? '.\n' : ' '}${random.pick(WORDS)}`;
  return text;
};
