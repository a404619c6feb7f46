import type { ByteSource } from '../base/byte-source.ts';
import type { Crypto } from '../base/crypto.ts';
import type { Records } from '../evidence/bundle.ts';
import { CARD_COLLECTIONS, COLLECTIONS } from '../evidence/collections.ts';
import { type BundleIds, idsOf } from '../evidence/id-index.ts';
import { NamedRows, NO_ROW } from '../evidence/named-rows.ts';
import { viewsOf } from '../evidence/record-view.ts';
import type { RowTable } from '../evidence/row-table.ts';
import { type ScannedBundle, scanBundle } from '../evidence/scan-bundle.ts';
import type { Ends } from '../relate/ends.ts';
import { tableEdges } from '../relate/table-edges.ts';
import { commitTables } from '../seal/commit-tables.ts';
import type { ReceiptBody } from '../seal/receipt.ts';
import type { TrustStore } from '../seal/trust.ts';
import type { Known } from './admissibility.ts';
import type { KnownIds } from './admissibility-ids.ts';
import type { Expectation, Intact } from './integrity.ts';
import { checkSignature } from './integrity-signature.ts';
import { orderOf } from './quick-order.ts';
import { unsettledByText } from './quick-wire.ts';
import { isReceiptEnd, scanReceipt } from './scan-receipt.ts';

/** Intact evidence, and what is known of it by the way. */
export type QuickIntact = {
  readonly intact: Intact;
  readonly ends: Ends;
  readonly known: () => Known;
};

/**
 * The steps of FORMAT.md section 8 from reading to the edges, on the bytes as they stand, with the same questions as the reader and `checkIntegrity` and one
 * answer alone: all is well. Null says nothing but that they must be asked.
 */
export const quickIntegrity = (
  bundle: ByteSource,
  receiptBytes: Uint8Array,
  trust: TrustStore,
  expectation: Expectation,
  crypto: Crypto,
): QuickIntact | null => {
  const receipt = scanReceipt(receiptBytes);
  if (receipt === null) return null;
  const signed = checkSignature(receipt.document, trust, expectation.expectedIncident, crypto);
  if (!signed.ok) return null;
  const { body } = signed.value.receipt;
  const tables = scanBundle(bundle);
  if (tables === null || tables.trace_metadata.length !== 1) return null;
  const ids = idsOf(tables);
  if (ids === null || !isCommitted(tables, ids, body, receipt.listAt, receiptBytes, crypto)) return null;
  const order = orderOf(tables);
  if (order === null || order.latest > body.issued_at) return null;
  const records = Object.freeze(
    Object.fromEntries(COLLECTIONS.map((collection) => [collection, viewsOf(tables[collection])])),
  ) as unknown as Records;
  if (!isOneCard(records)) return null;
  const [metadata] = records.trace_metadata;
  if (!(['incident_id', 'profile_id', 'capture_backend'] as const).every((name) => metadata![name] === body[name]))
    return null;
  const linked = tableEdges(tables, ids, records);
  if (linked === null) return null;
  const { edges, ends } = linked;
  const intact = { records, edges, receipt: body, key: signed.value.key } as unknown as Intact;
  const known = (): Known => ({
    unsettled: unsettledByText(tables, ids, records, crypto),
    ids: knownIds(tables, ids),
    order,
  });
  return { intact, ends, known };
};

const isCommitted = (
  tables: ScannedBundle,
  ids: BundleIds,
  body: ReceiptBody,
  listAt: number | null,
  receiptBytes: Uint8Array,
  crypto: Crypto,
): boolean => {
  const stored = listAt === null ? null : { bytes: receiptBytes, start: listAt };
  const committed = commitTables(tables, ids, stored, crypto);
  if (committed === null) return false;
  const { count, root, captureDigest, listed } = committed;
  return (
    captureDigest === body.capture_digest &&
    count === body.commitment_count &&
    root === body.incident_root &&
    (listed?.digest ?? null) === body.commitments_digest &&
    (listed === null || isReceiptEnd(receiptBytes, listed.end))
  );
};

const keptOf = (table: RowTable, member: string): NamedRows | null => {
  const kept = table.kept(table.memberNamed(member));
  return kept instanceof NamedRows ? kept : null;
};

const knownIds = (tables: ScannedBundle, ids: BundleIds): KnownIds => ({
  resolves: (collection, member, target) => {
    const kept = keptOf(tables[collection], member);
    return kept !== null && kept.ids === ids[target].ids && !kept.dangles;
  },
  isUnused: (collection, member) => keptOf(tables[collection], member)?.isUnused === true,
  has: (collection, id) => ids[collection].rowOf(id) !== NO_ROW,
});

/** One card may stand in several role lists, but then it is one card. */
const isOneCard = (records: Records): boolean => {
  const roles = CARD_COLLECTIONS.filter((role) => records[role].length > 0);
  if (roles.length < 2) return true;
  const seen = new Map<string, string>();
  for (const role of roles) {
    for (const { card_id, raw } of records[role]) {
      const { sha256 } = raw;
      if ((seen.get(card_id) ?? sha256) !== sha256) return false;
      seen.set(card_id, sha256);
    }
  }
  return true;
};
