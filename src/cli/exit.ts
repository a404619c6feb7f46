/** Exit codes, frozen (RULES.md): a command ends with one of these, whatever happens. */
export const EXIT = {
  CONSISTENT: 0,
  INDICATED: 1,
  COULD_NOT_CHECK: 2,
  INCONCLUSIVE: 3,
  INTEGRITY_REFUSED: 4,
  NOT_ADMISSIBLE: 5,
} as const;

/** Wrong use of a command: what is wrong and what to do (exit 2). */
export class UsageFault extends Error {}
