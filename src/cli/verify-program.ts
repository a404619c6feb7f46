import type { Command } from 'commander';
import { addVerification, EXIT_CODES, jsonOption, run } from './command-parts.ts';

/** Adds `forensictrace verify`. */
export const addVerify = (program: Command): void => {
  addVerification(program.command('verify'))
    .summary('verify a bundle offline')
    .description('Verifies a bundle: integrity first, under keys of the trust store, then the six forensic rules.')
    .addOption(jsonOption())
    .option('--out <file>', 'write the report there')
    .addHelpText(
      'after',
      `
Examples:
  forensictrace verify run.bundle.json run.receipt.json profiles/general.json
  forensictrace verify run.bundle.json run.receipt.json profiles/general.json --incident inc-7 --json --out report.json
${EXIT_CODES}`,
    )
    .action(run(async () => (await import('./verify.ts')).runVerify));
};
