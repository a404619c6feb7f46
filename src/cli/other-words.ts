/** Words that commands print beside those of a report: what each says. */
export const OTHER_WORDS = {
  NO_EVIDENCE:
    'Of a test under forensictrace/vitest: its capture holds no A2A exchange, so there is nothing to judge. It is never a pass.',
  ACCEPT:
    'Of a PCM message: every check that was asked for passed, and every claim that the schema requires is proven.',
  ACCEPT_UNPROVEN:
    'Of a PCM message: the message itself is in order, and a claim in it is not proven. Treat that claim as the word of its sender.',
  REJECT: 'Of a PCM message: a check failed. Do not act on it; the reason says what failed.',
  BAD_INPUT: 'Of a PCM message: the text could not be read strictly, so nothing in it was checked.',
} as const;
