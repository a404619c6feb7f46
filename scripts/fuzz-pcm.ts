import { type Findings, fuzzSigned, fuzzTexts } from '../tests/pcm/fuzz/run.ts';

/**
 * Mutates messages and holds the verifier to what is true of them: three in four as text, one in four before it is signed. Prints the verdicts and each
 * finding with the seed that makes it again; ends with 1 on a finding.
 */
const [count = 200_000, seed = 1] = process.argv.slice(2).map(Number);
if (!Number.isSafeInteger(count) || count < 4 || !Number.isSafeInteger(seed)) {
  process.stderr.write('usage: fuzz-pcm [COUNT [SEED]]\n');
  process.exit(2);
}

const told = (what: string, { verdicts, wrong }: Findings): string =>
  `${what}: ${Object.entries(verdicts)
    .map(([verdict, times]) => `${times} ${verdict}`)
    .join(', ')}; ${wrong.length} wrong\n`;

const signed = Math.floor(count / 4);
const texts = fuzzTexts(count - signed, seed);
process.stdout.write(told('texts', texts));
const bodies = fuzzSigned(signed, seed);
process.stdout.write(told('signed', bodies));
for (const finding of [...texts.wrong, ...bodies.wrong].slice(0, 100)) process.stdout.write(`${finding}\n`);
process.exitCode = texts.wrong.length + bodies.wrong.length === 0 ? 0 : 1;
