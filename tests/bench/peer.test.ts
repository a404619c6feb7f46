import { expect, test } from 'vitest';
import { type Fixture, fixtureOf, openLab } from '../../bench/fixture.ts';
import { Peer } from '../../bench/peer.ts';
import { MIXES } from '../../bench/workload/bundle.ts';
import { describeWithPython } from '../interop/support/python.ts';

const lab = openLab();

/** The fixture with one text of a file replaced by another of the same length. */
const damaged = (fixture: Fixture, file: 'bundle' | 'receipt', from: string, to: string): Fixture => {
  const text = new TextDecoder().decode(fixture.files[file]);
  expect(text).toContain(from);
  return { ...fixture, files: { ...fixture.files, [file]: new TextEncoder().encode(text.replace(from, to)) } };
};

describeWithPython('the Python peer', () => {
  test.each(MIXES)(
    'verifies bundles of the mix %s from objects and from bytes, and times each verification',
    async (mix) => {
      const peer = await Peer.start(lab);
      try {
        for (const size of [10, 11, 100]) {
          await peer.load(String(size), fixtureOf(lab, size, mix, 7));
          for (const source of ['objects', 'bytes'] as const) {
            const times = await peer.times(String(size), source, 3);
            expect(times).toHaveLength(3);
            expect(Math.min(...times)).toBeGreaterThan(0);
          }
        }
      } finally {
        peer.stop();
      }
    },
  );

  test.each([
    [
      'the content of an artifact',
      'bundle',
      '"media_type":"text/plain"',
      '"media_type":"text/plaim"',
      'capture digest',
    ],
    ['a leaf', 'receipt', '"c":"artifacts","h":"', '"c":"artifacts","h":"0', 'commitments'],
    ['the signed body', 'receipt', '"issued_at":"2026', '"issued_at":"2027', 'signature'],
    ['a name', 'bundle', '"part_kind":"text"', '"part_kind":"text","part_kind":"text"', 'twice'],
    ['a number', 'bundle', '"part_index":0', '"part_index":0.0', 'outside the model'],
  ] as const)('refuses a pair in which %s is not what was sealed', async (_, file, from, to, told) => {
    const peer = await Peer.start(lab);
    try {
      const load = async () => {
        await peer.load('damaged', damaged(fixtureOf(lab, 20, 'artifacts', 7), file, from, to));
        await peer.times('damaged', 'bytes', 1);
      };
      await expect(load()).rejects.toThrow(told);
    } finally {
      peer.stop();
    }
  });
});
