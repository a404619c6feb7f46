import { readFileSync } from 'node:fs';
import { Point } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64 } from '../../src/base/base64.ts';
import type { Crypto } from '../../src/base/crypto.ts';
import { littleEndian } from '../../src/base/ed25519-key.ts';
import { portableCrypto } from '../../src/base/portable-crypto.ts';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { tsvRows } from './tsv.ts';

const load = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const json = <T>(path: string): T => JSON.parse(load(path)) as T;

const { n: L, p: P } = Point.CURVE();
const toLittleEndian = (value: bigint): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));

/** The eight points of small order: the multiples of one point of order eight. */
const TORSION: readonly Point[] = (() => {
  // [L]Q of any curve point Q is of small order; take the first that has order eight.
  for (let y = 2n; ; y++) {
    let q: Point;
    try {
      q = Point.fromBytes(toLittleEndian(y));
    } catch {
      continue;
    }
    const t = q.multiplyUnsafe(L - 1n).add(q);
    if (t.double().double().is0()) continue;
    const multiples = [Point.ZERO];
    for (let i = 1; i < 8; i++) multiples.push(multiples[i - 1]!.add(t));
    return multiples;
  }
})();

/** Signs with scalar a under key [a]B + T, with nonce r and R = [r]B + U, so that the equation leaves [k]T + U over. */
const signMixed = (a: bigint, r: bigint, T: Point, U: Point, message: Uint8Array) => {
  const A = Point.BASE.multiplyUnsafe(a).add(T).toBytes();
  const R = Point.BASE.multiplyUnsafe(r).add(U).toBytes();
  const k = littleEndian(sha512(concatBytes(R, A, message))) % L;
  const left = T.multiplyUnsafe(k).add(U);
  return { A, signature: concatBytes(R, toLittleEndian((r + k * a) % L)), holds: left.is0() };
};

const MESSAGE = encodeUtf8('A2AFT.Receipt.v3\0{}');

describe.each<Crypto>([nativeCrypto, portableCrypto])('$name crypto', (crypto) => {
  const accepts = (key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean =>
    crypto.checkPublicKey(key) === 'ok' && crypto.verifyEd25519(key, message, signature);

  it('hashes as FIPS 180-4 says, strings as their UTF-8, pieces as the whole', () => {
    expect(crypto.sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(crypto.sha256Hex(new Uint8Array())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(crypto.sha256Hex('\u20ac\u{1f602}')).toBe(crypto.sha256Hex(encodeUtf8('\u20ac\u{1f602}')));
    const stream = crypto.sha256Stream();
    for (const piece of ['a', '', 'bc']) stream.update(encodeUtf8(piece));
    expect(stream.hex()).toBe(crypto.sha256Hex('abc'));
  });

  it.each(json<Record<'name' | 'public_key' | 'message' | 'signature', string>[]>('vectors/rfc8032-ed25519.json'))(
    'accepts $name and no flipped bit of it',
    (vector) => {
      const [key, message, signature] = [vector.public_key, vector.message, vector.signature].map(hexToBytes) as [
        Uint8Array,
        Uint8Array,
        Uint8Array,
      ];
      expect(accepts(key, message, signature)).toBe(true);
      for (let bit = 0; bit < 512; bit += 7) {
        const flipped = signature.slice();
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        expect(accepts(key, message, flipped)).toBe(false);
      }
      expect(accepts(key, concatBytes(message, Uint8Array.of(0)), signature)).toBe(false);
    },
  );

  it('agrees with every Wycheproof vector', () => {
    type Group = { publicKey: { pk: string }; tests: { tcId: number; msg: string; sig: string; result: string }[] };
    const { testGroups } = json<{ testGroups: Group[] }>('vectors/wycheproof-ed25519.json');
    let count = 0;
    for (const { publicKey, tests } of testGroups) {
      for (const { tcId, msg, sig, result } of tests) {
        const got = accepts(hexToBytes(publicKey.pk), hexToBytes(msg), hexToBytes(sig));
        expect({ tcId, got }).toEqual({ tcId, got: result === 'valid' });
        count++;
      }
    }
    expect(count).toBe(151);
  });

  it('judges the equation of the twelve speccheck vectors without cofactor, and refuses all their keys but two', () => {
    const cases = json<Record<'message' | 'pub_key' | 'signature', string>[]>('vectors/speccheck-ed25519.json');
    const seen = cases.map(({ message, pub_key, signature }) => [
      crypto.verifyEd25519(hexToBytes(pub_key), hexToBytes(message), hexToBytes(signature)),
      crypto.checkPublicKey(hexToBytes(pub_key)),
    ]);
    expect(seen).toEqual([
      [true, 'small_order'],
      [true, 'small_order'],
      [true, 'not_torsion_free'],
      [true, 'not_torsion_free'],
      [false, 'not_torsion_free'],
      [false, 'not_torsion_free'],
      [false, 'ok'],
      [false, 'ok'],
      [false, 'not_torsion_free'],
      [false, 'not_torsion_free'],
      [false, 'non_canonical'],
      [false, 'non_canonical'],
    ]);
  });

  it.each(tsvRows('cases/ed25519.tsv'))(
    '$expected: $name ($why)',
    ({ public_key, message_hex, signature, expected }) => {
      const key = decodeBase64(public_key!);
      const bytes = decodeBase64(JSON.parse(signature!) as string);
      const accepted = key !== null && bytes !== null && accepts(key, hexToBytes(message_hex!), bytes);
      expect(accepted).toBe(expected === 'accept');
    },
  );

  it('accepts mixed-order A and R exactly when the torsion cancels, over all 64 pairs', () => {
    let holding = 0;
    for (const T of TORSION) {
      for (const U of TORSION) {
        const { A, signature, holds } = signMixed(123456789n, 987654321n, T, U, MESSAGE);
        expect(crypto.verifyEd25519(A, MESSAGE, signature)).toBe(holds);
        expect(crypto.checkPublicKey(A)).toBe(T.is0() ? 'ok' : 'not_torsion_free');
        if (holds) holding++;
      }
    }
    expect(holding).toBeGreaterThan(1);
  });

  it('accepts an identity R when the equation holds, and not its second encodings', () => {
    const a = 42n;
    const A = Point.BASE.multiplyUnsafe(a).toBytes();
    const sign = (R: Uint8Array) =>
      concatBytes(R, toLittleEndian(((littleEndian(sha512(concatBytes(R, A, MESSAGE))) % L) * a) % L));
    expect(crypto.verifyEd25519(A, MESSAGE, sign(toLittleEndian(1n)))).toBe(true);
    for (const other of [1n + P, 1n + (1n << 255n), 1n + P + (1n << 255n)])
      expect(crypto.verifyEd25519(A, MESSAGE, sign(toLittleEndian(other)))).toBe(false);
  });

  it('refuses S + mL for every m that fits in 32 bytes', () => {
    const { A, signature } = signMixed(7n, 9n, Point.ZERO, Point.ZERO, MESSAGE);
    const s = littleEndian(signature.subarray(32));
    let tried = 0;
    for (let m = 0n; s + m * L < 1n << 256n; m++) {
      const variant = concatBytes(signature.subarray(0, 32), toLittleEndian(s + m * L));
      expect(crypto.verifyEd25519(A, MESSAGE, variant)).toBe(m === 0n);
      tried++;
    }
    expect(tried).toBeGreaterThan(14);
  });

  it('names what is wrong with every key of small order, second encoding or wrong length', () => {
    for (const T of TORSION) expect(crypto.checkPublicKey(T.toBytes())).toBe('small_order');
    for (let y = 0n; y < 19n; y++) {
      for (const sign of [0n, 1n << 255n]) {
        const key = toLittleEndian(y + P + sign);
        expect(crypto.checkPublicKey(key)).toBe('non_canonical');
        expect(crypto.verifyEd25519(key, MESSAGE, new Uint8Array(64))).toBe(false);
      }
    }
    for (const y of [1n, P - 1n]) expect(crypto.checkPublicKey(toLittleEndian(y + (1n << 255n)))).toBe('non_canonical');
    expect(crypto.checkPublicKey(toLittleEndian(2n))).toBe('not_on_curve');
    for (const length of [0, 31, 33]) expect(crypto.checkPublicKey(new Uint8Array(length))).toBe('wrong_length');
  });

  it('refuses lengths other than 32 and 64', () => {
    const { A, signature } = signMixed(7n, 9n, Point.ZERO, Point.ZERO, MESSAGE);
    expect(crypto.verifyEd25519(A, MESSAGE, signature)).toBe(true);
    expect(crypto.verifyEd25519(A, MESSAGE, signature.subarray(0, 63))).toBe(false);
    expect(crypto.verifyEd25519(A, MESSAGE, concatBytes(signature, Uint8Array.of(0)))).toBe(false);
    expect(crypto.verifyEd25519(A.subarray(0, 31), MESSAGE, signature)).toBe(false);
  });
});

it('both implementations give one answer on generated keys, torsion, nonces and changes', () => {
  const scalar = fc.bigInt({ min: 1n, max: L - 1n });
  const torsion = fc.constantFrom(...TORSION);
  fc.assert(
    fc.property(
      scalar,
      scalar,
      torsion,
      torsion,
      fc.uint8Array({ maxLength: 64 }),
      fc.integer({ min: -256, max: 767 }),
      (a, r, T, U, message, bit) => {
        const { A, signature } = signMixed(a, r, T, U, message);
        const all = concatBytes(A, signature);
        if (bit >= 0) all[bit >> 3]! ^= 1 << (bit & 7);
        const [key, changed] = [all.subarray(0, 32), all.subarray(32)];
        expect(bytesToHex(all) + nativeCrypto.verifyEd25519(key, message, changed)).toBe(
          bytesToHex(all) + portableCrypto.verifyEd25519(key, message, changed),
        );
      },
    ),
    { numRuns: 300 },
  );
});
