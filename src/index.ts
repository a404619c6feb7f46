/** The public door: what a user of the library imports. Nothing else is public. */
export { createPcmGuard, type GuardMiddleware, type GuardOptions, type PcmGuard } from './a2a-pcm/guard.ts';
export type { IntentPolicy, Strictness } from './a2a-pcm/intent-policy.ts';
export { createOnce, type Once, type OnceAnswer } from './a2a-pcm/once.ts';
export { isPcmPart, pcmFilePart, pcmPart, receivePcm, requireActable } from './a2a-pcm/part.ts';
export {
  type AcceptedMessage,
  createPcmReceiver,
  type PcmReceiver,
  type Received,
  type ReceiverOptions,
  type RefusedMessage,
} from './a2a-pcm/receiver.ts';
export { PcmRefused } from './a2a-pcm/refused.ts';
export { SignerClient, type SignerPlace } from './attest/client/client.ts';
export type { EvidenceOptions } from './attest/client/evidence.ts';
export type { CallOptions, SendOptions, SignerRun } from './attest/client/run.ts';
export type {
  Effect,
  Executed,
  GrantTerms,
  PcmCaveat,
  PcmClaim,
  PcmEvidence,
  PcmGrant,
  PcmMessage,
  PcmPayload,
  PendingApproval,
  RunEvent,
  SignerStatus,
} from './attest/client/types.ts';
export { type RefusalCode, Refused } from './attest/refused.ts';
export { canonical } from './base/canonical.ts';
export type { Crypto } from './base/crypto.ts';
export type { JsonObject, JsonValue } from './base/json-value.ts';
export { portableCrypto } from './base/portable-crypto.ts';
export { readJson } from './base/read-json.ts';
export { FAMILIES, type Family, type ReasonEntry } from './base/reasons/entry.ts';
export { REASONS, type Reason } from './base/reasons.ts';
export type { Refusal } from './base/result.ts';
export { neutralise } from './base/terminal.ts';
export { VERSION } from './base/version.ts';
export { createDialer, type Dialer, type DialOverride } from './capture/dialer.ts';
export type { MakeGrpcFactory } from './capture/grpc-tap.ts';
export {
  type Capture,
  type CaptureOptions,
  type ClientTapOptions,
  startCapture,
} from './capture/index.ts';
export type { Observers } from './capture/observers.ts';
export type { PushOptions } from './capture/push-tap.ts';
export type { Finished, FinishOptions } from './capture/recording.ts';
export type { Middleware, ServerOptions } from './capture/server-tap.ts';
export { BlockedByGuard, type UriFetchOptions, type UriRequest } from './capture/uri-fetch.ts';
export {
  type AnyRecord,
  type Bundle,
  type Edge,
  RECORD_SCHEMAS,
  type RecordOf,
  type Records,
} from './evidence/bundle.ts';
export { COLLECTION_INFO, COLLECTIONS, type Collection } from './evidence/collections.ts';
export { PCM_MEDIA_TYPE } from './pcm/a2a-parts.ts';
export type { ActedFile, Extended as PcmExtended, Extensions as PcmExtensions } from './pcm/extensions/options.ts';
export type { Finding as PcmFinding, PcmResult } from './pcm/finding.ts';
export { evidenceAge, sameFile } from './pcm/freshness.ts';
export { PCM_REASONS, type PcmReason } from './pcm/reasons.ts';
export type { Receiver } from './pcm/receiver.ts';
export { createReplay, type Offer, type Replay, type ReplayAnswer, type SharedReplay } from './pcm/replay.ts';
export type { PcmJudged, PcmOutcome, PcmVerdict } from './pcm/result.ts';
export { type PcmSchema, readPcmSchema } from './pcm/schema.ts';
export { pcmLine } from './pcm/text.ts';
export { pcmTime } from './pcm/time.ts';
export { type PcmTrust, readPcmTrust } from './pcm/trust.ts';
export { type Freshness, verifyMessage, verifyMessageShared } from './pcm/verify.ts';
export { deriveEdges } from './relate/derive.ts';
export { exitCodeOf } from './report/exit-code.ts';
export type { Report, ReportElement, ReportStatement } from './report/model.ts';
export { reportOf } from './report/report.ts';
export { textOf } from './report/text.ts';
export { FamilyDefinition } from './rules/family.ts';
export { Profile } from './rules/profile.ts';
export { familiesDigest, profileDigest, settingsDigest } from './seal/digests.ts';
export { type Receipt, type ReceiptBody, type Signer, type Statement, sealBundle } from './seal/receipt.ts';
export { EnvironmentFault } from './store/fault.ts';
export { FileSource } from './store/file-source.ts';
export type { PublicKey } from './store/keys.ts';
export { generateKey, readPublicKey, readSigner } from './store/keys.ts';
export { nativeCrypto } from './store/native-crypto.ts';
export { readInput } from './store/read.ts';
export { addKey, initTrust, loadTrust } from './store/trust-file.ts';
export type { Mode, Outcome, Verdict } from './verify/outcome.ts';
export {
  createVerifier,
  type EvidenceFiles,
  type EvidenceSource,
  type EvidenceValues,
  type Verifier,
  type VerifierInput,
  type VerifyInput,
  verify,
} from './verify/verify.ts';
