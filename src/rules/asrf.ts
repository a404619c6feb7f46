import type { Reason } from '../base/reasons.ts';
import type { Graph } from '../relate/graph.ts';
import { type Element, isEdge } from '../relate/nodes.ts';
import { anchorMissing, factMissing } from './anchors.ts';
import { type Anchoring, anchorings, hopPath, MAX_REDIRECTS } from './asrf-anchors.ts';
import { unfollowedReferences } from './asrf-references.ts';
import { type HopJudgement, type HopObservation, judgeHop } from './detectors/uri/hop.ts';
import { judgeUri, type TextJudgement } from './detectors/uri/judge.ts';
import type { AsrfPolicy } from './detectors/uri/policy.ts';
import { quoted } from './detectors/uri/quoted.ts';
import { isRedirect, redirectTarget } from './detectors/uri/readings.ts';
import type { Rule, Statement } from './rule.ts';

/** What puts a text outside policy; an address written in the text is a host. */
const OUTSIDE = {
  scheme: 'ASRF_SCHEME_OUTSIDE_POLICY',
  port: 'ASRF_PORT_OUTSIDE_POLICY',
  host: 'ASRF_HOST_OUTSIDE_POLICY',
  address: 'ASRF_HOST_OUTSIDE_POLICY',
} as const satisfies Partial<Record<NonNullable<TextJudgement['by']>, Reason>>;

const OBSERVATION = {
  'readings-differ': 'ASRF_READINGS_DIFFER',
  'mixed-answers': 'ASRF_MIXED_ANSWERS',
  'answers-outside': 'ASRF_ANSWERS_OUTSIDE_POLICY',
  'connected-unanswered': 'ASRF_CONNECTED_TO_ANOTHER_ANSWER',
  'override-applied': 'ASRF_DIAL_OVERRIDE_APPLIED',
  'override-unlisted': 'ASRF_DIAL_OVERRIDE_UNLISTED',
  proxied: 'ASRF_PROXIED',
} as const satisfies Record<HopObservation['kind'], Reason>;

const isOutside = ({ at }: HopJudgement['text']): boolean => at === 'outside' || at === 'mixed';

const outsideReason = ({ readings }: HopJudgement['text']): Reason => {
  const by = readings.find((reading) => reading.at === 'outside')?.by;
  return by === 'scheme' || by === 'port' ? OUTSIDE[by] : OUTSIDE.host;
};

/** The reason that a judgement gives; null where the hop stayed inside policy. */
const reasonOf = (judgement: HopJudgement, policy: AsrfPolicy): Reason | null => {
  switch (judgement.result) {
    case 'inside':
      return null;
    case 'outside-text':
      return outsideReason(judgement.text);
    case 'outside-address':
      return 'ASRF_ADDRESS_OUTSIDE_POLICY';
    case 'blocked':
      return 'ASRF_BLOCKED';
    case 'not-dereferenced':
      return isOutside(judgement.text) ? 'ASRF_OUTSIDE_POLICY_NOT_ATTEMPTED' : 'ASRF_NOT_ATTEMPTED';
    case 'address-unseen':
      return policy.require_connected_address ? 'FACT_MISSING' : 'ASRF_ADDRESS_UNSEEN';
    case 'unjudgeable':
      return judgement.text.at === 'unjudgeable' ? 'ASRF_URI_UNREADABLE' : 'ASRF_ADDRESS_UNREADABLE';
  }
};

/** Where an artifact holds the reference, that leads back to the exchange, but is no anchor. */
const anchorsOf = (path: readonly Element[]): readonly Element[] =>
  path.slice(path.findIndex((element) => isEdge(element) && element.relation === 'EXCHANGE_PRODUCED_ARTIFACT') + 1);

/** Who asked for what, when, and how it went. */
const requestTold = ({ id, record }: Anchoring['node']): string => {
  const { agent, hop, method, uri, outcome, status, observed_at } = record;
  const answer = status === null ? 'no response' : `status ${status}`;
  return `Dereference ${id}, hop ${hop}, of ${agent === null ? 'an unnamed agent' : `agent ${quoted(agent)}`} at ${observed_at}: ${method} ${quoted(uri)}, ${outcome}, ${answer}`;
};

/** What a statement on a hop rests on; most hops give none. */
const basisOf = (graph: Graph, anchoring: Anchoring) => {
  const { node } = anchoring;
  const path = hopPath(anchoring);
  // One response is an anchor; a hostile trace can hold many of one hop.
  const response = node.record.status === null ? undefined : graph.targets(node, 'DEREFERENCE_RECEIVED_RESPONSE').at(0);
  const support: readonly Element[] = response === undefined ? [] : [response.edge, response.node];
  return { path, support, required: [...anchorsOf(path), ...support] };
};

/** Where the response of a hop sends its client; null where it is no redirect. */
const targetOf = ({ node: { record }, uri }: Anchoring): string | null => {
  const { status } = record;
  if (status === null || !isRedirect(status)) return null;
  return redirectTarget(uri, status, record.response_headers.find(([name]) => name === 'location')?.[1] ?? null);
};

const judgeAnchored = (graph: Graph, anchoring: Anchoring, policy: AsrfPolicy): readonly Statement[] => {
  const { node, before } = anchoring;
  const state = (reason: Reason, explanation: string): Statement => ({
    reason,
    affected: node,
    ...basisOf(graph, anchoring),
    explanation: `${requestTold(node)}: ${explanation}.`,
  });

  const judgement = judgeHop(node.record, policy, before?.uri ?? null);
  const reason = reasonOf(judgement, policy);
  const statements = judgement.observations.map(({ kind, explanation }) => state(OBSERVATION[kind], explanation));
  if (reason === 'FACT_MISSING') {
    const basis = basisOf(graph, anchoring);
    const missing = factMissing(node, ['connected_address'], `${judgement.explanation}.`, basis);
    statements.unshift({ ...missing, required: basis.required });
  } else if (reason !== null) statements.unshift(state(reason, judgement.explanation));

  const target = targetOf(anchoring);
  if (target !== null && graph.targets(node, 'DEREFERENCE_REDIRECTED_TO').length === 0) {
    const text = judgeUri(target, policy, anchoring.uri);
    const why = text.readings.map((reading) => reading.explanation).join('; ');
    if (isOutside(text)) statements.push(state('ASRF_REDIRECT_OUTSIDE_POLICY_NOT_FOLLOWED', why));
  }
  return statements;
};

const judgeOne = (graph: Graph, anchoring: Anchoring, policy: AsrfPolicy): readonly Statement[] => {
  const { node, missing, depth } = anchoring;
  const unanswered =
    node.record.status !== null && graph.targets(node, 'DEREFERENCE_RECEIVED_RESPONSE').length === 0
      ? (['DEREFERENCE_RECEIVED_RESPONSE'] as const)
      : [];
  if (missing.length + unanswered.length > 0) return [anchorMissing(node, [...missing, ...unanswered])];
  if (depth <= MAX_REDIRECTS) return judgeAnchored(graph, anchoring, policy);
  // The hops after it are not judged either: each would hold a path of all before it.
  if (depth > MAX_REDIRECTS + 1) return [];
  const path = hopPath(anchoring);
  const explanation = `Dereference ${node.id} is redirect ${depth} of one reference; the rule follows ${MAX_REDIRECTS}, so neither it nor any that follows it was judged.`;
  return [{ reason: 'ASRF_TOO_MANY_REDIRECTS', affected: node, path, required: anchorsOf(path), explanation }];
};

/** ASRF, agent-side request forgery: a reference that an exchange brought made the agent send a request outside policy. */
export const asrf: Rule = {
  watches: 'uri_dereference',
  judge: (graph, { asrf: policy }) => ({
    triggers: graph.nodes('uri_dereferences').length,
    statements: [
      ...[...anchorings(graph)].flatMap((anchoring) => judgeOne(graph, anchoring, policy)),
      ...unfollowedReferences(graph, policy),
    ],
  }),
};
