import type { Reason } from '../base/reasons.ts';
import type { Graph } from '../relate/graph.ts';
import { referenceLead } from './asrf-anchors.ts';
import { judgeUri } from './detectors/uri/judge.ts';
import type { AsrfPolicy } from './detectors/uri/policy.ts';
import type { Statement } from './rule.ts';

const REASON_OF = {
  inside: 'ASRF_REFERENCE_NOT_DEREFERENCED',
  outside: 'ASRF_REFERENCE_OUTSIDE_POLICY_NOT_DEREFERENCED',
  mixed: 'ASRF_REFERENCE_OUTSIDE_POLICY_NOT_DEREFERENCED',
  unjudgeable: 'ASRF_REFERENCE_UNREADABLE',
} as const satisfies Record<ReturnType<typeof judgeUri>['at'], Reason>;

/** References that no dereference of the trace follows: observations that say what following them would be. */
export const unfollowedReferences = (graph: Graph, policy: AsrfPolicy): readonly Statement[] =>
  graph.nodes('uri_references').flatMap((node) => {
    const { lead, missing } = referenceLead(graph, node);
    if (missing.length > 0 || graph.targets(node, 'URI_REFERENCE_DEREFERENCED').length > 0) return [];
    const { at, readings } = judgeUri(node.record.uri, policy);
    return {
      reason: REASON_OF[at],
      affected: node,
      path: lead,
      explanation: `No dereference of reference ${node.id} is recorded. Had it been followed: ${readings.map((reading) => reading.explanation).join('; ')}.`,
    };
  });
