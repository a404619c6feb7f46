import type { PcmReason } from './reasons.ts';
import { microsOf } from './time.ts';

/** A message as replay sees it: who sent it, when, and its nonce. */
export type Offer = {
  /** The public key that signed it and its `from.agent`: the same agent under two logs is two senders. */
  readonly sender: string;
  readonly ts: string;
  readonly nonce: string;
  /** The receiver's clock. */
  readonly now: string;
  /** True when all that comes before has passed: a fresh nonce is then spent, in the same step as it is found fresh. */
  readonly spend: boolean;
};

export type ReplayAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: PcmReason; readonly detail: string };

/**
 * What remembers the messages of one receiver identity. `offer` is one atomic step, check and spend: two messages of one nonce must not both be
 * found fresh.
 */
export type Replay = { offer(offer: Offer): ReplayAnswer };

/** As Replay, for replicas that answer for one identity and share one state: it throws when the state cannot be asked. */
export type SharedReplay = { offer(offer: Offer): Promise<ReplayAnswer> };

/** How far a message may be from the receiver's clock, either way; the edge is within. */
const WINDOW_SECONDS = 300;

/** Nonces that are kept for one sender, and senders; with both full the state is some hundred megabytes. */
export const REPLAY_LIMITS = { nonces: 4096, senders: 1024 } as const;
export type ReplayLimits = { readonly nonces: number; readonly senders: number };

type Sender = { floor: string; readonly nonces: Map<string, string> };

const refuse = (reason: PcmReason, detail: string): ReplayAnswer => ({ ok: false, reason, detail });
const distance = (a: string, b: string): bigint => {
  const between = microsOf(a)! - microsOf(b)!;
  return between < 0n ? -between : between;
};

/** The entry with the smallest time; times compare as text. */
const oldest = <T>(entries: Iterable<readonly [T, string]>): readonly [T, string] =>
  Array.from(entries).reduce((a, b) => (b[1] < a[1] ? b : a));

const newestOf = ({ floor, nonces }: Sender): string =>
  [...nonces.values()].reduce((newest, ts) => (ts > newest ? ts : newest), floor);

/** Replay in the memory of one process. A restart needs no saved state: what was signed before the start is refused. */
class MemoryReplay implements Replay {
  private readonly senders = new Map<string, Sender>();
  /** What a sender that is not remembered must be above. */
  private floor = '';
  private readonly started: string;
  private readonly limits: ReplayLimits;

  constructor(started: string, limits: ReplayLimits) {
    this.started = started;
    this.limits = limits;
  }

  offer({ sender, ts, nonce, now, spend }: Offer): ReplayAnswer {
    if (distance(ts, now) > BigInt(WINDOW_SECONDS) * 1_000_000n)
      return refuse('PCM_REPLAY_WINDOW', `sent more than ${WINDOW_SECONDS} s from this receiver's clock`);
    if (ts < this.started)
      return refuse('PCM_REPLAY_BEFORE_START', 'sent before this receiver started: ask for it again');
    const known = this.senders.get(sender);
    if (known?.nonces.has(nonce)) return refuse('PCM_REPLAY_SEEN', 'this message was already received');
    if (ts <= (known?.floor ?? this.floor))
      return refuse(
        'PCM_REPLAY_FLOOR',
        'older than what this receiver still remembers of the sender: ask for it again',
      );
    if (spend) this.spend(known ?? this.meet(sender), nonce, ts);
    return { ok: true };
  }

  private meet(name: string): Sender {
    if (this.senders.size >= this.limits.senders) this.forgetSender();
    const sender: Sender = { floor: this.floor, nonces: new Map() };
    this.senders.set(name, sender);
    return sender;
  }

  /** Drops the sender that was silent longest; nobody unknown may then send from before its last message. */
  private forgetSender(): void {
    const [name, newest] = oldest([...this.senders].map(([one, sender]) => [one, newestOf(sender)] as const));
    this.senders.delete(name);
    if (newest > this.floor) this.floor = newest;
  }

  private spend(sender: Sender, nonce: string, ts: string): void {
    sender.nonces.set(nonce, ts);
    if (sender.nonces.size <= this.limits.nonces) return;
    const [dropped, at] = oldest(sender.nonces);
    sender.nonces.delete(dropped);
    if (at > sender.floor) sender.floor = at;
  }
}

/**
 * Takes the time at which the receiver started, in the form of PCM; returns replay in bounded memory (docs/PCM.md section 4). Keep one for the
 * receiver's whole life. Throws RangeError on a start that is no time of PCM.
 */
export const createReplay = (started: string, limits: ReplayLimits = REPLAY_LIMITS): Replay => {
  if (microsOf(started) === null) throw new RangeError(`no time of PCM: ${started}`);
  return new MemoryReplay(started, limits);
};
