import type { Command } from 'commander';
import { run } from './command-parts.ts';

/** Adds `forensictrace web`. */
export const addWeb = (program: Command): void => {
  program
    .command('web')
    .summary('write a verifier page that works offline')
    .description(
      'Writes one HTML file that verifies in a browser, without network, by the same program: bundle, receipt, profile and trust store are dropped in, ' +
        'or a page that report --format html wrote. Its JSON report is that of verify, byte for byte.',
    )
    .requiredOption('-o, --out <file>', 'the file to write; an existing one is not overwritten; - is standard output')
    .addHelpText('after', '\nExample:\n  forensictrace web -o verifier.html')
    .action(run(async () => (await import('./web.ts')).runWeb));
};
