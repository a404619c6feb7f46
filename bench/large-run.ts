/** One verification of a bundle that stays where it is, and what it took: the program of `large.ts`. */
import { join } from 'node:path';
import { createVerifier, FileSource, nativeCrypto, readInput } from '../src/index.ts';
import { requireConsistent } from './consistent.ts';
import type { LargeRun } from './large.ts';

const [, , folder, commitments] = process.argv as [string, string, string, string];
const read = (name: string): Uint8Array => readInput(join(folder, name), name);

const verifier = createVerifier(
  { profile: read('profile'), trust: read('trust'), mode: 'full', otherProfile: false },
  nativeCrypto,
);
const start = process.hrtime.bigint();
const bundle = new FileSource(join(folder, 'bundle'), 'bundle');
const outcome = verifier.verifySource({ bundle, bundleSha256: () => bundle.sha256(), receipt: read('receipt') });
const ms = Number(process.hrtime.bigint() - start) / 1e6;
requireConsistent(outcome, Number(commitments));
process.send?.({ ms, peakMiB: process.resourceUsage().maxRSS / 1024 } satisfies LargeRun);
