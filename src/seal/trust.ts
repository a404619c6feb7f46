import { decodeBase64 } from '../base/base64.ts';
import type { Crypto } from '../base/crypto.ts';
import { requireFormat, requireObject } from '../base/read-document.ts';
import { readJson } from '../base/read-json.ts';
import type { Reason } from '../base/reasons.ts';
import { ok, type Refusal, type Result } from '../base/result.ts';
import { keyIdOf } from './digests.ts';
import { type FaultKind, faultsOf, pointerOf } from './schema-faults.ts';
import { TRUST_FORMAT, TrustDocument, type TrustKey } from './trust-schema.ts';

/** A key as the reader trusts it: the entry of the store, its signer and its 32 raw bytes. */
export type TrustedKey = TrustKey & { readonly signer_id: string; readonly publicKey: Uint8Array };

declare const read: unique symbol;
/** A trust store without fault; only readTrust makes one. */
export type TrustStore = {
  readonly signers: ReadonlySet<string>;
  /** By key_id. */
  readonly keys: ReadonlyMap<string, TrustedKey>;
  readonly [read]: true;
};

const MEMBER_REASONS = {
  missing: 'TRUST_MEMBER_MISSING',
  unknown: 'TRUST_MEMBER_UNKNOWN',
  type: 'TRUST_MEMBER_WRONG',
  value: 'TRUST_MEMBER_WRONG',
} as const satisfies Record<FaultKind, Reason>;

const fault = (reason: Reason, pointer: string, detail: string): Refusal => ({
  reason,
  at: { input: 'trust', pointer },
  detail,
});

/**
 * Reads a trust store (FORMAT.md sections 7 and 8a) and judges every key in it once, so that no receipt needs to.
 * One fault anywhere is a fault of the whole store: its refusals have level `read`, the reader's own error.
 */
export const readTrust = (bytes: Uint8Array, crypto: Crypto): Result<TrustStore> => {
  const json = readJson(bytes, { input: 'trust', recordAttributes: false });
  if (!json.ok) return json;
  const root = requireObject(json.value, 'trust', '');
  if (!root.ok) return root;
  const formatted = requireFormat(root.value, TRUST_FORMAT, 'trust', '');
  if (!formatted.ok) return formatted;
  const faults = faultsOf(TrustDocument, root.value);
  if (faults.length > 0) {
    return {
      ok: false,
      refusals: faults.map(({ kind, path, detail }) => fault(MEMBER_REASONS[kind], pointerOf(path), detail)),
    };
  }
  const document = root.value as unknown as TrustDocument;
  const refusals = [...duplicates(document), ...documentKeys(document).flatMap((place) => keyFaults(place, crypto))];
  if (refusals.length > 0) return { ok: false, refusals };
  const keys = documentKeys(document).map(({ signer_id, key }): [string, TrustedKey] => [
    key.key_id,
    { ...key, signer_id, publicKey: decodeBase64(key.public_key)! },
  ]);
  const signers = new Set(document.signers.map((signer) => signer.signer_id));
  return ok({ signers, keys: new Map(keys) } as unknown as TrustStore);
};

type KeyPlace = { readonly signer_id: string; readonly key: TrustKey; readonly pointer: string };

const documentKeys = (document: TrustDocument): readonly KeyPlace[] =>
  document.signers.flatMap(({ signer_id, keys }, signer) =>
    keys.map((key, at) => ({ signer_id, key, pointer: `/signers/${signer}/keys/${at}` })),
  );

const duplicates = (document: TrustDocument): readonly Refusal[] => {
  const signers = document.signers.map(({ signer_id }, at) => [signer_id, `/signers/${at}/signer_id`] as const);
  const keys = documentKeys(document);
  return [
    ...usedTwice('TRUST_SIGNER_USED_TWICE', signers),
    ...usedTwice(
      'TRUST_KEY_USED_TWICE',
      keys.map(({ key, pointer }) => [key.key_id, `${pointer}/key_id`]),
    ),
    ...usedTwice(
      'TRUST_KEY_USED_TWICE',
      keys.map(({ key, pointer }) => [key.public_key, `${pointer}/public_key`]),
    ),
  ];
};

const usedTwice = (reason: Reason, entries: readonly (readonly [string, string])[]): readonly Refusal[] => {
  const first = new Map<string, string>();
  return entries.flatMap(([text, pointer]) => {
    const earlier = first.get(text);
    if (earlier !== undefined) return [fault(reason, pointer, `${text} stands already at ${earlier}`)];
    first.set(text, pointer);
    return [];
  });
};

const keyFaults = ({ key, pointer }: KeyPlace, crypto: Crypto): readonly Refusal[] => [
  ...publicKeyFaults(key, pointer, crypto),
  ...statusFaults(key, pointer),
];

const publicKeyFaults = (key: TrustKey, pointer: string, crypto: Crypto): readonly Refusal[] => {
  const bytes = decodeBase64(key.public_key);
  if (bytes === null || bytes.length !== 32) {
    return [fault('TRUST_PUBLIC_KEY_ENCODING', `${pointer}/public_key`, 'not the padded base64 of 32 bytes')];
  }
  const verdict = crypto.checkPublicKey(bytes);
  if (verdict !== 'ok') return [fault('TRUST_PUBLIC_KEY_UNSAFE', `${pointer}/public_key`, KEY_FAULT_TEXT[verdict])];
  const keyId = keyIdOf(bytes, crypto);
  if (keyId !== key.key_id) return [fault('TRUST_KEY_ID_MISMATCH', `${pointer}/key_id`, `the key's id is ${keyId}`)];
  return [];
};

const KEY_FAULT_TEXT = {
  wrong_length: 'not 32 bytes',
  non_canonical: 'a second encoding of its point',
  not_on_curve: 'no point of the curve',
  small_order: 'a point of small order, under which anyone can sign',
  not_torsion_free: 'a point outside the prime-order group, on which verifiers disagree',
} as const satisfies Record<Exclude<ReturnType<Crypto['checkPublicKey']>, 'ok'>, string>;

const statusFaults = (key: TrustKey, pointer: string): readonly Refusal[] => {
  const required: readonly (keyof TrustKey)[] =
    key.status === 'retired' ? ['valid_until'] : key.status === 'revoked' ? ['revoked_at', 'revocation_reason'] : [];
  const excluded: readonly (keyof TrustKey)[] = key.status === 'revoked' ? [] : ['revoked_at', 'revocation_reason'];
  return [
    ...required
      .filter((name) => key[name] === undefined)
      .map((name) => fault('TRUST_STATUS_CONTRADICTION', `${pointer}/${name}`, `a ${key.status} key needs ${name}`)),
    ...excluded
      .filter((name) => key[name] !== undefined)
      .map((name) => fault('TRUST_STATUS_CONTRADICTION', `${pointer}/${name}`, `a ${key.status} key has no ${name}`)),
  ];
};
