import { Refused } from './refused.ts';

/** How many events an identity may cause in a window of time: a run-away agent cannot fill the log for all. */
export class Quota {
  private readonly events: number;
  private readonly windowMs: number;
  private readonly clock: () => number;
  private readonly spent = new Map<string, { since: number; count: number }>();

  constructor({ events, window_s }: { events: number; window_s: number }, clock: () => number) {
    this.events = events;
    this.windowMs = window_s * 1000;
    this.clock = clock;
  }

  /** Counts one; refuses it when the window of this identity is full. */
  take(identity: string): void {
    const now = this.clock();
    const window = this.spent.get(identity);
    if (window === undefined || now >= window.since + this.windowMs || now < window.since) {
      this.spent.set(identity, { since: now, count: 1 });
      return;
    }
    if (window.count >= this.events)
      throw new Refused(
        'quota_exceeded',
        `${identity} has used up its event quota of ${this.events} in ${this.windowMs / 1000} s: wait, or ask the operator for a larger event_quota`,
      );
    window.count++;
  }
}
