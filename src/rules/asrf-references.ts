import type { Reason } from '../base/reasons.ts';
import type { Graph } from '../relate/graph.ts';
import type { Node } from '../relate/nodes.ts';
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

/**
 * References whose URI no dereference of the trace follows: observations that say what following them would be. A message is
 * recorded by each side that saw it, and only one of its references leads to the dereference.
 */
export const unfollowedReferences = (graph: Graph, policy: AsrfPolicy): readonly Statement[] => {
  const references = graph.nodes('uri_references');
  const isFollowed = (node: Node<'uri_references'>) => graph.targets(node, 'URI_REFERENCE_DEREFERENCED').length > 0;
  const followed = new Set(references.filter(isFollowed).map(({ record }) => record.uri));
  return references.flatMap((node) => {
    const { lead, missing } = referenceLead(graph, node);
    if (missing.length > 0 || followed.has(node.record.uri)) return [];
    const { at, readings } = judgeUri(node.record.uri, policy);
    return {
      reason: REASON_OF[at],
      affected: node,
      path: lead,
      explanation: `No dereference of reference ${node.id} is recorded. Had it been followed: ${readings.map((reading) => reading.explanation).join('; ')}.`,
    };
  });
};
