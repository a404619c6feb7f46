import { canonical } from '../base/canonical.ts';
import type { Crypto } from '../base/crypto.ts';
import { digest } from '../base/digest.ts';
import { TAGS } from '../base/tags.ts';
import type { Edge, EdgePayload, Records } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS } from '../evidence/collections.ts';
import type { Relation } from '../evidence/relations.ts';
import { DERIVATION } from './derivation.ts';

/** The label of an edge: the first 24 hex digits of D(A2AFT.EdgeId.v3, S(e)) (FORMAT.md section 4). */
export const edgeId = (payload: EdgePayload, crypto: Crypto): string =>
  digest(crypto, TAGS.edgeId, canonical(payload)).slice(0, 24);

/**
 * Derives every relationship of a set of records: a pure function (FORMAT.md section 10).
 * A joining field that is null or names no record gives no edge; a dangling one is judged at admissibility.
 * Returns the edges in edge_id order, each once.
 */
export const deriveEdges = (records: Records, crypto: Crypto): readonly Edge[] => {
  const ids = new Map(
    COLLECTIONS.map((collection) => {
      const member = COLLECTION_INFO[collection].id;
      return [collection, new Set(records[collection].map((record) => (record as Record<string, unknown>)[member]))];
    }),
  );
  const edges = new Map<string, Edge>();
  for (const relation of Object.keys(DERIVATION) as Relation[]) {
    for (const { from, to, metadata = {} } of DERIVATION[relation].joins(records)) {
      const [source, sourceId] = from;
      const [destination, destinationId] = to;
      if (sourceId === null || destinationId === null) continue;
      if (!ids.get(source)?.has(sourceId) || !ids.get(destination)?.has(destinationId)) continue;
      const payload: EdgePayload = {
        destination_id: destinationId,
        destination_type: COLLECTION_INFO[destination].node,
        metadata,
        relation,
        source_id: sourceId,
        source_type: COLLECTION_INFO[source].node,
      };
      const edge_id = edgeId(payload, crypto);
      edges.set(edge_id, { ...payload, edge_id });
    }
  }
  return [...edges.values()].sort((a, b) => (a.edge_id < b.edge_id ? -1 : 1));
};
