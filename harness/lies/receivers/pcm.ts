import {
  type Crypto,
  createReplay,
  nativeCrypto,
  PCM_REASONS,
  type PcmExtensions,
  type PcmOutcome,
  type Receiver as PcmReceiver,
  portableCrypto,
  readPcmSchema,
  readPcmTrust,
  verifyMessage,
} from '../../../src/index.ts';
import type { Context, Decision, Receiver } from './receiver.ts';

/** With the whole result, which the report needs. */
export type PcmDecision<Outcome> = Decision & { readonly outcome: Outcome };

const requireRead = <T>(read: { ok: true; value: T } | { ok: false; findings: readonly { detail: string }[] }): T => {
  if (read.ok) return read.value;
  throw new Error(`a document of the receiver is refused: ${read.findings[0]?.detail}`);
};

const once = <T>(read: (bytes: Uint8Array) => T) => {
  const known = new Map<string, T>();
  return (bytes: Uint8Array): T => {
    const text = Buffer.from(bytes).toString('latin1');
    const value = known.get(text) ?? read(bytes);
    known.set(text, value);
    return value;
  };
};

type Asks = (context: Context) => PcmExtensions;

const ours = (name: string, crypto: Crypto, asks?: Asks): Receiver<PcmDecision<PcmOutcome>> => {
  const trustOf = once((bytes) => requireRead(readPcmTrust(bytes, crypto)));
  const schemaOf = once((bytes) => requireRead(readPcmSchema(bytes, crypto)));
  return {
    name,
    source: 'docs/PCM.md',
    checks: Object.entries(PCM_REASONS).map(([id, { means }]) => ({ id, section: '15', text: means })),
    receive: async (message, context) => {
      const { strict = false, me } = context;
      const receiver: PcmReceiver = {
        trust: trustOf(context.trust),
        schemas: context.schemas.map(schemaOf),
        me,
        strict,
        ...(asks === undefined ? {} : { extensions: asks(context) }),
      };
      return judged(message, receiver, context, crypto);
    },
  };
};

const judged = (
  message: Uint8Array,
  receiver: PcmReceiver,
  { started, earlier, now }: Context,
  crypto: Crypto,
): PcmDecision<PcmOutcome> => {
  const replay = createReplay(started);
  for (const one of earlier) verifyMessage(one.bytes, receiver, { replay, now: one.now }, crypto);
  const outcome = verifyMessage(message, receiver, { replay, now }, crypto);
  const accepted = outcome.verdict === 'accept';
  return { accepted, decidedBy: accepted ? null : outcome.findings[0]!.reason, outcome };
};

/** Seconds that a head may be old. */
const MAX_AGE_S = 60;

/** Everything that docs/PCM-EXTENSIONS.md has, held to what the receiver acts on. */
const everything: Asks = ({ now, held: { tree, files = {} } = {} }) => ({
  fresh: { maxAge: { seconds: MAX_AGE_S, now } },
  anyResponse: true,
  ...(tree === undefined ? {} : { tree }),
  files: Object.entries(files).flatMap(([path, digest]) => (digest === null ? [] : [{ path, digest }])),
});

/** Our verifier, with the cryptography of the runtime and with its own: accepted is the verdict `accept` and no other. */
export const pcmNative = ours('PCM (native)', nativeCrypto);
export const pcmPortable = ours('PCM (portable)', portableCrypto);
/** Ours with all extensions beyond PCM 0.1 switched on. */
export const pcmExtended = ours('PCM (native), extensions', nativeCrypto, everything);
