import { VERDICTS, type Verdict } from '../verify/outcome.ts';
import type { AnyReason, Result } from './result.ts';

/** Over many pairs the worst is kept (RULES.md). */
const WORST_FIRST = [4, 2, 5, 1, 3, 0];
const INCONCLUSIVE = 3;
/** Evidence names agents as it likes; beyond so many, others are no longer told apart. */
const MAX_AGENTS = 10_000;

export type Verdicts = Readonly<Record<Verdict, number>>;
/** What all results come to; what occurs most stands first. */
export type Summary = {
  readonly pairs: number;
  /** Those that the selection let through: all that follows is of these. */
  readonly selected: number;
  /** Pairs whose receipt could not be read, so that nobody can say whose they are. */
  readonly without_signer: number;
  /** Taken over from an earlier run. */
  readonly known: number;
  readonly exit_code: number;
  readonly verdicts: Verdicts;
  readonly reasons: readonly { readonly reason: AnyReason; readonly pairs: number }[];
  readonly agents: readonly { readonly agent: string; readonly pairs: number; readonly verdicts: Verdicts }[];
  readonly agents_not_listed: number;
};

const none = (): Record<Verdict, number> =>
  Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;

const byPairs = <T extends { readonly pairs: number }>(rows: readonly T[], nameOf: (row: T) => string): T[] =>
  rows.toSorted((a, b) => b.pairs - a.pairs || (nameOf(a) < nameOf(b) ? -1 : 1));

/** Counts results one by one; holds none of them. */
export class Tally {
  #pairs = 0;
  #selected = 0;
  #known = 0;
  #withoutSigner = 0;
  #agentsNotListed = 0;
  readonly #verdicts = none();
  readonly #exits = new Set<number>();
  readonly #reasons = new Map<AnyReason, number>();
  readonly #agents = new Map<string, { pairs: number; readonly verdicts: Record<Verdict, number> }>();

  add(result: Result, isSelected: boolean, isKnown: boolean): void {
    this.#pairs++;
    if (isKnown) this.#known++;
    if (result.signer_id === null) this.#withoutSigner++;
    if (!isSelected) return;
    this.#selected++;
    this.#verdicts[result.verdict]++;
    this.#exits.add(result.exit_code);
    for (const reason of result.reasons) this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
    for (const agent of result.agents) this.#addAgent(agent, result.verdict);
    this.#agentsNotListed += result.agents_total - result.agents.length;
  }

  summary(): Summary {
    return {
      pairs: this.#pairs,
      selected: this.#selected,
      without_signer: this.#withoutSigner,
      known: this.#known,
      // Zero evidence is never a pass.
      exit_code: WORST_FIRST.find((code) => this.#exits.has(code)) ?? INCONCLUSIVE,
      verdicts: this.#verdicts,
      reasons: byPairs(
        [...this.#reasons].map(([reason, pairs]) => ({ reason, pairs })),
        ({ reason }) => reason,
      ),
      agents: byPairs(
        [...this.#agents].map(([agent, told]) => ({ agent, ...told })),
        ({ agent }) => agent,
      ),
      agents_not_listed: this.#agentsNotListed,
    };
  }

  #addAgent(agent: string, verdict: Verdict): void {
    const told = this.#agents.get(agent) ?? { pairs: 0, verdicts: none() };
    if (told.pairs === 0 && this.#agents.size === MAX_AGENTS) {
      this.#agentsNotListed++;
      return;
    }
    told.pairs++;
    told.verdicts[verdict]++;
    this.#agents.set(agent, told);
  }
}
