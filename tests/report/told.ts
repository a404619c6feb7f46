import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { intactOf, type ReportFiles, type Told } from '../../src/report/face.ts';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';
import { bundleOf, bytesOf } from '../support/bundle.ts';
import { pinningProfile, sealedFiles } from '../support/pair.ts';
import { records } from '../support/records.ts';
import { trustDocument, trustKey } from '../support/seal.ts';

type Files = ReportFiles;

/** What a face is told of files. */
export const toldOf = (files: Files, mode: 'full' | 'root-only' = 'full'): Told => {
  const outcome = verify({ ...files, mode, otherProfile: false }, nativeCrypto);
  return {
    report: reportOf(outcome),
    files,
    intact: intactOf(outcome, files.bundle),
    bundleUri: 'run.bundle.json',
    crypto: nativeCrypto,
  };
};

const read = (file: string): Uint8Array => new Uint8Array(readFileSync(file));

/** The committed traces, by name. */
export const COMMITTED = readdirSync('traces')
  .filter((name) => name.endsWith('.bundle.json'))
  .map((name) => name.replace('.bundle.json', ''));

const filesOf = (name: string): Files => ({
  bundle: read(`traces/${name}.bundle.json`),
  receipt: read(`receipts/${name}.receipt.json`),
  profile: read('profiles/experiment.json'),
  trust: read('receipts/trust.json'),
});

/** Made once: what a face is told is never changed. */
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

const COMMITTED_TOLD = new Map(COMMITTED.map((name) => [name, once(() => toldOf(filesOf(name)))]));
export const committed = (name: string): Told => COMMITTED_TOLD.get(name)!();

/** What a stranger may put into any text: markup, escapes of a terminal, overrides of direction, ends of every format that we write. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '</script><!--',
  ']]>',
  '"\'`',
  '\u202egnp.exe\u2066',
  '\x1b[2J\x9b31m\x07\0',
  '\x01\x0b\x1f\x7f\u0085\u2028\ufffe\uffff',
  '__proto__',
  '%%{init:{"securityLevel":"loose"}}%%',
  '[x](javascript:alert(1)) {0}',
  'end\r\nclick a href "javascript:alert(1)"; #quot;',
].join('\n');
const LONG = 'A'.repeat(1 << 20);

const AGENTS = new Set(['agent', 'client_agent', 'server_agent', 'caller_agent', 'source_agent', 'destination_agent']);

/** Every agent renamed to a hostile name of the same kind. */
const renamed = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [
    name,
    AGENTS.has(name) && typeof member === 'string' ? `${member} ${HOSTILE}` : renamed(member),
  ]);
  return Object.fromEntries(members);
};

/** A bundle that is signed and intact, and whose every free text is hostile; a rule has a finding in it. */
export const hostile = once((): Told => {
  const rows = renamed(records() as unknown as JsonValue) as unknown as ReturnType<typeof records>;
  const [invocation] = rows.capability_invocations;
  const [exchange, ...exchanges] = rows.exchanges;
  const [render] = rows.artifact_renders;
  const attributes = JSON.parse(`{"__proto__":"polluted","constructor":${JSON.stringify(HOSTILE)},"long":"${LONG}"}`);
  const bundle = bundleOf({
    ...rows,
    capability_invocations: [{ ...invocation, capability: HOSTILE + LONG }],
    exchanges: [{ ...exchange, attributes }, ...exchanges],
    artifact_renders: [{ ...render, renderer: HOSTILE }],
  });
  return toldOf(sealedFiles(bundle));
});

const oneLine = (): Files => sealedFiles();
const altered = (): Uint8Array =>
  Buffer.from(Buffer.from(sealedFiles().bundle).toString().replace('Summarise', HOSTILE.slice(0, 24)));
const incomplete = (): JsonObject => {
  const rows = records();
  return bundleOf({ ...rows, trace_metadata: [{ ...rows.trace_metadata[0], ended: 'incomplete' }] });
};

const MAKE: Readonly<Record<string, () => Told>> = {
  consistent: () => toldOf(oneLine()),
  'root-only': () => toldOf(oneLine(), 'root-only'),
  inconclusive: () => toldOf(sealedFiles(incomplete())),
  altered: () => toldOf({ ...oneLine(), bundle: altered() }),
  'not signed by a trusted key': () => toldOf({ ...oneLine(), trust: bytesOf(trustDocument(trustKey(2))) }),
  'another profile': () => toldOf({ ...oneLine(), profile: bytesOf({ ...pinningProfile(), description: 'edited' }) }),
  empty: () => toldOf({ ...oneLine(), bundle: new Uint8Array() }),
  'no JSON': () => toldOf({ ...oneLine(), bundle: Buffer.from(`{"format":"a2aft.bundle.v3",\n"x": ${HOSTILE}`) }),
  'no trust store': () => toldOf({ ...oneLine(), trust: Buffer.from('[') }),
  hostile,
};
/** One of each kind of report. */
export const SAMPLES: Readonly<Record<string, () => Told>> = Object.fromEntries(
  Object.entries(MAKE).map(([name, make]) => [name, once(make)]),
);
