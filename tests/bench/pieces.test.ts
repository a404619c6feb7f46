import { expect, it } from 'vitest';
import { requireConsistent } from '../../bench/consistent.ts';
import { fixtureOf, openLab } from '../../bench/fixture.ts';
import type { ByteSource } from '../../src/base/byte-source.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';

const PIECE_BYTES = 1 << 14;
/** As many as a large file has in memory. */
const PIECES_HELD = 6;

/** Bytes of which a few pieces are held, with how often one had to be read. */
class Pieces implements ByteSource {
  readonly size: number;
  readonly whole = null;
  private readonly bytes: Uint8Array;
  private held: number[] = [];
  reads = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.size = bytes.length;
  }

  stretch(from: number, least: number): { bytes: Uint8Array; base: number } {
    const first = Math.floor(from / PIECE_BYTES);
    const last = Math.floor((Math.min(from + least, this.size) - 1) / PIECE_BYTES);
    for (let piece = first; piece <= last; piece++) {
      if (!this.held.includes(piece)) this.reads++;
      this.held = [piece, ...this.held.filter((other) => other !== piece)].slice(0, PIECES_HELD);
    }
    const base = first * PIECE_BYTES;
    return { bytes: this.bytes.subarray(base, Math.max((last + 1) * PIECE_BYTES, base)), base };
  }
}

it.each(['artifacts', 'exchanges', 'all'] as const)(
  'a large bundle of the mix %s is read a few times over, however many lists its records stand in',
  (mix) => {
    const lab = openLab();
    const { files, commitments } = fixtureOf(lab, 3000, mix, 7);
    const bundle = new Pieces(files.bundle);
    const bundleSha256 = (): string => nativeCrypto.sha256Hex(files.bundle);
    const outcome = lab.verifier.verifySource({ bundle, bundleSha256, receipt: files.receipt });
    requireConsistent(outcome, commitments);
    const pieces = Math.ceil(bundle.size / PIECE_BYTES);
    expect(pieces).toBeGreaterThan(10 * PIECES_HELD);
    expect(bundle.reads).toBeLessThan(12 * pieces);
  },
);
