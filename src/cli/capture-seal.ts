import type { WireRecording } from '../capture/host/wire-recording.ts';
import type { Plan } from './capture-plan.ts';
import { nextCommand } from './next-command.ts';

/** What became of one recording. */
export type Sealed = {
  readonly bundle: string;
  readonly receipt: string;
  readonly ended: string;
  readonly exchanges: number;
  readonly dereferences: number;
  readonly gaps: readonly string[];
  /** What to paste next. */
  readonly next: string;
};

/** Ends a recording and signs it. Throws what signing and the file system throw; the journal is then kept. */
export const sealRecording = (
  recording: WireRecording,
  { signer, profile, profileFile }: Plan,
  trust: string | undefined,
): Sealed => {
  recording.wire.finish();
  const { bundle, bundlePath, receiptPath } = recording.finish({ signer: () => signer, profile });
  const [trace] = bundle.trace_metadata;
  const files = { bundle: bundlePath, receipt: receiptPath };
  return {
    ...files,
    ended: trace?.ended ?? 'incomplete',
    exchanges: bundle.exchanges.length,
    dereferences: bundle.uri_dereferences.length,
    gaps: trace?.gaps.map(({ what }) => what) ?? [],
    next: nextCommand(files, { profile: profileFile, ...(trust !== undefined && { trust }) }),
  };
};
