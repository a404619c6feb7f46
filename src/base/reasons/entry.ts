/** The six condition families, in report order. */
export const FAMILIES = ['AS', 'CC', 'CO', 'HOTF', 'ASRF', 'ATSI'] as const;
export type Family = (typeof FAMILIES)[number];

/**
 * One entry of the reason registry.
 *
 * level: `read` could not be checked (exit 2); `refusal` integrity refused (exit 4); `inadmissible` (exit 5);
 * `finding`; `inconclusive`; `warning` and `note` are observations.
 */
export type ReasonEntry = {
  readonly family: Family | null;
  readonly level: 'read' | 'refusal' | 'inadmissible' | 'finding' | 'inconclusive' | 'warning' | 'note';
  readonly title: string;
  /** What it means. */
  readonly means: string;
  /** What it does not mean. */
  readonly not: string;
  /** What to do next. */
  readonly next: string;
  readonly falsePositives: string;
  /** MITRE ATLAS 5.6.0, OWASP Agentic (ASI) and CWE ids. */
  readonly techniques: readonly string[];
};
export type ReasonEntries = Readonly<Record<string, ReasonEntry>>;
