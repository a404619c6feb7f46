import type { Refusal } from '../base/result.ts';

const LISTED = 100;

/** The refusals of one step: the first hundred in full, the others as a number, so that a report stays readable. */
export class Refusals {
  private readonly listed: Refusal[] = [];
  private unlisted = 0;

  add(refusal: Refusal): void {
    if (this.listed.length < LISTED) this.listed.push(refusal);
    else this.unlisted++;
  }

  all(): readonly Refusal[] {
    if (this.unlisted === 0) return this.listed;
    const detail = `${this.unlisted} more than the ${LISTED} listed`;
    return [...this.listed, { reason: 'REFUSALS_NOT_LISTED', at: {}, detail }];
  }
}
