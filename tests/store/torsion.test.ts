import { Point } from '@noble/ed25519';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { isTorsionFree } from '../../src/store/torsion.ts';

const L = Point.CURVE().n;
/** A point of order eight. */
const EIGHTH = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
const TORSION = Array.from({ length: 8 }, (_, times) => EIGHTH.multiplyUnsafe(BigInt(times)));

it('is true of points of the group of prime order, and of none that has a torsion component', () => {
  expect(new Set(TORSION.map((point) => point.toHex())).size).toBe(8);
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: L - 1n }), fc.nat(7), (scalar, times) => {
      const point = Point.BASE.multiplyUnsafe(scalar).add(TORSION[times]!);
      expect(isTorsionFree(point)).toBe(times === 0);
      expect(point.isTorsionFree()).toBe(times === 0);
    }),
    { numRuns: 40 },
  );
});

it.each([1n, 2n, 3n, L - 1n, (L - 1n) / 2n])('is right at the edges of the scalars: %s', (scalar) => {
  for (const [times, torsion] of TORSION.entries()) {
    expect(isTorsionFree(Point.BASE.multiplyUnsafe(scalar).add(torsion))).toBe(times === 0);
  }
});

it('asks the portable check where the runtime has no X25519', async () => {
  vi.resetModules();
  vi.doMock('node:crypto', async (original) => ({
    ...(await original<typeof import('node:crypto')>()),
    createPrivateKey: () => {
      throw new Error('unsupported');
    },
  }));
  const without = await import('../../src/store/torsion.ts');
  vi.doUnmock('node:crypto');
  const asked = vi.spyOn(Point.prototype, 'isTorsionFree');
  expect([Point.BASE, Point.BASE.add(EIGHTH)].map(without.isTorsionFree)).toEqual([true, false]);
  expect(asked).toHaveBeenCalledTimes(2);
});
