import type { Refusal } from '../base/result.ts';

/** More than one step of an honest mistake makes; a hostile bundle could make two million. */
export const LISTED = 10_000;
const ID_SHOWN = 256;
const TEXT_SHOWN = 1024;

/** A malformed id or an unknown member's name may be 16 MiB long; no more of it is repeated than tells it apart. */
export const brief = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…`;

/** The refusals of one step: the first ten thousand in full, the others as a number, so that a report stays within bounds. */
export class Refusals {
  private readonly listed: Refusal[] = [];
  private unlisted = 0;

  add({ reason, at, detail }: Refusal): void {
    if (this.listed.length === LISTED) {
      this.unlisted++;
      return;
    }
    const place = {
      ...at,
      ...(at.pointer === undefined ? {} : { pointer: brief(at.pointer, TEXT_SHOWN) }),
      ...(typeof at.id === 'string' ? { id: brief(at.id, ID_SHOWN) } : {}),
    };
    this.listed.push({ reason, at: place, detail: brief(detail, TEXT_SHOWN) });
  }

  all(): readonly Refusal[] {
    if (this.unlisted === 0) return this.listed;
    const detail = `${this.unlisted} more than the ${LISTED} listed`;
    return [...this.listed, { reason: 'REFUSALS_NOT_LISTED', at: {}, detail }];
  }
}
