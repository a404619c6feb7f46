/** The six condition families, in report order. */
export const FAMILIES = ['AS', 'CC', 'CO', 'HOTF', 'ASRF', 'ATSI'] as const;
export type Family = (typeof FAMILIES)[number];
/** What a report tells by family: the six, and the messages of PCM, which are judged when keys for them are given. */
export const REPORT_FAMILIES = [...FAMILIES, 'PCM'] as const;
export type ReportFamily = (typeof REPORT_FAMILIES)[number];

/**
 * One entry of the reason registry.
 *
 * level: `read` could not be checked (exit 2); `refusal` integrity refused (exit 4); `inadmissible` (exit 5);
 * `finding`; `inconclusive`; `warning` and `note` are observations.
 */
export type ReasonEntry = {
  readonly family: ReportFamily | null;
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
