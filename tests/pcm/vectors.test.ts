import { describe, expect, it } from 'vitest';
import { portableCrypto } from '../../src/base/portable-crypto.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { differences, MEMBERS, outcomeOf } from './vectors.ts';
import { vectorsIn } from './vectors-folder.ts';

const vectors = vectorsIn('tests/vectors/pcm');

it('there are 384 vectors, of which 328 are decided by the sources', () => {
  expect(vectors.length).toBe(384);
  expect(vectors.filter(({ firm }) => firm.length > 0).length).toBe(328);
});

describe.each([nativeCrypto, portableCrypto])('with $name cryptography', (crypto) => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const outcome = outcomeOf(vector, crypto);
    expect(differences(vector, outcome, vector.firm)).toEqual([]);
    // Where the sources leave a point open, docs/PCM.md decides it as the vector's model does; a change of mind is a change of both.
    expect(differences(vector, outcome, MEMBERS)).toEqual([]);
  });
});
