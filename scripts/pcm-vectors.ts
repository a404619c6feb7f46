import { nativeCrypto } from '../src/store/native-crypto.ts';
import { differences, outcomeOf } from '../tests/pcm/vectors.ts';
import { vectorsIn } from '../tests/pcm/vectors-folder.ts';

/** Runs the vectors of a folder against the verifier of messages, comparing what each decides; ends with 1 when one differs, with 2 when there is none. */
const [folder] = process.argv.slice(2);
const vectors = folder === undefined ? [] : vectorsIn(folder);
if (vectors.length === 0) {
  process.stderr.write('usage: pcm-vectors FOLDER, which holds vectors\n');
  process.exit(2);
}

const differing = vectors.filter((vector) => {
  const found = differences(vector, outcomeOf(vector, nativeCrypto), vector.firm);
  for (const { member, expected, got } of found)
    process.stdout.write(`${vector.name}: ${member} is ${got}, expected ${expected}\n`);
  return found.length > 0;
});
const compared = vectors.filter(({ firm }) => firm.length > 0).length;
process.stdout.write(`${vectors.length} vectors, ${compared} of them compared, ${differing.length} differ\n`);
process.exitCode = differing.length === 0 ? 0 : 1;
