import { COLLECTION_INFO } from '../evidence/collections.ts';
import type { Relation } from '../evidence/relations.ts';
import type { Element, Node } from '../relate/nodes.ts';
import type { Statement } from './rule.ts';

/** A record as explanations name it: its type and id. */
export const named = ({ collection, id }: Pick<Node, 'collection' | 'id'>): string =>
  `${COLLECTION_INFO[collection].type} ${id}`;

/** What a statement that something is missing may rest on, beyond the record it is about. */
type Basis = { readonly path?: readonly Element[]; readonly support?: readonly Element[] };

/**
 * Takes a trigger and the anchor relations of its rule that no edge provides (at least one); returns the statement that the
 * trigger cannot be judged. A rule makes it before it reads any content of the trigger (RULES, evidence contract).
 */
export const anchorMissing = (trigger: Node, missing: readonly Relation[], basis: Basis = {}): Statement => ({
  reason: 'ANCHOR_MISSING',
  affected: trigger,
  path: basis.path ?? [trigger],
  support: basis.support ?? [],
  explanation: `${named(trigger)} has no edge ${missing.join(', nor an edge ')}: its content was not examined.`,
  missing,
});

/**
 * Takes the record that cannot be judged, the fields that the judgement needs and that are null, and one sentence that says in
 * which record and what for; returns the statement.
 */
export const factMissing = (
  affected: Node,
  missing: readonly string[],
  explanation: string,
  basis: Basis = {},
): Statement => ({
  reason: 'FACT_MISSING',
  affected,
  path: basis.path ?? [affected],
  support: basis.support ?? [],
  explanation,
  missing,
});
