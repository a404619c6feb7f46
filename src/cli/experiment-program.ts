import { type Command, Option } from 'commander';

type Run = <A extends unknown[]>(
  load: () => Promise<(...args: A) => number | Promise<number>>,
) => (...args: A) => Promise<void>;

const EXIT_CODES = `
Exit codes of experiment verify and report:
  0  every run is sealed, verified and judged as it went
  3  the results are what was sealed, and a verdict is not what the external outcome calls for
  4  integrity refused: a file was changed, a run is missing, added or contradicts itself
  5  made under another profile, other family definitions or other settings
  2  could not check (usage, file, format)`;

const results = (command: Command): Command =>
  command
    .argument('[dir]', 'folder that holds traces/NAME and receipts/NAME', '.')
    .option('--name <name>', 'name of the experiment', 'experiment')
    .option('--trust <file>', 'trust store (default: the one beside the receipts)')
    .option('--families <dir>', 'family definitions in force (default: those of this package)')
    .addOption(new Option('--json', 'print JSON instead of text'));

/** Adds `experiment` and its commands to the program. */
export const addExperiment = (program: Command, run: Run): void => {
  const experiment = program
    .command('experiment')
    .summary('verify an experiment and make its tables')
    .description('The experiment of the paper: six condition families, each with its matched control.')
    .addHelpText('after', EXIT_CODES);
  results(experiment.command('verify'))
    .summary('verify results from disk, without a model')
    .description(
      'Verifies the results of an experiment from disk: schedule, settings, replies and outcomes against their seal, each bundle against its receipt in ' +
        'three configurations, each verdict against the external outcome. No model is asked and no socket is opened.',
    )
    .addHelpText(
      'after',
      `
Examples:
  forensictrace experiment verify
  forensictrace experiment verify results --name pilot --trust trust.json --json
${EXIT_CODES}`,
    )
    .action(run(async () => (await import('./experiment-verify.ts')).runExperimentVerify));
  results(experiment.command('report'))
    .summary('make the tables of an experiment')
    .description(
      'Verifies results as verify does, and makes their tables: as text, JSON, CSV, and a page of HTML with plots.',
    )
    .option('--out <dir>', 'write the tables there in every form, instead of printing them')
    .addHelpText(
      'after',
      `
Examples:
  forensictrace experiment report
  forensictrace experiment report results --name pilot --out pilot-report
${EXIT_CODES}`,
    )
    .action(run(async () => (await import('./experiment-report.ts')).runExperimentReport));
};
