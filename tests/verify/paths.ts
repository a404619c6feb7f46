import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ByteSource } from '../../src/base/byte-source.ts';
import { canonical } from '../../src/base/canonical.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import { portableCrypto } from '../../src/base/portable-crypto.ts';
import type { Report } from '../../src/report/model.ts';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import type { Outcome } from '../../src/verify/outcome.ts';
import { createVerifier, type Verifier, type VerifierInput } from '../../src/verify/verify.ts';
import { asObject } from '../support/bundle.ts';

/** As a capture writes a file: each row canonical, on a line of its own. */
export const inLines = (document: JsonObject): Uint8Array => {
  const members = Object.entries(document).map(([name, value]) => {
    const held = Array.isArray(value) ? `[\n${value.map(canonical).join(',\n')}]` : canonical(value);
    return `"${name}":${held}`;
  });
  return new TextEncoder().encode(`{${members.join(',\n')}\n}\n`);
};

/** The same document with white space wherever JSON lets it stand: no row is canonical, and the strict reader reads it. */
export const pretty = (document: JsonObject): Uint8Array => new TextEncoder().encode(JSON.stringify(document, null, 1));

/** A source that gives no more at once than it must, nor the same bytes twice in one place, and spoils what it gave before. */
export const inPieces = (bytes: Uint8Array): ByteSource => {
  let given = new Uint8Array();
  return {
    size: bytes.length,
    whole: null,
    stretch: (from, least) => {
      given.fill(SPOILT);
      const base = Math.max(0, from - (from % 7));
      given = bytes.slice(base, from + least);
      return { bytes: given, base };
    },
  };
};
/** No byte of UTF-8. */
const SPOILT = 0xff;

/** Members in the order of S(x), as a report repeats values in the order in which they stand. */
export const ordered = (document: JsonObject): JsonObject => asObject(JSON.parse(canonical(document)));

/** A receipt likewise, its list of commitments last, as a capture writes it: in any other order it is put to the slow way alone. */
export const orderedReceipt = (receipt: JsonObject): JsonObject => {
  const { commitments, ...rest } = ordered(receipt);
  return commitments === undefined ? rest : { ...rest, commitments };
};

/** The report without the digests of the files, which are other files. */
export const told = (outcome: Outcome): Report => ({ ...reportOf(outcome), inputs: [] });

export type Path = (bundle: JsonObject, receipt: JsonObject) => Report | Promise<Report>;

const ofFiles =
  (verifier: Verifier, write: (document: JsonObject) => Uint8Array): Path =>
  (one, other) =>
    told(verifier.verifyFiles({ bundle: write(one), receipt: write(other) }));

const startThread = (given: VerifierInput) => {
  const file = JSON.stringify(new URL('verify-thread.ts', import.meta.url).href);
  const start = `import('tsx/esm/api').then(({ register }) => { register(); return import(${file}); })`;
  const thread = new Worker(start, { eval: true, workerData: given });
  const broken = once(thread, 'error').then(([error]) => {
    throw error;
  });
  broken.catch(() => {});
  return { thread, broken };
};

/** A thread that verifies one pair after the other, from the first on; one that fails fails all that it is asked. */
const threadOf = (given: VerifierInput) => {
  let started: ReturnType<typeof startThread> | null = null;
  const verify: Path = async (one, other) => {
    started ??= startThread(given);
    const { thread, broken } = started;
    const answer = once(thread, 'message');
    thread.postMessage({ bundle: inLines(one), receipt: inLines(other) });
    const [report] = await Promise.race([answer, broken]);
    return JSON.parse(report as string) as Report;
  };
  return { verify, close: () => started?.thread.terminate() };
};

/** Every way to a report, under one profile and trust store. */
export const openPaths = (given: VerifierInput) => {
  const native = createVerifier(given, nativeCrypto);
  const thread = threadOf(given);
  const paths: Readonly<Record<string, Path>> = {
    'files as a capture writes them': ofFiles(native, inLines),
    'files in another spelling': ofFiles(native, pretty),
    'files, portable crypto': ofFiles(createVerifier(given, portableCrypto), inLines),
    'a bundle in pieces': (one, other) => {
      const text = inLines(one);
      return told(
        native.verifySource({
          bundle: inPieces(text),
          bundleSha256: () => nativeCrypto.sha256Hex(text),
          receipt: inLines(other),
        }),
      );
    },
    values: (one, other) =>
      told(native.verifyValues({ bundle: structuredClone(one), receipt: structuredClone(other), inputs: [] })),
    'files in a thread': thread.verify,
  };
  return { paths, close: thread.close };
};
