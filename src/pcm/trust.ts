import type { Crypto } from '../base/crypto.ts';
import { bytesToHex } from './bytes.ts';
import { accepted, type Finding, finding, type PcmResult, refusedBy } from './finding.ts';
import { PCM_LIMITS } from './limits.ts';
import type { PcmReason } from './reasons.ts';
import { readStrict } from './strict-json.ts';
import { isPcmObject, type PcmObject, type PcmValue } from './value.ts';
import { KEY_TYPES, parseVkey, type VerifierKey } from './vkey.ts';

declare const checked: unique symbol;
/** The keys a receiver pins, by name. Only readPcmTrust makes one. */
export type PcmTrust = {
  readonly logs: ReadonlyMap<string, VerifierKey>;
  readonly witnesses: ReadonlyMap<string, VerifierKey>;
  readonly witnessesRequired: number;
  readonly [checked]: true;
};

type Kind = {
  readonly type: number;
  readonly word: string;
  readonly twoKeys: PcmReason;
  readonly twoNames: PcmReason;
};
const LOG: Kind = {
  type: KEY_TYPES.log,
  word: 'log',
  twoKeys: 'PCM_TRUST_LOG_TWO_KEYS',
  twoNames: 'PCM_TRUST_LOG_TWO_NAMES',
};
const WITNESS: Kind = {
  type: KEY_TYPES.witness,
  word: 'witness',
  twoKeys: 'PCM_TRUST_WITNESS_TWO_KEYS',
  twoNames: 'PCM_TRUST_WITNESS_TWO_NAMES',
};

/** Pins each key under one name and each name to one key; the same pin twice is one pin. */
const pin = (
  vkeys: readonly PcmValue[],
  member: string,
  kind: Kind,
  crypto: Crypto,
): PcmResult<Map<string, VerifierKey>> => {
  const byName = new Map<string, VerifierKey>();
  const nameOf = new Map<string, string>();
  for (const [i, vkey] of vkeys.entries()) {
    const refuse = (reason: PcmReason, detail: string) => refusedBy(finding(reason, `/${member}/${i}`, detail));
    const key = typeof vkey === 'string' ? parseVkey(vkey, crypto) : 'a verifier key is text: name+id+key';
    if (typeof key === 'string') return refuse('PCM_TRUST_KEY', key);
    if (key.type !== kind.type) return refuse('PCM_TRUST_KEY', `the key of ${key.name} is no key of a ${kind.word}`);
    const hex = bytesToHex(key.key);
    const [otherKey, otherName] = [byName.get(key.name), nameOf.get(hex)];
    if (otherKey !== undefined && bytesToHex(otherKey.key) !== hex)
      return refuse(
        kind.twoKeys,
        `two Ed25519 keys are pinned for the ${kind.word} ${key.name}: keep only its current key`,
      );
    if (otherName !== undefined && otherName !== key.name)
      return refuse(
        kind.twoNames,
        `one Ed25519 key is pinned under two names of a ${kind.word}: ${otherName}, ${key.name}`,
      );
    byName.set(key.name, key);
    nameOf.set(hex, key.name);
  }
  return accepted(byName);
};

const shapeFault = (document: PcmValue): Finding | null => {
  const fault = (at: string, detail: string) => finding('PCM_TRUST_SHAPE', at, detail);
  if (!isPcmObject(document)) return fault('', 'a trust document is an object');
  const { logs, witnesses = [], witnesses_required: required = 0 } = document;
  if (!Array.isArray(logs) || logs.length === 0) return fault('/logs', 'logs is a list of at least one verifier key');
  if (!Array.isArray(witnesses) || !witnesses.every((one) => isPcmObject(one)))
    return fault('/witnesses', 'witnesses is a list of objects with a vkey');
  return Number.isSafeInteger(required) && (required as number) >= 0
    ? null
    : fault('/witnesses_required', 'witnesses_required is a count');
};

/**
 * Takes the bytes of a trust.json: `logs` (verifier keys), and optionally `witnesses` (each with a `vkey`) and `witnesses_required`; other members
 * are Tracekit's and not read. Returns the pinned keys, or why the document is refused: the receiver's own error, told before any message is read.
 */
export const readPcmTrust = (bytes: Uint8Array, crypto: Crypto): PcmResult<PcmTrust> => {
  const read = readStrict(bytes, { what: 'trust document', maxBytes: PCM_LIMITS.documentBytes });
  if (!read.ok) return read;
  const fault = shapeFault(read.value);
  if (fault !== null) return refusedBy(fault);
  const { logs, witnesses, witnesses_required } = read.value as PcmObject;
  const pinnedLogs = pin(logs as PcmValue[], 'logs', LOG, crypto);
  if (!pinnedLogs.ok) return pinnedLogs;
  const vkeys = ((witnesses ?? []) as PcmObject[]).map(({ vkey }) => vkey ?? null);
  const pinnedWitnesses = pin(vkeys, 'witnesses', WITNESS, crypto);
  if (!pinnedWitnesses.ok) return pinnedWitnesses;
  return accepted({
    logs: pinnedLogs.value,
    witnesses: pinnedWitnesses.value,
    witnessesRequired: (witnesses_required ?? 0) as number,
  } as unknown as PcmTrust);
};
