import { generateKeyPairSync, sign } from 'node:crypto';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Bundle,
  canonical,
  createVerifier,
  familiesDigest,
  type JsonObject,
  type JsonValue,
  nativeCrypto,
  profileDigest,
  sealBundle,
  settingsDigest,
  type Verifier,
} from '../src/index.ts';
import { bundleOf, type Mix } from './workload/bundle.ts';

const PROFILE_ID = 'bench';
const SIGNER_ID = 'bench-signer';
const ISSUED_AT = '2026-03-01T12:00:00.000Z';

/** Nothing is pinned, and every file is from a public address. */
const PROFILE = {
  format: 'a2aft.profile.v1',
  profile_id: PROFILE_ID,
  description: 'For bundles that a benchmark makes.',
  required_families: [],
  time_tolerance_ms: 2000,
  as: { pinned_cards: [], similarity_threshold_bp: 7500, unknown_card: 'observe', changed_card: 'observe' },
  cc: { aliases: [], permissions: [] },
  co: { max_cycle_repeats: 2, max_hops: 16 },
  hotf: { awaiting_input_threshold: 10, max_queue_depth: 100, max_latency_us: 5_000_000, max_timeouts: 5 },
  asrf: {
    schemes: ['https'],
    ports: [443],
    hosts: null,
    origins: [],
    allowed_cidrs: [],
    denied_cidrs: [],
    allowed_classes: ['public'],
    require_connected_address: true,
    test_redirects: [],
  },
  atsi: { sandboxed_renderers: [], inert_marker: null },
};

/** A key of one run, with the verifier that trusts it. */
export type Lab = {
  readonly files: { readonly profile: Uint8Array; readonly trust: Uint8Array };
  readonly verifier: Verifier;
  readonly seal: (bundle: Bundle) => JsonObject;
};

/** A bundle with its receipt, as files, and as what JSON.parse makes of these files. */
export type Fixture = {
  readonly commitments: number;
  readonly files: { readonly bundle: Uint8Array; readonly receipt: Uint8Array };
  readonly values: { readonly bundle: JsonValue; readonly receipt: JsonValue };
};

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

export const openLab = (): Lab => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  const key_id = `sha256:${nativeCrypto.sha256Hex(raw)}`;
  const key = {
    key_id,
    public_key: raw.toString('base64'),
    status: 'active',
    valid_from: '2026-01-01T00:00:00.000Z',
  };
  const trust = bytesOf({ format: 'a2aft.trust.v1', signers: [{ signer_id: SIGNER_ID, keys: [key] }] });
  const files = { profile: bytesOf(PROFILE), trust };
  const statement = {
    profile_digest: profileDigest(PROFILE, nativeCrypto),
    families_digest: familiesDigest([], nativeCrypto),
    settings_digest: settingsDigest({}, nativeCrypto),
    issued_at: ISSUED_AT,
  };
  const signer = { signer_id: SIGNER_ID, key_id, sign: (message: Uint8Array) => sign(null, message, privateKey) };
  return {
    files,
    verifier: createVerifier({ ...files, mode: 'full', otherProfile: false }, nativeCrypto),
    seal: (bundle) =>
      sealBundle(bundle as unknown as JsonObject, statement, signer, nativeCrypto) as unknown as JsonObject,
  };
};

/** S(x) of each member, and of each element of a list on a line of its own: as a capture writes its files. */
function* fileText(document: JsonObject): Generator<string> {
  let mark = '{';
  for (const [name, value] of Object.entries(document)) {
    yield `${mark}"${name}":`;
    mark = ',\n';
    if (!Array.isArray(value)) yield canonical(value);
    else {
      yield '[\n';
      for (const [at, row] of value.entries()) yield `${canonical(row)}${at < value.length - 1 ? ',' : ''}\n`;
      yield ']';
    }
  }
  yield '\n}\n';
}

const fileOf = (document: JsonObject): Uint8Array =>
  Buffer.concat([...fileText(document)].map((text) => Buffer.from(text)));

const PIECE_CHARS = 1 << 20;

/** Makes and seals a bundle of exactly so many commitments into files of a folder, with what it is verified by; a file may be longer than a string can be. */
export const writeFixture = (lab: Lab, commitments: number, mix: Mix, seed: number, folder: string): void => {
  const bundle = bundleOf(commitments, mix, seed, PROFILE_ID);
  const handle = openSync(join(folder, 'bundle'), 'w');
  let piece = '';
  for (const text of fileText(bundle as unknown as JsonObject)) {
    piece += text;
    if (piece.length < PIECE_CHARS) continue;
    writeSync(handle, piece);
    piece = '';
  }
  writeSync(handle, piece);
  closeSync(handle);
  writeFileSync(join(folder, 'receipt'), fileOf(lab.seal(bundle)));
  for (const [name, bytes] of Object.entries(lab.files)) writeFileSync(join(folder, name), bytes);
};

/** Makes and seals a bundle of exactly so many commitments: none of this is timed. */
export const fixtureOf = (lab: Lab, commitments: number, mix: Mix, seed: number): Fixture => {
  const bundle = bundleOf(commitments, mix, seed, PROFILE_ID);
  const receipt = lab.seal(bundle);
  const files = { bundle: fileOf(bundle as unknown as JsonObject), receipt: fileOf(receipt) };
  const loaded = (file: Uint8Array): JsonValue => JSON.parse(new TextDecoder().decode(file)) as JsonValue;
  return { commitments, files, values: { bundle: loaded(files.bundle), receipt: loaded(files.receipt) } };
};
