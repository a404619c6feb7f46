import { canonical } from '../base/canonical.ts';
import type { Crypto } from '../base/crypto.ts';
import type { JsonValue } from '../base/json-value.ts';
import type { Reason } from '../base/reasons.ts';
import { ok, type Result, refused } from '../base/result.ts';
import type { Bundle, Edge } from '../evidence/bundle.ts';
import { deriveEdges } from '../relate/derive.ts';
import { deepFreeze } from './deep-freeze.ts';
import { Refusals } from './refusals.ts';

/** Edges that are not stored cost a stranger nothing: beyond so many, the others are not derived, nor named. */
const MISSING_DERIVED = 100_000;

/**
 * Step edges: derives the edges from the records again; the stored ones must be exactly those (FORMAT.md section 4).
 * Returns them in edge_id order, or names each missing, extra or differing edge.
 */
export const checkEdges = (bundle: Bundle, crypto: Crypto): Result<readonly Edge[]> => {
  const most = bundle.edges.length + MISSING_DERIVED;
  const derived = deriveEdges(bundle, crypto, most);
  const isWhole = derived.length <= most;
  if (areThese(bundle.edges, derived)) return ok(bundle.edges);
  const refusals = new Refusals();
  const refuse = (reason: Reason, edge: Edge, detail: string) =>
    refusals.add({ reason, at: { input: 'bundle', collection: 'edges', id: edge.edge_id }, detail });
  const expected = new Map(derived.map((edge) => [edge.edge_id, edge]));
  for (const stored of bundle.edges) {
    const edge = expected.get(stored.edge_id);
    if (edge === undefined) {
      if (isWhole) refuse('EDGE_NOT_DERIVED', stored, describe(stored));
    } else if (text(edge) !== text(stored)) {
      refuse('EDGE_DIFFERS', stored, `derived ${describe(edge)}, stored ${describe(stored)}`);
    }
  }
  const storedIds = new Set(bundle.edges.map((edge) => edge.edge_id));
  for (const edge of derived) {
    if (!storedIds.has(edge.edge_id)) refuse('EDGE_MISSING', edge, describe(edge));
  }
  const all = refusals.all();
  return all.length > 0 ? refused(...all) : ok(deepFreeze(derived));
};

/** A capture stores the edges in edge_id order, so those of an honest bundle are told one beside the other. */
const areThese = (stored: readonly Edge[], derived: readonly Edge[]): boolean =>
  stored.length === derived.length && stored.every((edge, at) => isSame(edge, derived[at]!));

const isSame = (stored: Edge, derived: Edge): boolean =>
  stored.edge_id === derived.edge_id &&
  stored.source_id === derived.source_id &&
  stored.destination_id === derived.destination_id &&
  stored.relation === derived.relation &&
  stored.source_type === derived.source_type &&
  stored.destination_type === derived.destination_type &&
  ((isEmpty(stored.metadata) && isEmpty(derived.metadata)) ||
    canonical(stored.metadata) === canonical(derived.metadata));

const isEmpty = (metadata: Edge['metadata']): boolean => {
  for (const _ in metadata) return false;
  return true;
};

const text = (edge: Edge): string => canonical(edge as unknown as JsonValue);

const describe = (edge: Edge): string =>
  `${edge.source_type} ${edge.source_id} ${edge.relation} ${edge.destination_type} ${edge.destination_id}`;
