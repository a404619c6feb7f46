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

/** An edge without its label, and what its ends were found to be. */
type Payload<T> = { readonly edge: EdgePayload; readonly source: T; readonly destination: T };

/** The edges of one relation, equal ones more than once; `find` tells what a record is, null where it is not there. */
export function* payloadsOf<T>(
  relation: Relation,
  records: Records,
  find: (collection: Collection, id: string) => T | null,
): Iterable<Payload<T>> {
  for (const { from, to, metadata = {} } of DERIVATION[relation].joins(records)) {
    const [sources, source_id] = from;
    const [destinations, destination_id] = to;
    const source = source_id === null ? null : find(sources, source_id);
    const destination = destination_id === null || source === null ? null : find(destinations, destination_id);
    if (source_id === null || source === null || destination_id === null || destination === null) continue;
    const [source_type, destination_type] = [COLLECTION_INFO[sources].node, COLLECTION_INFO[destinations].node];
    const edge = { destination_id, destination_type, metadata, relation, source_id, source_type };
    yield { edge, source, destination };
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
  const find = (collection: Collection, id: string): true | null => ids.get(collection)!.has(id) || null;
  const edges = new Map<string, Edge>();
  for (const relation of Object.keys(DERIVATION) as Relation[]) {
    for (const { edge } of payloadsOf(relation, records, find)) {
      const edge_id = edgeId(edge, crypto);
      edges.set(edge_id, { ...edge, edge_id });
      if (edges.size > most) return inOrder(edges);
    }
  }
  return inOrder(edges);
};

const inOrder = (edges: ReadonlyMap<string, Edge>): readonly Edge[] =>
  [...edges.values()].sort((a, b) => (a.edge_id < b.edge_id ? -1 : 1));
