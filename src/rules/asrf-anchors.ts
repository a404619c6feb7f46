import type { Relation } from '../evidence/relations.ts';
import type { Graph } from '../relate/graph.ts';
import type { Element, Node } from '../relate/nodes.ts';
import { resolveLocation } from './detectors/uri/readings.ts';

type Reference = Node<'uri_references'>;
type Dereference = Node<'uri_dereferences'>;

/** No client follows so many redirects; it bounds the evidence path of each hop. */
export const MAX_REDIRECTS = 64;

/** How a hop hangs together with the exchange that brought its reference; `missing` names the anchors that it lacks. */
export type Anchoring = {
  readonly node: Dereference;
  /** The hop that redirected to this one; null for the first. */
  readonly before: Anchoring | null;
  /** What leads from the hop before, or from the exchange, to this hop. */
  readonly lead: readonly Element[];
  /** Redirects so far. */
  readonly depth: number;
  readonly missing: readonly Relation[];
  /** Its URI made absolute over the hops before; as it stands where that cannot be done. */
  readonly uri: string;
};

/** From the exchange, by the artifact if one holds the reference, to the reference; the anchor relations it lacks. */
export const referenceLead = (
  graph: Graph,
  node: Reference,
): { readonly lead: readonly Element[]; readonly missing: readonly Relation[] } => {
  const [exchange] = graph.sources(node, 'EXCHANGE_REFERENCED_URI');
  if (exchange !== undefined) return { lead: [exchange.node, exchange.edge, node], missing: [] };
  const [artifact] = graph.sources(node, 'ARTIFACT_REFERENCED_URI');
  if (artifact !== undefined) {
    const [producer] = graph.sources(artifact.node, 'EXCHANGE_PRODUCED_ARTIFACT');
    const toArtifact = producer === undefined ? [] : [producer.node, producer.edge];
    return { lead: [...toArtifact, artifact.node, artifact.edge, node], missing: [] };
  }
  const { exchange_id: inExchange, artifact_record_id: inArtifact } = node.record;
  const missing: Relation[] = [];
  if (inExchange !== null || inArtifact === null) missing.push('EXCHANGE_REFERENCED_URI');
  if (inArtifact !== null || inExchange === null) missing.push('ARTIFACT_REFERENCED_URI');
  return { lead: [node], missing };
};

const anchoringOf = (graph: Graph, node: Dereference, known: ReadonlyMap<Dereference, Anchoring>): Anchoring => {
  const { redirect_of, hop, uri } = node.record;
  if (redirect_of !== null || hop > 0) {
    const [redirect] = graph.sources(node, 'DEREFERENCE_REDIRECTED_TO');
    // A hop comes after the one that redirected to it, so this also ends every cycle.
    const before = redirect === undefined ? undefined : known.get(redirect.node);
    if (redirect === undefined || before === undefined) {
      return { node, before: null, lead: [], depth: 0, missing: ['DEREFERENCE_REDIRECTED_TO'], uri };
    }
    const absolute = resolveLocation(uri, before.uri) ?? uri;
    const depth = before.depth + 1;
    return { node, before, lead: [redirect.edge], depth, missing: before.missing, uri: absolute };
  }
  const [reference] = graph.sources(node, 'URI_REFERENCE_DEREFERENCED');
  if (reference === undefined) {
    return { node, before: null, lead: [], depth: 0, missing: ['URI_REFERENCE_DEREFERENCED'], uri };
  }
  const { lead, missing } = referenceLead(graph, reference.node);
  return { node, before: null, lead: [...lead, reference.edge], depth: 0, missing, uri };
};

/** Every dereference in sequence order, joined to the hop before it. */
export const anchorings = (graph: Graph): Iterable<Anchoring> => {
  const known = new Map<Dereference, Anchoring>();
  for (const node of graph.nodes('uri_dereferences')) known.set(node, anchoringOf(graph, node, known));
  return known.values();
};

/** From the exchange over every redirect to the hop. */
export const hopPath = (anchoring: Anchoring): readonly Element[] => {
  const backwards: Element[] = [];
  for (let at: Anchoring | null = anchoring; at !== null; at = at.before) {
    backwards.push(at.node, ...at.lead.toReversed());
  }
  return backwards.reverse();
};
