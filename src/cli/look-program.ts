import type { Command } from 'commander';
import { jsonOption, run } from './command-parts.ts';

/** Adds `forensictrace inspect`. */
export const addInspect = (program: Command): void => {
  program
    .command('inspect')
    .summary('show what is in a bundle, without judging')
    .description('Shows what is in a bundle. Nothing is checked: no signature, no digest, no rule.')
    .argument('<bundle>', 'evidence bundle')
    .option('--list', 'list the records in runtime order')
    .option('--record <id>', 'print the records of that id, as JSON')
    .option('--extract <id>', "write an artifact record's bytes into a new file, inert, and print their digest")
    .option('--indicators', 'list hosts, addresses, URLs and digests, defanged')
    .option('--graph [id]', 'show as a tree what derives from each exchange, or from the records of that id')
    .option(
      '--diff <other>',
      'show what differs in another bundle, by record and field; ends with 1 when anything does',
    )
    .addOption(jsonOption())
    .option('--out <file>', 'write there')
    .addHelpText(
      'after',
      '\nExamples:\n  forensictrace inspect run.bundle.json --list\n  forensictrace inspect run.bundle.json --record exchange-11\n  forensictrace inspect run.bundle.json --indicators\n  forensictrace inspect run.bundle.json --graph exchange-11\n  forensictrace inspect run.bundle.json --diff other.bundle.json',
    )
    .action(run(async () => (await import('./inspect.ts')).runInspect));
};

/** Adds `forensictrace explain`. */
export const addExplain = (program: Command): void => {
  program
    .command('explain')
    .summary('explain a reason code, a verdict or a family')
    .description(
      'Explains a reason code, a verdict, a status or a family of a report, or a code of pcm verify; without one, lists the reason codes.',
    )
    .argument('[code]', 'reason code, or another word of a report')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  forensictrace explain KEY_REVOKED_COMPROMISE\n  forensictrace explain NOT_OBSERVED',
    )
    .action(run(async () => (await import('./explain.ts')).runExplain));
};
