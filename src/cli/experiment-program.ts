import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption, run } from './command-parts.ts';

const EXIT_CODES = `
Exit codes of experiment:
  0  every run is sealed, verified and judged as it went
  3  the results are what was sealed, and a verdict is not what the external outcome calls for
  4  integrity refused: a file was changed, a run is missing, added or contradicts itself
  5  made under another profile, other family definitions or other settings
  2  could not check (usage, file, format)`;

/** A name is that of one folder below `traces` and `receipts`: a path would put evidence and key somewhere else. */
const nameOption = (name: string): Option =>
  new Option('--name <name>', 'name of the experiment').default(name).argParser((text: string) => {
    if (/^\w[\w.-]{0,99}$/.test(text)) return text;
    throw new InvalidArgumentError('Letters, digits, _ . and - are allowed, and no path.');
  });

const results = (command: Command): Command =>
  command
    .argument('[dir]', 'folder that holds traces/NAME and receipts/NAME', '.')
    .addOption(nameOption('experiment'))
    .option('--trust <file>', 'trust store (default: the one beside the receipts)')
    .option('--families <dir>', 'family definitions in force (default: those of this package)')
    .addOption(jsonOption());

const runs = (command: Command, name: string): Command =>
  command
    .argument('[dir]', 'folder for traces/NAME and receipts/NAME', 'results')
    .addOption(
      new Option('--chooser <name>', 'who chooses the actions; a model, or one of the controls')
        .choices(['ollama', 'embedded', 'scripted', 'constant', 'random', 'content-free'])
        .default('ollama'),
    )
    .option('--model <name>', 'model of the Ollama server, or (embedded) a GGUF file')
    .option('--host <url>', 'the Ollama server', 'http://127.0.0.1:11434')
    .option('--digest <sha256>', 'the digest that the server must state for the model')
    .option('--binary <file>', "the server's program: its digest and build flags go into the settings")
    .option('--library <dir>', '(embedded) folder that scripts/setup-embedded.sh made')
    .addOption(
      new Option('--agents <sdk>', 'SDK of the agents: js speaks A2A 1.0, python 0.3')
        .choices(['js', 'python'])
        .default('js'),
    )
    .option('--seed <text>', 'the order of the runs follows from it', name)
    .option('--repetitions <count>', 'runs of each family and run type (default: 20, in a pilot 2)')
    .addOption(nameOption(name))
    .addOption(jsonOption());

const addRuns = (experiment: Command): void => {
  runs(experiment.command('pilot'), 'pilot')
    .summary('24 runs, which are counted nowhere')
    .description(
      'Runs each family and its control twice, from the choice of an action to verification from disk, to see that all of it works. Excluded from all counts.',
    )
    .addHelpText(
      'after',
      `
Examples:
  forensictrace experiment pilot --chooser scripted
  forensictrace experiment pilot --model smollm2-135m --host http://127.0.0.1:21434
${EXIT_CODES}`,
    )
    .action(run(async () => (await import('./experiment-run.ts')).runPilot));
  runs(experiment.command('run'), 'experiment')
    .summary('the experiment: 240 runs')
    .description(
      'Has a model choose one action for each run, carries it out between real A2A processes on loopback, captures and signs it, and verifies the results from ' +
        'disk. Begun again with the same options after a crash, it does what is left.',
    )
    .addHelpText(
      'after',
      `
Examples:
  forensictrace experiment run --model smollm2-135m --host http://127.0.0.1:21434 --binary bin/ollama
  forensictrace experiment run scripted-results --chooser scripted
${EXIT_CODES}`,
    )
    .action(run(async () => (await import('./experiment-run.ts')).runWhole));
};

/** Adds `experiment` and its commands to the program. */
export const addExperiment = (program: Command): void => {
  const experiment = program
    .command('experiment')
    .summary('run an experiment, verify it, and make its tables')
    .description('The experiment of the paper: six condition families, each with its matched control.')
    .addHelpText('after', EXIT_CODES);
  addRuns(experiment);
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
