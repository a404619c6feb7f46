import type { Level } from './claims/claims.ts';
import type { Envelope } from './envelope.ts';
import type { Extensions } from './extensions/options.ts';
import type { Skipped } from './result.ts';
import type { PcmSchema } from './schema.ts';
import type { PcmTrust } from './trust.ts';

/** What a receiver brings to a message. */
export type Receiver = {
  readonly trust: PcmTrust;
  readonly schemas: readonly PcmSchema[];
  /** The receiver's own identity; without it the recipient is not checked. */
  readonly me?: string;
  /** Reject when a claim type that the schema lists is not proven. */
  readonly strict?: boolean;
  /** 1 reads no evidence and so proves nothing; default 2. */
  readonly level?: Level;
  /** What it asks beyond PCM 0.1 (docs/PCM-EXTENSIONS.md). Without it every verdict is that of 0.1. */
  readonly extensions?: Extensions;
};

/** The schema document of a message's intent, or null when the receiver does not have it. */
export const schemaOf = ({ intent }: Envelope, { schemas }: Receiver): PcmSchema | null =>
  schemas.find(({ ref }) => ref === intent.type) ?? null;

/** True when the message is for this receiver, or it did not say who it is. */
export const isAddressed = ({ to }: Envelope, { me }: Receiver): boolean => me === undefined || to.agent === me;

/** The checks that the caller did not ask for. */
export const skippedOf = (receiver: Receiver, hasReplay: boolean): readonly Skipped[] => [
  ...(hasReplay ? [] : (['replay'] as const)),
  ...(receiver.me === undefined ? (['recipient'] as const) : []),
];
