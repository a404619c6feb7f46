import { expect, test } from 'vitest';
import { type ByteSource, inMemory } from '../../src/base/byte-source.ts';
import { canonical } from '../../src/base/canonical.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import { portableCrypto } from '../../src/base/portable-crypto.ts';
import { readDocument } from '../../src/base/read-canonical.ts';
import { reportOf } from '../../src/report/report.ts';
import { readTrust } from '../../src/seal/trust.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import type { Outcome } from '../../src/verify/outcome.ts';
import { quickIntegrity } from '../../src/verify/quick-integrity.ts';
import { createVerifier, type Verifier } from '../../src/verify/verify.ts';
import { asObject, buildBundle, bytesOf } from '../support/bundle.ts';
import { edits } from '../support/edit.ts';
import { pinningProfile, sealedFiles } from '../support/pair.ts';

/** Each path needs a fraction of a second for some dozens of edits. */
const SAMPLED = 70;

const bundle = buildBundle();
const files = sealedFiles(bundle);
const receipt = asObject(JSON.parse(new TextDecoder().decode(files.receipt)));
const given = { profile: files.profile, trust: files.trust, mode: 'full', otherProfile: false } as const;
const native = createVerifier(given, nativeCrypto);
const portable = createVerifier(given, portableCrypto);

/** As a capture writes a file: each row canonical, on a line of its own. */
const inLines = (document: JsonObject): Uint8Array => {
  const members = Object.entries(document).map(([name, value]) => {
    const held = Array.isArray(value) ? `[\n${value.map(canonical).join(',\n')}]` : canonical(value);
    return `"${name}":${held}`;
  });
  return new TextEncoder().encode(`{${members.join(',\n')}\n}\n`);
};

/** The same document with white space wherever JSON lets it stand: no row is canonical, and the strict reader reads it. */
const pretty = (document: JsonObject): Uint8Array => new TextEncoder().encode(JSON.stringify(document, null, 1));

type Path = (bundle: JsonObject, receipt: JsonObject) => Outcome;
const ofFiles =
  (verifier: Verifier, write: (document: JsonObject) => Uint8Array): Path =>
  (one, other) =>
    verifier.verifyFiles({ bundle: write(one), receipt: write(other) });
/** A source that gives no more at once than it must, nor the same bytes twice in one place. */
const inPieces = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  whole: null,
  stretch: (from, least) => {
    const base = Math.max(0, from - (from % 7));
    return { bytes: bytes.slice(base, from + least), base };
  },
});
const ofSource: Path = (one, other) => {
  const [text, receiptText] = [inLines(one), inLines(other)];
  return native.verifySource({
    bundle: inPieces(text),
    bundleSha256: () => nativeCrypto.sha256Hex(text),
    receipt: receiptText,
  });
};

/** Every way to a report. */
const PATHS: Readonly<Record<string, Path>> = {
  'files as a capture writes them': ofFiles(native, inLines),
  'files in another spelling': ofFiles(native, pretty),
  'files, portable crypto': ofFiles(portable, inLines),
  'a bundle in pieces': ofSource,
  values: (one, other) =>
    native.verifyValues({ bundle: structuredClone(one), receipt: structuredClone(other), inputs: [] }),
};

/** The report without the digests of the files, which are other files. */
const told = (outcome: Outcome) => ({ ...reportOf(outcome), inputs: [] });

/** Members in the order of S(x), as a report repeats values in the order in which they stand. */
const ordered = (document: JsonObject): JsonObject => asObject(JSON.parse(canonical(document)));

const expectOneReport = (edited: JsonObject, itsReceipt: JsonObject, what: string): string => {
  const [one, other] = [ordered(edited), ordered(itsReceipt)];
  const reports = Object.entries(PATHS).map(([path, verify]) => ({ path, report: told(verify(one, other)) }));
  for (const { path, report } of reports)
    expect({ what, path, report }).toEqual({ what, path, report: reports[0]!.report });
  return reports[0]!.report.verdict;
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

test('a valid pair has one report on every path', () => {
  expect(expectOneReport(bundle, receipt, 'valid')).toMatch(/^FORENSICALLY_|INCONCLUSIVE/);
  expect(told(native.verifyFiles({ bundle: bytesOf(bundle), receipt: files.receipt }))).toEqual(
    told(native.verifyFiles({ bundle: inLines(bundle), receipt: inLines(receipt) })),
  );
});

test('an edited bundle has one report on every path, reasons included', () => {
  const verdicts = sampled(bundle).map(({ kind, path, value }) =>
    expectOneReport(value, receipt, `bundle ${kind} ${path.join('/')}`),
  );
  expect(verdicts.filter((verdict) => verdict === 'INTEGRITY_REFUSED').length).toBeGreaterThan(SAMPLED / 2);
});

test('an edited receipt has one report on every path, reasons included', () => {
  for (const { kind, path, value } of sampled(receipt)) {
    expectOneReport(bundle, value, `receipt ${kind} ${path.join('/')}`);
  }
});

test('a bundle sealed after an edit has one report on every path: shape, edges and admissibility too', () => {
  const stages = new Set<string | null>();
  for (const { kind, path, value } of sampled(bundle)) {
    if (path[0] === 'trace_metadata' || path[0] === 'format') continue;
    const other = sealedFiles(value, pinningProfile(bundle));
    const signed = asObject(JSON.parse(new TextDecoder().decode(other.receipt)));
    expectOneReport(value, signed, `sealed after ${kind} ${path.join('/')}`);
    stages.add(native.verifyFiles({ bundle: inLines(value), receipt: inLines(signed) }).refusedAt);
  }
  expect(stages).toEqual(new Set(['admissibility', 'commitments', 'edges', 'identifiers', null]));
});
