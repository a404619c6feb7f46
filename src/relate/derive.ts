import { canonical } from '../base/canonical.ts';
import type { Crypto } from '../base/crypto.ts';
import { digest } from '../base/digest.ts';
import { TAGS } from '../base/tags.ts';
import type { Edge, EdgePayload, Records } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { Relation } from '../evidence/relations.ts';
import { DERIVATION } from './derivation.ts';

/** S(e), its members in the order of their names. */
export const payloadText = (edge: EdgePayload): string =>
  `{"destination_id":${canonical(edge.destination_id)},"destination_type":"${edge.destination_type}","metadata":${canonical(edge.metadata)},"relation":"${edge.relation}","source_id":${canonical(edge.source_id)},"source_type":"${edge.source_type}"}`;

/** The label of an edge: the first 24 hex digits of D(A2AFT.EdgeId.v3, S(e)) (FORMAT.md section 4). */
const edgeId = (payload: EdgePayload, crypto: Crypto): string =>
  digest(crypto, TAGS.edgeId, payloadText(payload)).slice(0, 24);

type Ids = (collection: Collection, id: string) => boolean;

/** The edges of one relation without their labels, equal ones more than once; `has` tells whether a record is there. */
export function* payloadsOf(relation: Relation, records: Records, has: Ids): Iterable<EdgePayload> {
  for (const { from, to, metadata = {} } of DERIVATION[relation].joins(records)) {
    const [source, sourceId] = from;
    const [destination, destinationId] = to;
    if (sourceId === null || destinationId === null) continue;
    if (!has(source, sourceId) || !has(destination, destinationId)) continue;
    yield {
      destination_id: destinationId,
      destination_type: COLLECTION_INFO[destination].node,
      metadata,
      relation,
      source_id: sourceId,
      source_type: COLLECTION_INFO[source].node,
    };
  }
}

/**
 * Derives every relationship of a set of records: a pure function (FORMAT.md section 10).
 * A joining field that is null or names no record gives no edge; a dangling one is judged at admissibility.
 * Returns the edges in edge_id order, each once; with `most`, no more than one beyond it, since n tasks and n snapshots
 * give n² edges.
 */
export const deriveEdges = (records: Records, crypto: Crypto, most = Number.POSITIVE_INFINITY): readonly Edge[] => {
  const ids = new Map<Collection, ReadonlySet<unknown>>(
    COLLECTIONS.map((collection) => {
      const member = COLLECTION_INFO[collection].id;
      return [collection, new Set(records[collection].map((record) => (record as Record<string, unknown>)[member]))];
    }),
  );
  const edges = new Map<string, Edge>();
  for (const relation of Object.keys(DERIVATION) as Relation[]) {
    for (const payload of payloadsOf(relation, records, (collection, id) => ids.get(collection)!.has(id))) {
      const edge_id = edgeId(payload, crypto);
      edges.set(edge_id, { ...payload, edge_id });
      if (edges.size > most) return inOrder(edges);
    }
  }
  return inOrder(edges);
};

const inOrder = (edges: ReadonlyMap<string, Edge>): readonly Edge[] =>
  [...edges.values()].sort((a, b) => (a.edge_id < b.edge_id ? -1 : 1));
