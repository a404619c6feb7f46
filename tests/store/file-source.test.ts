import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EnvironmentFault } from '../../src/store/fault.ts';
import { FileSource } from '../../src/store/file-source.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';

const PIECE_BYTES = 1 << 22;
const bytes = randomBytes(10 * PIECE_BYTES + 17);
let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-source-'));
  file = join(folder, 'file');
  writeFileSync(file, bytes);
});
afterEach(() => rmSync(folder, { recursive: true }));

const opened = <T>(use: (source: FileSource) => T): T => {
  const source = new FileSource(file, 'bundle');
  try {
    return use(source);
  } finally {
    source.close();
  }
};

it.each([
  [0, 1],
  [PIECE_BYTES - 1, 1],
  [PIECE_BYTES - 1, 2],
  [PIECE_BYTES, PIECE_BYTES],
  [PIECE_BYTES + 5, 3 * PIECE_BYTES],
  [10 * PIECE_BYTES, 17],
  [10 * PIECE_BYTES, 99],
  [10 * PIECE_BYTES - 3, 99],
])('gives what stands from %i on, %i bytes of it or what there is', (from, least) => {
  opened((source) => {
    const { bytes: held, base } = source.stretch(from, least);
    expect(base).toBeLessThanOrEqual(from);
    expect(base + held.length).toBeGreaterThanOrEqual(Math.min(from + least, bytes.length));
    expect(bytes.subarray(base, base + held.length).equals(held)).toBe(true);
  });
});

it('tells size and digest of the whole, in whatever order it was read', () => {
  const whole = nativeCrypto.sha256Hex(bytes);
  expect(opened((source) => [source.size, source.sha256()])).toEqual([bytes.length, whole]);
  const read = opened((source) => {
    for (const piece of [0, 1, 9, 3, 10]) source.stretch(piece * PIECE_BYTES, 1);
    return source.sha256();
  });
  expect(read).toBe(whole);
});

it('refuses to give other bytes for what it gave before', () => {
  opened((source) => {
    source.sha256();
    writeFileSync(file, bytes.with(5, bytes[5]! ^ 1));
    expect(() => source.stretch(0, 1)).toThrow(EnvironmentFault);
  });
  opened((source) => {
    source.stretch(0, 1);
    truncateSync(file, PIECE_BYTES);
    expect(() => source.sha256()).toThrow('was changed while it was read');
  });
});

it('names a file that is not there', () => {
  expect(() => new FileSource(join(folder, 'none'), 'bundle')).toThrow(EnvironmentFault);
});
