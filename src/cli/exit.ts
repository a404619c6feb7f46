/** Exit codes, frozen (RULES.md): a command ends with one of these, whatever happens. */
export const EXIT = {
  CONSISTENT: 0,
  INDICATED: 1,
  COULD_NOT_CHECK: 2,
  INCONCLUSIVE: 3,
  INTEGRITY_REFUSED: 4,
  NOT_ADMISSIBLE: 5,
  /** The captured command succeeded, and there is no complete, signed bundle of it. */
  NOT_CAPTURED: 6,
} as const;

/** Wrong use of a command: what is wrong, in one line, and what to do, line by line (exit 2). */
export class UsageFault extends Error {
  readonly advice: readonly string[];

  constructor(message: string, advice: readonly string[] = []) {
    super(message);
    this.advice = advice;
  }
}
