import type { Crypto } from '../base/crypto.ts';
import { type Envelope, envelopeOf } from './envelope.ts';
import { type Finding, finding } from './finding.ts';
import { PCM_LIMITS } from './limits.ts';
import { type Receiver, skippedOf } from './receiver.ts';
import type { PcmJudged, PcmOutcome, Skipped } from './result.ts';
import { pinnedKey, signatureFault } from './signature.ts';
import { readStrict } from './strict-json.ts';
import type { PcmTrust } from './trust.ts';
import type { PcmObject, PcmValue } from './value.ts';
import type { VerifierKey } from './vkey.ts';

/** A message that a pinned key signed. */
export type Signed = { readonly message: Envelope; readonly key: VerifierKey };

/** A forged message stops at the signature: nothing else of it is looked at. */
const unsigned = (findings: readonly Finding[], skipped: readonly Skipped[]): PcmJudged => ({
  signature: { ok: false, key: null },
  replay: { ok: null, detail: 'not checked' },
  schema: { ok: null, ref: null, errors: [] },
  grants: { result: 'skipped', steps: 0, root: null, problems: [] },
  claims: [],
  verdict: 'reject',
  reasons: findings.map(({ detail }) => `signature: ${detail}`),
  skipped,
  findings,
});

const openSigned = (value: PcmValue, trust: PcmTrust, crypto: Crypto): Signed | readonly Finding[] => {
  const envelope = envelopeOf(value);
  if (!envelope.ok) return envelope.findings;
  const message = envelope.value;
  const key = pinnedKey(message.sig.key, trust);
  if (key === null) return [finding('PCM_SIGNATURE_KEY', '/sig/key', 'the key that it names is not pinned')];
  const fault = signatureFault(value as PcmObject, message.sig.sig, 'message', key, crypto);
  return fault === null ? { message, key } : [fault];
};

/** Takes the bytes of a message; returns it once its signature has verified, or the result that ends here. */
export const openMessage = (
  bytes: Uint8Array,
  receiver: Receiver,
  hasReplay: boolean,
  crypto: Crypto,
): Signed | PcmOutcome => {
  const read = readStrict(bytes, { what: 'message', maxBytes: PCM_LIMITS.messageBytes });
  if (!read.ok) {
    const { findings } = read;
    return {
      verdict: 'bad-input',
      reasons: findings.map(({ at, detail }) => `input${at === '' ? '' : ` at ${at}`}: ${detail}`),
      findings,
    };
  }
  const signed = openSigned(read.value, receiver.trust, crypto);
  return 'message' in signed ? signed : unsigned(signed, skippedOf(receiver, hasReplay));
};
