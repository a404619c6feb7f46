import { expect, test } from 'vitest';
import { vectorsIn } from '../../pcm/vectors-folder.ts';
import { describeWithPython } from '../support/python.ts';
import { disagreements } from './differential.ts';

describeWithPython('the second verifier of docs/PCM.md', () => {
  test('gives every member of our result on the 384 vectors', async () => {
    const vectors = vectorsIn('tests/vectors/pcm');
    expect(vectors.length).toBe(384);
    expect(await disagreements(vectors)).toEqual([]);
  });
});
