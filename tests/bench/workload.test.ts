import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixtureOf, openLab } from '../../bench/fixture.ts';
import { floorOf } from '../../bench/floor.ts';
import { BASE, bundleOf, MIXES } from '../../bench/workload/bundle.ts';
import { median, quantile } from '../../harness/figures/statistics.ts';
import { COLLECTIONS } from '../../src/index.ts';

const lab = openLab();
const SIZES = [10, 11, 12, 28, 29, 30, 48, 50, 100, 805] as const;

describe.each(MIXES)('the mix %s', (mix) => {
  it.each(SIZES)('gives %i commitments, which verify from objects and from bytes, and say so', (size) => {
    const fixture = fixtureOf(lab, size, mix, 7);
    const outcomes = [
      lab.verifier.verifyFiles(fixture.files),
      lab.verifier.verifyValues({ ...fixture.values, inputs: [] }),
    ];
    for (const { verdict, refusals, signatureAccepted, counts, judgement } of outcomes) {
      expect({ verdict, refusals, signatureAccepted }).toEqual({
        verdict: 'FORENSICALLY_CONSISTENT',
        refusals: [],
        signatureAccepted: true,
      });
      expect(counts!.records + counts!.edges).toBe(size);
      expect(judgement!.statements).toEqual([]);
    }
  });

  it('is the same for the same seed, and another for another', () => {
    expect(bundleOf(60, mix, 3, 'p')).toEqual(bundleOf(60, mix, 3, 'p'));
    expect(bundleOf(60, mix, 3, 'p')).not.toEqual(bundleOf(60, mix, 4, 'p'));
  });
});

it('the base is the six records and four edges of the paper, an odd size has one card that no edge touches', () => {
  const held = (size: number) => {
    const bundle = bundleOf(size, 'artifacts', 7, 'p');
    return Object.fromEntries(
      [...COLLECTIONS, 'edges' as const].map((name) => [name, bundle[name].length]).filter(([, count]) => count !== 0),
    );
  };
  const base = { trace_metadata: 1, selected_cards: 1, endpoints: 1, exchanges: 1, artifacts: 1, artifact_renders: 1 };
  expect(held(10)).toEqual({ ...base, edges: 4 });
  expect(held(12)).toEqual({ ...base, artifacts: 2, edges: 5 });
  expect(held(805)).toEqual({ ...base, candidate_cards: 1, artifacts: 398, edges: 401 });
});

it('one response carries no more artifacts than the reader takes in one string', () => {
  const { exchanges, artifacts, edges } = bundleOf(8000, 'artifacts', 7, 'p');
  expect(exchanges.length).toBe(2);
  expect(edges.length).toBe(exchanges.length + artifacts.length + 2);
});

it.each([BASE - 1, 10.5, Number.NaN])('of %d commitments there is no bundle', (size) => {
  expect(() => bundleOf(size, 'artifacts', 7, 'p')).toThrow(RangeError);
});

it('the floor hashes what a verification hashes, each once: leaves, edge ids, tree, digests, files and bodies', () => {
  const fixture = fixtureOf(lab, 10, 'artifacts', 7);
  // 10 leaves, 4 edge ids, 5 + 3 + 2 + 1 nodes, C_T, commitments, 2 files, and the bodies: card, request, response, artifact.
  expect(floorOf(lab, fixture)()).toBe(10 + 4 + 11 + 2 + 2 + 4);
});

it('a quantile lies between the ranks it falls between, at rank 1 + share × (n − 1)', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(quantile([10, 20, 30, 40, 50], 0.95)).toBeCloseTo(48);
  expect(() => median([])).toThrow(RangeError);
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), fc.integer({ min: 0, max: 100 }), (values, percent) => {
      const at = quantile(values, percent / 100);
      const share = (holds: (value: number) => boolean) => values.filter(holds).length / values.length;
      expect(share((value) => value <= at + 1e-9)).toBeGreaterThanOrEqual((percent / 100) * (1 - 1 / values.length));
      expect(quantile(values, 0)).toBe(Math.min(...values));
      expect(quantile(values, 1)).toBe(Math.max(...values));
    }),
  );
});
