import { type ByteSource, inMemory } from '../base/byte-source.ts';
import { canonicalBytes } from '../base/canonical-bytes.ts';
import type { Crypto } from '../base/crypto.ts';
import type { JsonObject, JsonValue } from '../base/json-value.ts';
import type { Refusal, Result } from '../base/result.ts';
import type { Profile } from '../rules/profile.ts';
import type { ReceiptBody } from '../seal/receipt.ts';
import { readTrust } from '../seal/trust.ts';
import { checkAdmissibility } from './admissibility.ts';
import { type Document, readFamilies, readProfile, readSettings } from './documents.ts';
import { checkIntegrity, type Intact } from './integrity.ts';
import { judge } from './judge.ts';
import { namedByReceipt, ownDocuments } from './named-by-receipt.ts';
import type { InputDigest, Mode, Outcome, Stage, Verdict } from './outcome.ts';
import { type Parsed, parse, parseValues } from './parse.ts';
import { type PcmFiles, pcmInputs, readPcmDocuments } from './pcm-documents.ts';
import { countPcmParts } from './pcm-sightings.ts';
import { pcmRule } from './pcm-stage.ts';
import { type QuickIntact, quickIntegrity } from './quick-integrity.ts';
import { brief } from './refusals.ts';

/** What evidence is verified by: the same for one bundle or for many. */
export type VerifierInput = {
  readonly profile: Uint8Array;
  readonly trust: Uint8Array;
  /** Family definition files, by name; absent: stated by the receipt, not checked. */
  readonly families?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Settings document; absent: stated by the receipt, not checked. */
  readonly settings?: Uint8Array;
  /** Keys and schemas of proof-carrying messages; absent: those that requests carry are listed as not checked. */
  readonly pcm?: PcmFiles;
  /** The incident the reader asks about. */
  readonly expectedIncident?: string;
  readonly mode: Mode;
  /** Judge under this profile although the receipt names another. Skips nothing of integrity. */
  readonly otherProfile: boolean;
};

/** Evidence as files. */
export type EvidenceFiles = { readonly bundle: Uint8Array; readonly receipt: Uint8Array };
/** Evidence that may be larger than memory: it is read where it stands. */
export type EvidenceSource = {
  readonly bundle: ByteSource;
  /** SHA-256 of the bundle; asked once its steps are done. */
  readonly bundleSha256: () => string;
  readonly receipt: Uint8Array;
};
/** Evidence that was read before, and what its files were. */
export type EvidenceValues = {
  readonly bundle: JsonValue;
  readonly receipt: JsonValue;
  readonly inputs: readonly InputDigest[];
};
export type VerifyInput = VerifierInput & EvidenceFiles;

export type Verifier = {
  readonly verifyFiles: (evidence: EvidenceFiles) => Outcome;
  readonly verifySource: (evidence: EvidenceSource) => Outcome;
  /** Reads the values once; where something in them must be explained, it freezes them: what was hashed is what is judged. */
  readonly verifyValues: (evidence: EvidenceValues) => Outcome;
};

/**
 * Verifies a bundle against its receipt, a profile and a trust store, in the order of FORMAT.md section 8. A pure
 * function: the same bytes give the same outcome. Refusals are values; only a bug throws.
 */
export const verify = (input: VerifyInput, crypto: Crypto): Outcome => createVerifier(input, crypto).verifyFiles(input);

/** Reads profile, trust store, families and settings once, for however many bundles. A fault in one of them is in each outcome. */
export const createVerifier = (input: VerifierInput, crypto: Crypto): Verifier => {
  const profile = readProfile(input.profile);
  const trust = readTrust(input.trust, crypto);
  const families = input.families === undefined ? null : readFamilies(input.families);
  const settings = input.settings === undefined ? null : readSettings(input.settings);
  const pcm = input.pcm === undefined ? null : readPcmDocuments(input.pcm, crypto);
  const named = profile.ok
    ? ownDocuments(input.otherProfile ? null : profile.value, readOf(families), readOf(settings), crypto)
    : [];
  const own = ownInputs(input, crypto);
  const expectation = { expectedIncident: input.expectedIncident ?? null };

  const verifyParsed = (parsed: Result<Parsed>, inputs: readonly InputDigest[]): Outcome => {
    const known = outcomeOf(input, [...inputs, ...own], profile);
    if (
      !parsed.ok ||
      !profile.ok ||
      !trust.ok ||
      families?.ok === false ||
      settings?.ok === false ||
      pcm?.ok === false
    ) {
      const refusals = [parsed, profile, trust, families, settings, pcm].flatMap((result) =>
        result === null || result.ok ? [] : result.refusals,
      );
      return known('COULD_NOT_CHECK', 'read', refusals);
    }

    const integrity = checkIntegrity(parsed.value, trust.value, expectation, crypto);
    const claimed = claimedReceipt(parsed.value.receipt.body);
    if (!integrity.ok) {
      return {
        ...known('INTEGRITY_REFUSED', integrity.stage, integrity.refusals),
        receipt: claimed,
        signatureAccepted:
          integrity.stage !== 'signature' ||
          integrity.refusals.every(({ reason }) => reason === 'INCIDENT_NOT_EXPECTED'),
      };
    }

    return judgeIntact(integrity.value, null, profile.value, known);
  };

  const judgeIntact = (
    { records, edges, receipt }: Intact,
    quick: QuickIntact | null,
    { value: rules }: Document<Profile>,
    known: ReturnType<typeof outcomeOf>,
  ): Outcome => {
    const counts = { records: Object.values(records).reduce((sum, rows) => sum + rows.length, 0), edges: edges.length };
    const intact = { receipt, signatureAccepted: true, counts };
    if (input.mode === 'root-only') return { ...known('INTEGRITY_VERIFIED', null, []), ...intact };

    const misnamed = namedByReceipt(receipt, named);
    if (misnamed.length > 0) return { ...known('NOT_PROFILE_ADMISSIBLE', 'profile', misnamed), ...intact };

    const inadmissible = checkAdmissibility(records, rules, crypto, quick?.known());
    if (inadmissible.length > 0)
      return { ...known('NOT_PROFILE_ADMISSIBLE', 'admissibility', inadmissible), ...intact };

    const isBare = input.mode === 'records-only';
    const more = !pcm?.ok ? [] : [{ family: 'PCM' as const, rule: pcmRule(pcm.value, crypto) }];
    const judgement = judge(records, isBare ? [] : edges, rules, more, isBare ? undefined : quick?.ends);
    const pcmParts = countPcmParts(records);
    return { ...known(judgement.verdict, null, []), ...intact, judgement, pcmParts };
  };

  /** What is well is told at once; whatever is not is put to the steps that say why. */
  const verifyBytes = (
    bundle: ByteSource | null,
    receipt: Uint8Array | null,
    inputsOf: () => readonly InputDigest[],
    parsed: () => Result<Parsed>,
  ): Outcome => {
    const others = [families, settings, pcm].every((result) => result?.ok !== false);
    const isReady = profile.ok && trust.ok && others;
    const quick =
      isReady && bundle !== null && receipt !== null
        ? quickIntegrity(bundle, receipt, trust.value, expectation, crypto)
        : null;
    const inputs = inputsOf();
    if (!isReady || quick === null) return verifyParsed(parsed(), inputs);
    return judgeIntact(quick.intact, quick, profile.value, outcomeOf(input, [...inputs, ...own], profile));
  };

  const verifySource = ({ bundle, bundleSha256, receipt }: EvidenceSource): Outcome =>
    verifyBytes(
      bundle,
      receipt,
      () => [{ input: 'bundle', sha256: bundleSha256(), size: bundle.size }, inputDigest('receipt', receipt, crypto)],
      () => parse({ bundle, receipt }),
    );

  /** Values are written once, and the bytes verified. */
  const verifyValues = ({ bundle, receipt, inputs }: EvidenceValues): Outcome => {
    const bytes = canonicalBytes(bundle);
    return verifyBytes(
      bytes === null ? null : inMemory(bytes),
      canonicalBytes(receipt),
      () => inputs,
      () => parseValues(bundle, receipt),
    );
  };

  return {
    verifyFiles: ({ bundle, receipt }) =>
      verifySource({
        bundle: inMemory(bundle),
        bundleSha256: () => crypto.sha256Hex(bundle),
        receipt,
      }),
    verifySource,
    verifyValues,
  };
};

const readOf = <T>(result: Result<T> | null): T | undefined => (result?.ok ? result.value : undefined);

const inputDigest = (input: string, bytes: Uint8Array, crypto: Crypto): InputDigest => ({
  input,
  sha256: crypto.sha256Hex(bytes),
  size: bytes.length,
});

const ownInputs = (
  { profile, trust, families, settings, pcm }: VerifierInput,
  crypto: Crypto,
): readonly InputDigest[] => [
  inputDigest('profile', profile, crypto),
  inputDigest('trust', trust, crypto),
  ...(families ?? []).map(({ name, bytes }) => inputDigest(`families/${name}`, bytes, crypto)),
  ...(settings === undefined ? [] : [inputDigest('settings', settings, crypto)]),
  ...(pcm === undefined ? [] : pcmInputs(pcm).map(([name, bytes]) => inputDigest(name, bytes, crypto))),
];

/** What every outcome of one run has in common. */
const outcomeOf =
  (input: VerifierInput, inputs: readonly InputDigest[], profile: Result<Document<{ profile_id: string }>>) =>
  (verdict: Verdict, refusedAt: Stage | null, refusals: readonly Refusal[]): Outcome => ({
    verdict,
    mode: input.mode,
    otherProfile: input.otherProfile,
    inputs,
    refusedAt,
    refusals,
    receipt: null,
    signatureAccepted: false,
    profileId: profile.ok ? profile.value.value.profile_id : null,
    counts: null,
    familiesChecked: input.families !== undefined,
    settingsChecked: input.settings !== undefined,
    expectedIncidentChecked: input.expectedIncident !== undefined,
    pcmChecked: input.pcm !== undefined,
    pcmParts: null,
    judgement: null,
  });

const CLAIM_SHOWN = 256;

/** The receipt's own words about itself, whatever their shape, not their length: claims when the signature was not accepted. */
const claimedReceipt = (body: JsonObject): ReceiptBody =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, brief(value, CLAIM_SHOWN)]] : [],
    ),
  ) as unknown as ReceiptBody;
