import { growingFloat64 } from '../base/growing.ts';

const digits = (value: number, count: number): string => String(value).padStart(count, '0');

/** Times as numbers of eight bytes, by row. They are ranks: `timeRank` of kernel/time.ts gives later times larger ones. */
export class TimeList {
  private readonly ranks = growingFloat64();

  pushAll(ranks: Float64Array): void {
    this.ranks.pushAll(ranks);
  }

  rankOf(row: number): number {
    return this.ranks.items[row]!;
  }

  /** The time as FORMAT.md section 1 writes it. */
  at(row: number): string {
    const rank = this.rankOf(row);
    const second = Math.floor(rank / 1000) % 86_400;
    const day = Math.floor(rank / 86_400_000);
    const date = `${digits(Math.floor(day / 416), 4)}-${digits(Math.floor(day / 32) % 13, 2)}-${digits(day % 32, 2)}`;
    const minute = Math.floor(second / 60);
    return `${date}T${digits(Math.floor(minute / 60), 2)}:${digits(minute % 60, 2)}:${digits(second % 60, 2)}.${digits(rank % 1000, 3)}Z`;
  }
}
