import { EnvironmentFault, type PcmOutcome } from '../../../src/index.ts';
import type { Dataset, Message } from '../dataset.ts';
import { type PcmDecision, pcmExtended, pcmNative, pcmPortable } from '../receivers/pcm.ts';
import { brokenOf, type Receiver } from '../receivers/receiver.ts';
import { MODELS, openSecondVerifier, receivers } from '../receivers/receivers.ts';
import { SECOND, type SecondOutcome } from '../receivers/second-verifier.ts';
import { type Received, receivedOf } from './context.ts';
import { type ReasonClass, reasonClassOf } from './reason-class.ts';

/** The verdict of a receiver that threw. */
const THREW = 'threw';

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

type Heard = { readonly decidedBy: string | null; readonly said: Said };

/** A receiver that throws is taken to have accepted, and what it threw is kept as its reason: the pre-registration has it so. */
const heard = async <Outcome>(
  { receive }: Receiver<PcmDecision<Outcome>>,
  { bytes, context }: Received,
  read: (outcome: Outcome) => Said,
): Promise<Heard> => {
  try {
    const { decidedBy, outcome } = await receive(bytes, context);
    return { decidedBy, said: read(outcome) };
  } catch (error) {
    if (error instanceof EnvironmentFault) throw error;
    const reasons = [String((error as Error).message)];
    return { decidedBy: null, said: { verdict: THREW, class: 'none', reasons, claims: [] } };
  }
};

const OTHERS = receivers().filter(({ name }) => name !== pcmNative.name && name !== pcmPortable.name);

/** What every receiver makes of a message, given what the second verifier does. */
const rowOf = async (message: Message, received: Received, fresh: Received, second: Heard): Promise<Row> => {
  const { bytes, context } = received;
  const native = await heard(pcmNative, received, saidByOurs);
  const portable = await heard(pcmPortable, received, saidByOurs);
  const extended = await heard(pcmExtended, fresh, saidByOurs);
  const decided: Record<string, string | null> = {
    [pcmNative.name]: native.decidedBy,
    [pcmPortable.name]: portable.decidedBy,
    [SECOND]: second.decidedBy,
    [pcmExtended.name]: extended.decidedBy,
  };
  for (const { name, receive } of OTHERS) decided[name] = (await receive(bytes, context)).decidedBy;
  const broken = MODELS.map((model) => [model.name, brokenOf(model, bytes, context)] as const);
  return {
    id: message.id,
    lie: message.lie,
    native: native.said,
    portable: portable.said,
    second: second.said,
    extended: extended.said,
    decided,
    broken: Object.fromEntries(broken.filter(([, ids]) => ids.length > 0)),
  };
};

/** Every message to every receiver. Takes a dataset, of which messages may be a part, and is told how many are done. */
export const runAll = async (
  dataset: Dataset,
  step: (done: number, of: number) => void = () => {},
): Promise<readonly Row[]> => {
  const { messages } = dataset;
  const received = receivedOf(dataset);
  const second = openSecondVerifier();
  try {
    // It is a process of its own, and slower: it is asked everything at once.
    const asked = messages.map((message) => heard(second, received(message), said as (outcome: SecondOutcome) => Said));
    const rows: Row[] = [];
    const judge = async (): Promise<void> => {
      for (const [at, message] of messages.entries()) {
        step(at, messages.length);
        rows.push(await rowOf(message, received(message), received(message, true), await asked[at]!));
      }
    };
    // Together, so that the end of that process is heard wherever this one is.
    await Promise.all([judge(), ...asked]);
    return rows;
  } finally {
    second.close();
  }
};
