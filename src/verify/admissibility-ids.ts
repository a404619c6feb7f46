import type { RecordOf, Records } from '../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import { type Inadmissible, shown } from './admissibility-refusals.ts';

/** Every member that holds ids of other records, and the collection they are in. Words that are no id name no record. */
type ForeignIds = {
  readonly [C in Collection]?: Readonly<
    Partial<Record<keyof RecordOf<C>, { readonly in: Collection; readonly words?: readonly string[] }>>
  >;
};

const CARD = { endpoint_id: { in: 'endpoints' } } as const;

export const FOREIGN_IDS: ForeignIds = {
  candidate_cards: CARD,
  trusted_cards: CARD,
  selected_cards: CARD,
  endpoints: { card_id: { in: 'selected_cards' } },
  discovery_events: {
    considered_card_ids: { in: 'candidate_cards' },
    trusted_card_ids: { in: 'trusted_cards' },
    selected_card_id: { in: 'selected_cards' },
  },
  exchanges: { endpoint_id: { in: 'endpoints' } },
  capability_invocations: { exchange_id: { in: 'exchanges' } },
  routing_events: {
    exchange_id: { in: 'exchanges' },
    predecessor: { in: 'routing_events', words: ['root', 'unknown'] },
    progress_transition_id: { in: 'task_transitions' },
    progress_artifact_record_id: { in: 'artifacts' },
  },
  task_transitions: { exchange_id: { in: 'exchanges' }, previous_transition_id: { in: 'task_transitions' } },
  task_load_snapshots: { endpoint_id: { in: 'endpoints' } },
  uri_references: { exchange_id: { in: 'exchanges' }, artifact_record_id: { in: 'artifacts' } },
  uri_dereferences: { reference_id: { in: 'uri_references' }, redirect_of: { in: 'uri_dereferences' } },
  dereference_responses: { dereference_id: { in: 'uri_dereferences' } },
  artifacts: { exchange_id: { in: 'exchanges' }, appends_to: { in: 'artifacts' } },
  artifact_renders: { artifact_record_id: { in: 'artifacts' }, sanitizer_id: { in: 'sanitizers' } },
  sanitizers: { artifact_record_id: { in: 'artifacts' } },
};

/** What is known of the ids of a bundle. */
export type KnownIds = {
  /** Whether each id that a member of the records of a collection holds is known to be one of the target. */
  readonly resolves: (collection: Collection, member: string, target: Collection) => boolean;
  /** Whether that member of each of the records is known to be null. */
  readonly isUnused: (collection: Collection, member: string) => boolean;
  readonly has: (collection: Collection, id: string) => boolean;
};

const MEMBERS = COLLECTIONS.flatMap((collection) =>
  Object.entries(FOREIGN_IDS[collection] ?? {}).map(([member, { in: target, words = [] }]) => ({
    collection,
    member,
    target,
    words,
  })),
);

/** Every foreign id names a record; null says "not seen" (RULES.md, the evidence contract). */
export const checkForeignIds = (records: Records, refusals: Inadmissible, known: KnownIds): void => {
  for (const { collection, member, target, words } of MEMBERS) {
    const rows = records[collection] as readonly unknown[] as readonly Row[];
    if (rows.length === 0 || known.resolves(collection, member, target)) continue;
    const check = (record: Row, id: string): void => {
      if (words.includes(id) || known.has(target, id)) return;
      const detail = `${member} is ${shown(id)}, and no record of ${target} has that id`;
      refusals.refuse(collection, record as never, member, 'INADMISSIBLE_DANGLING_ID', detail);
    };
    for (const record of rows) {
      const held = record[member] ?? null;
      if (typeof held === 'string') check(record, held);
      else if (held !== null) for (const id of held) check(record, id);
    }
  }
};

type Row = Readonly<Record<string, string | null | readonly string[]>>;

/** The ids of records; those of a collection are gathered when one is first asked for. */
export const idsOf = (records: Records): KnownIds => {
  const gathered = new Map<Collection, ReadonlySet<string>>();
  const gather = (collection: Collection): ReadonlySet<string> => {
    const rows = records[collection] as readonly unknown[] as readonly Readonly<Record<string, string>>[];
    const ids = new Set(rows.map((row) => row[COLLECTION_INFO[collection].id]!));
    gathered.set(collection, ids);
    return ids;
  };
  return {
    resolves: () => false,
    isUnused: () => false,
    has: (collection, id) => (gathered.get(collection) ?? gather(collection)).has(id),
  };
};
