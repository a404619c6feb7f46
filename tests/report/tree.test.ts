import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.ts';
import { treeOf } from '../../src/report/tree.ts';
import { asObject, buildBundle } from '../support/bundle.ts';

/** Steps of one list, so that any step may follow any other. */
const stepsOf = (
  follows: readonly (readonly [number, number])[],
  count: number,
  exchanges: readonly number[],
): JsonObject => {
  const edge = (relation: string, source_type: string, source: string, id: string) => ({
    relation,
    source_type,
    source_id: source,
    destination_type: 'RoutingEventEvidence',
    destination_id: id,
  });
  return asObject({
    exchanges: [{ exchange_id: 'exchange', sequence: 0 }],
    routing_events: Array.from({ length: count }, (_, at) => ({ routing_id: `step-${at}`, sequence: at + 1 })),
    edges: [
      ...exchanges.map((at) => edge('EXCHANGE_ROUTED_STEP', 'RuntimeExchange', 'exchange', `step-${at}`)),
      ...follows.map(([a, b]) => edge('ROUTING_STEP_FOLLOWS', 'RoutingEventEvidence', `step-${a}`, `step-${b}`)),
    ],
  });
};

describe('the tree of what derives from an exchange', () => {
  it('shows whatever can be reached, expands each record once, and ends, whatever cycles there are', () => {
    const step = fc.nat({ max: 6 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(step, step), { maxLength: 20 }),
        fc.array(step, { maxLength: 3 }),
        (follows, from) => {
          const { rows, apart, left } = treeOf(stepsOf(follows, 7, from), null);
          const reached = new Set(from);
          for (const at of reached) for (const [a, b] of follows) if (a === at) reached.add(b);
          const expanded = rows.filter(({ under }) => under === null).map(({ id }) => id);
          expect([...new Set(expanded)]).toEqual(expanded.filter((id, at) => at === expanded.indexOf(id)));
          expect(new Set(rows.map(({ id }) => id))).toEqual(
            new Set(['exchange', ...[...reached].map((at) => `step-${at}`)]),
          );
          expect(apart).toBe(7 - reached.size);
          expect(left).toBe(0);
          // Every edge from what is reached is one line.
          expect(rows.length).toBe(1 + from.length + follows.filter(([a]) => reached.has(a)).length);
        },
      ),
    );
  });

  it('has a record where fewest steps lead to it, and names it elsewhere', () => {
    const { rows } = treeOf(
      stepsOf(
        [
          [0, 1],
          [1, 2],
        ],
        3,
        [0, 2],
      ),
      null,
    );
    expect(rows.map(({ depth, id, under }) => [depth, id, under])).toEqual([
      [0, 'exchange', null],
      [1, 'step-0', null],
      [2, 'step-1', null],
      [3, 'step-2', 'exchange'],
      [1, 'step-2', null],
    ]);
  });

  it('bounds depth and length, and says what is left', () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => [at, at + 1] as const);
    const deep = treeOf(stepsOf(chain, 20_001, [0]), null);
    expect(deep.rows.at(-1)).toMatchObject({ depth: 16, id: 'step-15', below: 1 });
    expect(treeOf(stepsOf(chain, 20_001, [0]), 'step-15').rows.at(-1)).toMatchObject({ depth: 16, id: 'step-31' });
    const wide = treeOf(
      stepsOf(
        [],
        20_000,
        Array.from({ length: 20_000 }, (_, at) => at),
      ),
      null,
    );
    expect([wide.rows.length, wide.left]).toEqual([5000, 15_001]);
  });

  it('starts at the records of an id, in whatever list', () => {
    const { rows, apart } = treeOf(buildBundle(), 'card-worker');
    expect(rows.filter(({ depth }) => depth === 0).map(({ collection }) => collection)).toEqual([
      'candidate_cards',
      'trusted_cards',
      'selected_cards',
    ]);
    expect(rows.map(({ relation }) => relation)).toContain('ENDPOINT_SERVED_EXCHANGE');
    expect(apart).toBeGreaterThan(0);
    expect(treeOf(buildBundle(), 'nobody').rows).toEqual([]);
  });

  it('takes a bundle of any shape', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('exchanges', 'artifacts', 'edges'), fc.jsonValue()), (bundle) => {
        treeOf(bundle as JsonObject, null);
      }),
    );
    const dangling = treeOf(stepsOf([[0, 9]], 1, [0]), null);
    expect(dangling.rows.at(-1)).toMatchObject({
      collection: null,
      id: 'RoutingEventEvidence step-9',
      line: 'no such record',
    });
  });
});
