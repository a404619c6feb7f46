import type { Crypto } from '../base/crypto.ts';
import type { JsonObject } from '../base/json-value.ts';
import type { Refusal } from '../base/result.ts';
import type { Records } from '../evidence/bundle.ts';
import { COLLECTIONS } from '../evidence/collections.ts';
import type { Edges } from '../relate/ends.ts';
import type { ReceiptBody } from '../seal/receipt.ts';
import type { TrustedKey, TrustStore } from '../seal/trust.ts';
import { checkCommitments } from './integrity-commitments.ts';
import { checkEdges } from './integrity-edges.ts';
import { checkShape } from './integrity-shape.ts';
import { checkSignature } from './integrity-signature.ts';
import type { Parsed } from './parse.ts';

declare const intact: unique symbol;
/** Evidence as a trusted key signed it, every record and edge well-formed; deep-frozen. */
export type Intact = {
  readonly records: Records;
  /** In edge_id order. */
  readonly edges: Edges;
  readonly receipt: ReceiptBody;
  readonly key: TrustedKey;
  readonly [intact]: true;
};

export type Expectation = {
  /** The incident the reader asks about; null when any will do. */
  readonly expectedIncident: string | null;
};

type IntegrityStep = 'signature' | 'commitments' | 'identifiers' | 'edges';
/** Every refusal of the first step that refuses, and which step that is. */
export type NotIntact = { readonly ok: false; readonly stage: IntegrityStep; readonly refusals: readonly Refusal[] };

/** What a trusted key signed is taken into memory, where its rows were read one by one until here. */
const inMemory = (bundle: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(bundle).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]));

/** The steps of FORMAT.md section 8 from the signature to the edges. Returns the evidence, or where and why it is refused. */
export const checkIntegrity = (
  parsed: Parsed,
  trust: TrustStore,
  expectation: Expectation,
  crypto: Crypto,
): { readonly ok: true; readonly value: Intact } | NotIntact => {
  const signed = checkSignature(parsed.receipt, trust, expectation.expectedIncident, crypto);
  if (!signed.ok) return { ...signed, stage: 'signature' };
  const { receipt, key } = signed.value;
  const committed = checkCommitments(parsed, receipt, crypto);
  if (!committed.ok) return { ...committed, stage: 'commitments' };
  const shaped = checkShape(inMemory(parsed.bundle), receipt.body.issued_at);
  if (!shaped.ok) return { ...shaped, stage: 'identifiers' };
  const edges = checkEdges(shaped.value, crypto);
  if (!edges.ok) return { ...edges, stage: 'edges' };
  const records = Object.freeze(
    Object.fromEntries(COLLECTIONS.map((collection) => [collection, shaped.value[collection]])),
  );
  return { ok: true, value: { records, edges: edges.value, receipt: receipt.body, key } as unknown as Intact };
};
