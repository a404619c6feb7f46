import type { PcmOutcome } from '../../../src/index.ts';
import type { Dataset, Message } from '../dataset.ts';
import { pcmExtended, pcmNative, pcmPortable } from '../receivers/pcm.ts';
import { brokenOf } from '../receivers/receiver.ts';
import { MODELS, openSecondVerifier, receivers } from '../receivers/receivers.ts';
import { type Received, receivedOf } from './context.ts';
import { type ReasonClass, reasonClassOf } from './reason-class.ts';

/** What a verifier of PCM said of a message. */
export type Said = {
  readonly verdict: string;
  readonly class: ReasonClass;
  readonly reasons: readonly string[];
  readonly claims: readonly string[];
};
/** What came of a message at every receiver. */
export type Row = {
  readonly id: string;
  readonly lie: boolean;
  readonly native: Said;
  readonly portable: Said;
  readonly second: Said;
  /** Ours with the extensions, of the message with fresh evidence where its sender shows that. */
  readonly extended: Said;
  /** By receiver: the first check that refused it, or null when it was accepted. */
  readonly decided: Readonly<Record<string, string | null>>;
  /** By model: every check that it breaks. */
  readonly broken: Readonly<Record<string, readonly string[]>>;
};

type Comparable = Parameters<typeof reasonClassOf>[0] & { readonly reasons: readonly string[] };
const distinct = (reasons: readonly string[]): readonly string[] => [...new Set(reasons)].sort();

const said = (outcome: Comparable): Said => ({
  verdict: outcome.verdict,
  class: reasonClassOf(outcome),
  reasons: distinct(outcome.reasons),
  claims: (outcome.claims ?? []).map(({ result }) => result),
});
const saidByOurs = (outcome: PcmOutcome): Said =>
  said({ ...outcome, reasons: outcome.findings.map(({ reason }) => reason) } as Comparable);

/** A share of each part of each class, at least one of each, spread over it. */
export const sampleOf = (messages: readonly Message[], share: number): readonly Message[] => {
  const parts = new Map<string, Message[]>();
  for (const message of messages) {
    const key = `${message.class}.${message.part}`;
    parts.set(key, [...(parts.get(key) ?? []), message]);
  }
  return [...parts.values()].flatMap((part) =>
    part.filter((_, at) => at === 0 || Math.floor((at + 1) * share) > Math.floor(at * share)),
  );
};

/** Every message to every receiver. Takes a dataset, of which messages may be a part, and is told how many are done. */
export const runAll = async (
  dataset: Dataset,
  step: (done: number, of: number) => void = () => {},
): Promise<readonly Row[]> => {
  const received = receivedOf(dataset);
  const everyone = receivers();
  const second = openSecondVerifier();
  try {
    const rows: Row[] = [];
    for (const message of dataset.messages) {
      step(rows.length, dataset.messages.length);
      const { bytes, context }: Received = received(message);
      const decided: Record<string, string | null> = {};
      for (const { name, receive } of everyone) decided[name] = (await receive(bytes, context)).decidedBy;
      const [native, portable] = [await pcmNative.receive(bytes, context), await pcmPortable.receive(bytes, context)];
      const other = await second.receive(bytes, context);
      decided[second.name] = other.decidedBy;
      const fresh = received(message, true);
      const extended = await pcmExtended.receive(fresh.bytes, fresh.context);
      decided[pcmExtended.name] = extended.decidedBy;
      rows.push({
        id: message.id,
        lie: message.lie,
        native: saidByOurs(native.outcome),
        portable: saidByOurs(portable.outcome),
        second: said(other.outcome as Comparable),
        extended: saidByOurs(extended.outcome),
        decided,
        broken: Object.fromEntries(
          MODELS.map((model) => [model.name, brokenOf(model, bytes, context)] as const).filter(
            ([, ids]) => ids.length > 0,
          ),
        ),
      });
    }
    return rows;
  } finally {
    second.close();
  }
};
