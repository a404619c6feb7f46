import { type Bundle, COLLECTIONS, deriveEdges, nativeCrypto, type Records } from '../../src/index.ts';
import { artifactOf, exchangeOf, invocationOf, renderOf, type Spoken, stepOf, transitionOf } from './exchange.ts';
import { type Random, randomOf } from './random.ts';
import { proseOf } from './text.ts';
import { type Common, cardOf, commonOf, endpointOf, metadataOf } from './trace.ts';
import { answerOf, dereferenceOf, referenceOf } from './uri.ts';

/** What fills a bundle beyond its base: artifacts alone as in the paper, exchanges alone, or nearly every kind of record. */
export const MIXES = ['artifacts', 'exchanges', 'all'] as const;
export type Mix = (typeof MIXES)[number];

/** TraceMetadata, card, endpoint, exchange, artifact, render and the four edges between them. */
export const BASE = 10;
/** One exchange of the mix `all` with the eight records that follow from it: nine records, ten edges. */
const TURN = 19;
/** A body must stay below the reader's bound of one string, so a response carries no more than so many. */
const ARTIFACTS_EACH = 2000;

/** How many artifacts each exchange of a bundle brings, of a number of records that have one edge each. */
const planOf = (mix: Mix, more: number): readonly number[] => {
  if (mix === 'exchanges') return [1, ...Array.from({ length: more }, () => 0)];
  const plan = [1];
  for (let left = more; left > 0; left--) {
    if (plan.at(-1) === ARTIFACTS_EACH) plan.push(0);
    else plan[plan.length - 1]!++;
  }
  return plan;
};

type Growing = { -readonly [C in keyof Records]: Records[C][number][] };

/** Adds one exchange with its artifacts; the first is rendered in the base, and in every turn of the mix `all`. */
const addExchange = (records: Growing, spoken: Spoken, random: Random, next: () => Common): void => {
  records.exchanges.push(exchangeOf(spoken, random, next()));
  for (const index of spoken.artifacts.keys()) records.artifacts.push(artifactOf(spoken, index, next()));
};

const addTurn = (records: Growing, spoken: Spoken, random: Random, next: () => Common): void => {
  const { number } = spoken;
  addExchange(records, spoken, random, next);
  records.task_transitions.push(transitionOf(number, next()));
  records.artifact_renders.push(renderOf(spoken, next()));
  records.capability_invocations.push(invocationOf(number, next()));
  records.routing_events.push(stepOf(number, next()));
  records.uri_references.push(referenceOf(number, next()));
  records.uri_dereferences.push(dereferenceOf(number, next()));
  records.dereference_responses.push(answerOf(number, proseOf(random), next()));
};

/**
 * A valid bundle of exactly `commitments` records and edges, at least BASE; the same for the same size, mix and seed. An odd
 * remainder is one candidate card that no edge touches. Throws RangeError when it cannot be made.
 */
export const bundleOf = (commitments: number, mix: Mix, seed: number, profile_id: string): Bundle => {
  if (!Number.isSafeInteger(commitments) || commitments < BASE) throw new RangeError(`a bundle has ${BASE} or more`);
  const random = randomOf(seed + commitments);
  const turns = mix === 'all' ? Math.floor((commitments - BASE) / TURN) : 0;
  const rest = commitments - BASE - turns * TURN;
  let sequence = 1;
  const next = (): Common => commonOf(random, sequence++);
  const records = Object.fromEntries(COLLECTIONS.map((name) => [name, []])) as unknown as Growing;
  const spokenOf = (number: number, artifacts: number): Spoken => ({
    number,
    artifacts: Array.from({ length: artifacts }, () => proseOf(random)),
  });
  records.selected_cards.push(cardOf('card-0', 'Worker', next()));
  records.endpoints.push(endpointOf(next()));
  if (rest % 2 === 1) records.candidate_cards.push(cardOf('card-1', 'Auxiliary', next()));
  for (const [number, artifacts] of planOf(mix, Math.floor(rest / 2)).entries()) {
    const spoken = spokenOf(number, artifacts);
    addExchange(records, spoken, random, next);
    if (number === 0) records.artifact_renders.push(renderOf(spoken, next()));
  }
  const first = records.exchanges.length;
  for (let turn = 0; turn < turns; turn++) addTurn(records, spokenOf(first + turn, 1), random, next);
  const metadata = metadataOf(commonOf(random, 0), `bench-${mix}-${commitments}`, profile_id, sequence);
  const all: Records = { ...records, trace_metadata: [metadata] };
  const edges = deriveEdges(all, nativeCrypto);
  const made = COLLECTIONS.reduce((sum, name) => sum + all[name].length, edges.length);
  if (made !== commitments) throw new RangeError(`made ${made} commitments instead of ${commitments}`);
  return { format: 'a2aft.bundle.v3', profile_version: '3', ...all, edges };
};
