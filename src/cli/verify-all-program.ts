import type { Command } from 'commander';
import { jsonOption, list, pcmSchemaOption, pcmTrustOption, run, trustOption } from './command-parts.ts';

/** Adds `forensictrace verify-all`. */
export const addVerifyAll = (program: Command): void => {
  program
    .command('verify-all')
    .summary('verify many bundles')
    .description(
      'Verifies every pair of bundle and receipt, on several threads. One bad pair is a result, and the others go on. The exit code is the worst: 4 before 2, 5, 1, 3, 0. ' +
        'Begun again after a crash it does what is left; what other keys, profiles, documents or another version would judge is verified again.',
    )
    .argument(
      '<where...>',
      "folder, pattern in quotes ('evidence/**/*.bundle.json'), NAME.bundle.json, or @LIST: lines of bundle, receipt and profile, separated by tabs",
    )
    .option('--receipts <dir>', 'folder of the receipts (default: beside the bundles)')
    .addOption(trustOption())
    .option('--profile <file>', 'verification profile, of every pair to which a list gives none')
    .addOption(pcmTrustOption())
    .addOption(pcmSchemaOption())
    .option('--jobs <n>', 'threads (default: one for each processor)')
    .option('--out <file>', 'write one result for each pair there: lines of JSON, or *.parquet')
    .option('--where-signer <id>', 'only what this signer signed, by its receipt; may be repeated', list)
    .option('--where-key <id>', 'only what was signed under this key, by its receipt; may be repeated', list)
    .option('--where-reason <code>', 'only results with this reason; may be repeated', list)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  forensictrace verify-all evidence --profile profiles/general.json --out results.ndjson
  forensictrace verify-all traces --receipts receipts --trust receipts/trust.json --profile profiles/experiment.json
  forensictrace verify-all @pairs.tsv --where-key sha256:… --out of-this-key.ndjson

Exit codes are those of verify, over what is selected; where nothing is, 3. 2: also a pair of which a file is missing or cannot be read.`,
    )
    .action(run(async () => (await import('./verify-all.ts')).runVerifyAll));
};
