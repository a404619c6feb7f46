import type { Reason } from '../base/reasons.ts';
import type { CoverageSubject } from '../evidence/records/trace.ts';
import type { Graph } from '../relate/graph.ts';
import type { Element, Node } from '../relate/nodes.ts';
import type { Profile } from './profile.ts';

/** What a rule says of one record: a finding, an observation, or why it cannot be judged, as the reason's level tells. */
export type Statement = {
  readonly reason: Reason;
  /** The one record it is about. */
  readonly affected: Node;
  /** Records and edges from the exchange to the affected record, in order. */
  readonly path: readonly Element[];
  /** What else the statement rests on; minimal evidence is found among these and the path. */
  readonly support?: readonly Element[];
  /** Those of path and support without any one of which the rule would not say this: minimal evidence keeps them unasked. */
  readonly required?: readonly Element[];
  /** One or more sentences with the actual values. */
  readonly explanation: string;
  /** For a statement that something is missing: relation names or record fields. */
  readonly missing?: readonly string[];
};

/** `triggers`: how many records the rule had to judge. */
export type RuleOutcome = { readonly triggers: number; readonly statements: readonly Statement[] };

/** A rule is a pure function of the graph and the profile: it knows no mode, label, signature, clock or file. */
export type Rule = {
  /** What a capture must have watched for this rule to call "no trigger" CONSISTENT. */
  readonly watches: CoverageSubject;
  /** Whether the profile gives the rule anything to judge by; where not, its family is NOT_OBSERVED. Absent: always. */
  readonly applies?: (profile: Profile) => boolean;
  readonly judge: (graph: Graph, profile: Profile) => RuleOutcome;
};
