import { Refused } from '../refused.ts';

const MAX_FOR_ONE = 128;

/** How many connections each identity has: an agent must not keep the people out who answer it. */
export class Connections {
  private readonly counts = new Map<string, number>();

  /** Counts one more of an identity; refuses it when that would be too many. */
  enter(identity: string): void {
    const count = this.counts.get(identity) ?? 0;
    if (count >= MAX_FOR_ONE)
      throw new Refused('quota_exceeded', `${identity} has ${MAX_FOR_ONE} connections: close one first`);
    this.counts.set(identity, count + 1);
  }

  leave(identity: string): void {
    this.counts.set(identity, this.counts.get(identity)! - 1);
  }
}
