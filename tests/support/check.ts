import type { Crypto } from '../../src/base/crypto.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import type { Refusal } from '../../src/base/result.ts';
import type { TrustStore } from '../../src/seal/trust.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { checkIntegrity, type Intact } from '../../src/verify/integrity.ts';
import { parseValues } from '../../src/verify/parse.ts';
import { trustDocument, trustOf } from './seal.ts';

export type Checked = { readonly stage: string; readonly refusals: readonly Refusal[]; readonly intact: Intact | null };

export type CheckOptions = {
  readonly trust?: TrustStore;
  readonly expectedIncident?: string;
  readonly crypto?: Crypto;
};

const DEFAULT_TRUST = trustOf(trustDocument());

/** Checks the integrity of a pair in memory: the stage that refused (`intact` when none did) and its refusals. */
export const check = (bundle: JsonObject, receipt: JsonObject, options: CheckOptions = {}): Checked => {
  const { trust = DEFAULT_TRUST, expectedIncident = null, crypto = nativeCrypto } = options;
  const parsed = parseValues(bundle, receipt);
  if (!parsed.ok) return { stage: 'read', refusals: parsed.refusals, intact: null };
  const checked = checkIntegrity(parsed.value, trust, { expectedIncident }, crypto);
  return checked.ok
    ? { stage: 'intact', refusals: [], intact: checked.value }
    : { stage: checked.stage, refusals: checked.refusals, intact: null };
};

/** `REASON collection id`, or `REASON pointer` where no row is meant: what a test compares. */
export const told = ({ refusals }: Checked): readonly string[] =>
  refusals.map(({ reason, at }) =>
    at.collection === undefined ? `${reason} ${at.pointer}` : `${reason} ${at.collection} ${at.id}`,
  );
