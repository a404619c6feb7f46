import type { Documents } from '../documents.ts';
import { PLAYS, type Play } from './scenarios.ts';

const rowOf = ({ name, scenario, side }: Play, { definition }: Documents): string => {
  const { title, expected_finding, ...sides } = definition(scenario.family);
  const shows = side === 'condition' ? `\`${expected_finding}\`` : '`FORENSICALLY_CONSISTENT`';
  return `| \`${name}\` | ${scenario.family} ${title} | ${side} | ${sides[side].input} ${sides[side].setup} | \`${scenario.script[side]}\` | ${shows} |`;
};

/** The page that says which committed trace is which: it stands outside the evidence, which does not say. */
export const tracesReadme = (documents: Documents): string => `# Traces of the demo

Twelve exchanges between real A2A SDK clients and servers on loopback, captured, signed and committed: one condition and
one matched control of each family. No model took part; each action was scripted (\`harness/demo/\`). File names and ids
say nothing of which run is a condition: this table does. \`npm run traces\` makes them all again, with new keys, ids and
times; the private key is thrown away.

| trace | family | run | task and setup | scripted action | what verification says |
|---|---|---|---|---|---|
${PLAYS.map((play) => rowOf(play, documents)).join('\n')}

To verify one, from the root of the repository:

\`\`\`sh
npx forensictrace verify traces/${PLAYS[0]?.name}.bundle.json receipts/${PLAYS[0]?.name}.receipt.json profiles/experiment.json \\
  --trust receipts/trust.json --families families  # exits 1
\`\`\`

The receipts name the digests of \`profiles/experiment.json\`, of the definitions in \`families/\`, and of the empty
settings document \`{}\`.
`;
