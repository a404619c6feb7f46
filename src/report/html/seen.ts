import type { Crypto } from '../../base/crypto.ts';
import type { JsonObject, JsonValue } from '../../base/json-value.ts';
import type { Bundle, Edge } from '../../evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../../evidence/collections.ts';
import { readTrust, type TrustedKey } from '../../seal/trust.ts';
import type { Report, ReportElement } from '../model.ts';
import { rowsOf as recordsIn } from '../summary.ts';

/** What a finding makes of a record: the one it names, or one that leads to it. */
export type Mark = 'affected' | 'supporting';
/** A record as the page shows it. */
export type Row = {
  readonly collection: Collection;
  readonly type: string;
  readonly id: string;
  /** `type id`, by which findings and edges name it. */
  readonly key: string;
  readonly sequence: number;
  readonly at: string;
  readonly observer: string;
  readonly fields: JsonObject;
  readonly mark: Mark | null;
};

/** All that a page is made from. */
export type Seen = {
  readonly report: Report;
  /** Records in runtime order; none where integrity was not established: nothing is then shown as if it were evidence. */
  readonly rows: readonly Row[];
  readonly edges: readonly Edge[];
  /** The trust store's entry of the key that the receipt names; null when it has none. */
  readonly key: TrustedKey | null;
  /** Keys of edges on a supporting path. */
  readonly supporting: ReadonlySet<string>;
};

export const keyOf = ({ type, id }: { readonly type: string; readonly id: string }): string => `${type} ${id}`;

/** The stable anchor of a record: type and id, which are made of letters, digits and `. _ : -`. */
export const anchorOf = ({ type, id }: { readonly type: string; readonly id: string }): string =>
  `record-${type}-${id}`;

const isEdge = (element: ReportElement): element is Extract<ReportElement, { edge_id: string }> => 'edge_id' in element;

const marksOf = ({ findings, inconclusive }: Report) => {
  const marks = new Map<string, Mark>();
  const supporting = new Set<string>();
  for (const { evidence_path: path } of findings) {
    for (const element of path) {
      if (isEdge(element)) supporting.add(element.edge_id);
      else marks.set(keyOf(element), 'supporting');
    }
  }
  // Where nothing is indicated, what could not be judged is what a reader looks for.
  for (const { affected } of findings.length > 0 ? findings : inconclusive) marks.set(keyOf(affected), 'affected');
  return { marks, supporting };
};

const told = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** The records of a bundle in runtime order, each with its mark; of a bundle that nobody checked as well, as far as it has any. */
export const rowsOf = (bundle: JsonObject, marks: ReadonlyMap<string, Mark>): readonly Row[] =>
  COLLECTIONS.flatMap((collection) => {
    const { id: member, node: type } = COLLECTION_INFO[collection];
    return recordsIn(bundle, collection).map((fields): Row => {
      const id = told(fields[member]);
      const key = keyOf({ type, id });
      const sequence = Number(fields.sequence ?? 0);
      return {
        collection,
        type,
        id,
        key,
        sequence,
        at: told(fields.observed_at),
        observer: told(fields.observer),
        fields,
        mark: marks.get(key) ?? null,
      };
    });
  }).sort((a, b) => a.sequence - b.sequence);

/** The relationships of a bundle, by the same measure. */
export const edgesOf = (bundle: JsonObject): readonly Edge[] =>
  recordsIn(bundle, 'edges').filter((edge) =>
    ENDS.every((member) => typeof edge[member] === 'string'),
  ) as unknown as readonly Edge[];

const ENDS = ['source_type', 'source_id', 'destination_type', 'destination_id', 'relation', 'edge_id'] as const;

/**
 * Takes a report, the bundle where it passed integrity (else null), and the bytes of the trust store it was judged under; returns what a page of
 * it is made from.
 */
export const seenOf = (report: Report, intact: Bundle | null, trust: Uint8Array, crypto: Crypto): Seen => {
  const { marks, supporting } = marksOf(report);
  const store = readTrust(trust, crypto);
  const bundle = intact as unknown as JsonObject | null;
  return {
    report,
    rows: bundle === null ? [] : rowsOf(bundle, marks),
    edges: bundle === null ? [] : edgesOf(bundle),
    key: (store.ok && report.key_id !== null && store.value.keys.get(report.key_id)) || null,
    supporting,
  };
};
