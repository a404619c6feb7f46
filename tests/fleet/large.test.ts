import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inMemory } from '../../src/base/byte-source.ts';
import { agentsIn } from '../../src/fleet/agents.ts';
import { LARGE_BYTES } from '../../src/store/file-source.ts';
import { evidenceOf, outFile, resultsIn, tempFolder, verifyFolder, writePair } from './lab.ts';

/** White space between two values makes a file large, and changes nothing of what it says. */
const padded = (text: string): string => text.replace(',', `,${' '.repeat(LARGE_BYTES)}`);

/** What a result says of the evidence, whatever file it is in. */
const said = (result: object) => ({ ...result, key: null, bundle: null, bundle_sha256: null, receipt: null });

it('verifies a bundle that stays where it is as one that is read: intact and tampered with', async () => {
  const folder = tempFolder();
  const intact = new TextDecoder().decode(evidenceOf('incident-1').bundle);
  const texts = { intact, tampered: intact.replace('"jsonrpc', '"jsonrpC') };
  for (const [name, text] of Object.entries(texts)) {
    for (const [kind, bundle] of Object.entries({ small: text, large: padded(text) })) {
      writePair(folder, `${name}-${kind}`);
      writeFileSync(join(folder, `${name}-${kind}.bundle.json`), bundle);
    }
  }
  const out = outFile();
  await verifyFolder(folder, { out });
  const results = new Map(resultsIn(out).map((result) => [result.bundle, result]));
  const of = (name: string) => results.get(join(folder, `${name}.bundle.json`))!;
  const verdicts = Object.keys(texts).map((name) => {
    const [small, large] = [of(`${name}-small`), of(`${name}-large`)];
    expect(large.bundle_sha256).not.toBe(small.bundle_sha256);
    expect(said(large)).toEqual(said(small));
    return small.verdict;
  });
  expect(verdicts).toEqual(['FORENSICALLY_CONSISTENT', 'INTEGRITY_REFUSED']);
});

it('names the same agents in rows as a capture writes them and in another spelling', () => {
  const bytes = evidenceOf('incident-1').bundle;
  const pretty = new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)), null, 1));
  expect(agentsIn(inMemory(pretty))).toEqual(agentsIn(inMemory(bytes)));
  expect(agentsIn(inMemory(bytes)).length).toBeGreaterThan(1);
});
