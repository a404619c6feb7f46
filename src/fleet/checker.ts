import { EnvironmentFault } from '../store/fault.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { type PcmFiles, pcmInputs } from '../verify/pcm-documents.ts';
import { createVerifier, type Verifier } from '../verify/verify.ts';
import { agentsIn } from './agents.ts';
import type { Pair } from './pair.ts';
import { openBundle, readEvidence } from './read-evidence.ts';
import { keyOf, resultOf } from './result-of.ts';
import { lineOf, uncheckedResult } from './unchecked.ts';

/** One pair to be verified, and the key of what is known of it from another run. */
export type Task = { readonly pair: Pair; readonly known: string | null };

/** What every pair is verified by; `profile` is that of the command line, read once, for it may be a pipe. */
export type CheckerInput = {
  readonly trust: Uint8Array;
  readonly profile: { readonly file: string; readonly bytes: Uint8Array } | null;
  /** Documents of proof-carrying messages; absent: messages are not checked. */
  readonly pcm?: PcmFiles;
};

type Profiled = { readonly verifier: Verifier; readonly digest: string };
const PROFILES_KEPT = 64;
const sha256Hex = (bytes: Uint8Array): string => nativeCrypto.sha256Hex(bytes);

/**
 * A function that takes a task and returns the line of its result, or null where what is known of it still holds. Profile and trust store are read once for all.
 * What cannot be read is a result; only a bug throws.
 */
export const checkerOf = ({ trust, profile: given, pcm }: CheckerInput): ((task: Task) => string | null) => {
  const trustDigest = sha256Hex(trust);
  const messages = pcm === undefined ? {} : { pcm: pcmInputs(pcm).map(([, bytes]) => sha256Hex(bytes)) };
  const profiled = new Map<string, Profiled>();
  const verifierFor = (file: string): Profiled => {
    const kept = profiled.get(file);
    if (kept !== undefined) return kept;
    const profile = file === given?.file ? given.bytes : readEvidence(file, 'profile');
    const verifier = createVerifier(
      { profile, trust, mode: 'full', otherProfile: false, ...(pcm === undefined ? {} : { pcm }) },
      nativeCrypto,
    );
    if (profiled.size === PROFILES_KEPT) profiled.clear();
    const made = { verifier, digest: sha256Hex(profile) };
    profiled.set(file, made);
    return made;
  };

  const check = ({ pair, known }: Task): string | null => {
    const { verifier, digest } = verifierFor(pair.profile!);
    const receipt = readEvidence(pair.receipt!, 'receipt');
    const { source, sha256, close } = openBundle(pair.bundle!);
    try {
      const digests = {
        bundle: sha256(),
        receipt: sha256Hex(receipt),
        profile: digest,
        trust: trustDigest,
        ...messages,
      };
      if (known !== null && known === keyOf(digests)) return null;
      const outcome = verifier.verifySource({ bundle: source, bundleSha256: sha256, receipt });
      return lineOf(resultOf(pair, digests, outcome, outcome.counts === null ? [] : agentsIn(source)));
    } finally {
      close();
    }
  };

  return (task) => {
    const { fault } = task.pair;
    if (fault !== null) return lineOf(uncheckedResult(task.pair, fault.reason, fault.detail));
    try {
      return check(task);
    } catch (error) {
      if (!(error instanceof EnvironmentFault)) throw error;
      return lineOf(uncheckedResult(task.pair, 'FILE_UNREADABLE', error.message));
    }
  };
};
