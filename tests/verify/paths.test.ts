import { afterAll, expect, test } from 'vitest';
import { inMemory } from '../../src/base/byte-source.ts';
import { digest } from '../../src/base/digest.ts';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { readDocument } from '../../src/base/read-canonical.ts';
import { TAGS } from '../../src/base/tags.ts';
import type { Edge, EdgePayload } from '../../src/evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS } from '../../src/evidence/collections.ts';
import { payloadText } from '../../src/relate/derive.ts';
import { readTrust } from '../../src/seal/trust.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { FOREIGN_IDS } from '../../src/verify/admissibility-ids.ts';
import { quickIntegrity } from '../../src/verify/quick-integrity.ts';
import { createVerifier } from '../../src/verify/verify.ts';
import { asObject, buildBundle, bundleOf, bytesOf } from '../support/bundle.ts';
import { edits } from '../support/edit.ts';
import { pinningProfile, sealedFiles } from '../support/pair.ts';
import { inLines, inPieces, openPaths, ordered, orderedReceipt, pretty, told } from './paths.ts';

/** Each path needs a fraction of a second for some dozens of edits. */
const SAMPLED = 70;

const bundle = buildBundle();
const files = sealedFiles(bundle);
const receipt = asObject(JSON.parse(new TextDecoder().decode(files.receipt)));
const given = { profile: files.profile, trust: files.trust, mode: 'full', otherProfile: false } as const;
const native = createVerifier(given, nativeCrypto);
const { paths, close } = openPaths(given);
afterAll(close);

const expectOneReport = async (edited: JsonObject, itsReceipt: JsonObject, what: string): Promise<string> => {
  const [one, other] = [ordered(edited), orderedReceipt(itsReceipt)];
  const [first, ...others] = await Promise.all(
    Object.entries(paths).map(async ([path, verify]) => ({ path, report: await verify(one, other) })),
  );
  for (const { path, report } of others) expect({ what, path, report }).toEqual({ what, path, report: first!.report });
  return first!.report.verdict;
};

const sampled = (document: JsonObject) => {
  const all = [...edits(document)];
  const stride = Math.ceil(all.length / SAMPLED);
  return all.filter((_, at) => at % stride === 0);
};

test('what is well is told at once, from memory and from pieces', () => {
  const bytes = inLines(bundle);
  const trust = readTrust(files.trust, nativeCrypto);
  for (const source of [inMemory(bytes), inPieces(bytes)]) {
    const quick =
      trust.ok && quickIntegrity(source, inLines(receipt), trust.value, { expectedIncident: null }, nativeCrypto);
    expect(quick ? quick.intact.edges.length : null).toBe((bundle.edges as unknown[]).length);
  }
});

test('the first path hands on the text of the rows, the second does not: two ways through the reader are compared', () => {
  const rowsOf = (bytes: Uint8Array): number => {
    const read = readDocument(bytes, { input: 'bundle', recordAttributes: true });
    return read.ok ? read.value.rows.size : -1;
  };
  expect(rowsOf(inLines(bundle))).toBe(18);
  expect(rowsOf(pretty(bundle))).toBe(0);
});

test('a valid pair has one report on every path', async () => {
  expect(await expectOneReport(bundle, receipt, 'valid')).toMatch(/^FORENSICALLY_|INCONCLUSIVE/);
  expect(told(native.verifyFiles({ bundle: bytesOf(bundle), receipt: files.receipt }))).toEqual(
    told(native.verifyFiles({ bundle: inLines(bundle), receipt: inLines(receipt) })),
  );
});

test('an edited bundle has one report on every path, reasons included', async () => {
  const verdicts: string[] = [];
  for (const { kind, path, value } of sampled(bundle))
    verdicts.push(await expectOneReport(value, receipt, `bundle ${kind} ${path.join('/')}`));
  expect(verdicts.filter((verdict) => verdict === 'INTEGRITY_REFUSED').length).toBeGreaterThan(SAMPLED / 2);
});

test('an edited receipt has one report on every path, reasons included', async () => {
  for (const { kind, path, value } of sampled(receipt)) {
    await expectOneReport(bundle, value, `receipt ${kind} ${path.join('/')}`);
  }
});

test('a bundle sealed after an edit has one report on every path: shape, edges and admissibility too', async () => {
  const stages = new Set<string | null>();
  for (const { kind, path, value } of sampled(bundle)) {
    if (path[0] === 'trace_metadata' || path[0] === 'format') continue;
    const other = sealedFiles(value, pinningProfile(bundle));
    const signed = asObject(JSON.parse(new TextDecoder().decode(other.receipt)));
    await expectOneReport(value, signed, `sealed after ${kind} ${path.join('/')}`);
    stages.add(native.verifyFiles({ bundle: inLines(value), receipt: inLines(signed) }).refusedAt);
  }
  expect(stages).toEqual(new Set(['admissibility', 'commitments', 'edges', 'identifiers', null]));
});

test('an edge that was left out, or leads to another record under its right label, is refused at the edges although a trusted key signed it', () => {
  const stored = bundle.edges as unknown as readonly Edge[];
  const refusedAt = (edges: readonly Edge[]): string | null => {
    const value = ordered({ ...bundle, edges: edges as unknown as JsonValue });
    const other = sealedFiles(value, pinningProfile(bundle));
    const signed = inLines(orderedReceipt(asObject(JSON.parse(new TextDecoder().decode(other.receipt)))));
    return native.verifyFiles({ bundle: inLines(value), receipt: signed }).refusedAt;
  };
  const labelled = (edge: Edge): Edge => {
    const payload = Object.fromEntries(Object.entries(edge).filter(([name]) => name !== 'edge_id')) as EdgePayload;
    return { ...payload, edge_id: digest(nativeCrypto, TAGS.edgeId, payloadText(payload)).slice(0, 24) };
  };
  const idsOfType = (type: string): readonly string[] =>
    COLLECTIONS.filter((collection) => COLLECTION_INFO[collection].node === type).flatMap((collection) =>
      (bundle[collection] as JsonObject[]).map((row) => row[COLLECTION_INFO[collection].id] as string),
    );
  let redirected = 0;
  for (const [at, edge] of stored.entries()) {
    const others = stored.filter((_, index) => index !== at);
    const dropped = refusedAt(others);
    expect({ edge, dropped }).toEqual({ edge, dropped: 'edges' });
    for (const end of ['source', 'destination'] as const) {
      const another = idsOfType(edge[`${end}_type`]).find((id) => id !== edge[`${end}_id`]);
      if (another === undefined) continue;
      const forged = labelled({ ...edge, [`${end}_id`]: another });
      if (others.some(({ edge_id }) => edge_id === forged.edge_id)) continue;
      redirected++;
      const told = refusedAt([...others, forged].sort((a, b) => (a.edge_id < b.edge_id ? -1 : 1)));
      expect({ edge, end, told }).toEqual({ edge, end, told: 'edges' });
    }
  }
  expect(redirected).toBeGreaterThan(stored.length / 2);
});

test('an id that names no record is refused at admissibility, whichever member holds it, although a trusted key signed it', () => {
  const collections = Object.fromEntries(COLLECTIONS.map((name) => [name, bundle[name] as JsonObject[]]));
  let tried = 0;
  for (const [collection, members] of Object.entries(FOREIGN_IDS)) {
    for (const member of Object.keys(members)) {
      const [first, ...others] = collections[collection]!;
      if (first === undefined) continue;
      const nowhere = Array.isArray(first[member]) ? ['nowhere'] : 'nowhere';
      const value = ordered(bundleOf({ ...collections, [collection]: [{ ...first, [member]: nowhere }, ...others] }));
      const other = sealedFiles(value, pinningProfile(bundle));
      const signed = inLines(orderedReceipt(asObject(JSON.parse(new TextDecoder().decode(other.receipt)))));
      const { refusedAt, refusals } = native.verifyFiles({ bundle: inLines(value), receipt: signed });
      const isTold = refusals.some(
        ({ reason, detail }) => reason === 'INADMISSIBLE_DANGLING_ID' && detail.startsWith(`${member} is "nowhere"`),
      );
      expect({ collection, member, refusedAt, isTold }).toEqual({
        collection,
        member,
        refusedAt: 'admissibility',
        isTold: true,
      });
      tried++;
    }
  }
  expect(tried).toBe(Object.values(FOREIGN_IDS).flatMap((members) => Object.keys(members)).length);
});
