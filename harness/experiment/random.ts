import { createHash } from 'node:crypto';

/** Numbers that follow from a seed alone: SHA-256 of the seed and a counter, so that a schedule is the same on every machine. */
export class SeededRandom {
  readonly #seed: string;
  #drawn = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** The first 64 bits of the next digest, in hex. */
  hex(): string {
    return createHash('sha256')
      .update(`${this.#seed}\n${this.#drawn++}`)
      .digest('hex')
      .slice(0, 16);
  }

  /** A whole number from 0 to `bound` - 1; the bias of the remainder is below bound / 2^64. */
  below(bound: number): number {
    return Number(BigInt(`0x${this.hex()}`) % BigInt(bound));
  }

  /** The items in another order (Fisher and Yates, from the end). */
  shuffled<T>(items: readonly T[]): T[] {
    const order = [...items];
    for (let last = order.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [order[last], order[other]] = [order[other]!, order[last]!];
    }
    return order;
  }
}
