import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonOption, run } from './command-parts.ts';

const DATASET = ['[dir]', 'folder of the dataset', 'traces/lies'] as const;

const shareOf = (text: string): number => {
  const share = Number(text);
  if (share > 0 && share <= 1) return share;
  throw new InvalidArgumentError('A share above 0 and at most 1 is needed, as 0.1.');
};

/** Adds `lies` and its commands to the program. */
export const addLies = (program: Command): void => {
  const lies = program
    .command('lies')
    .summary('the lie benchmark: how often is a false claim accepted?')
    .description(
      'The pre-registered benchmark of false claims between agents (docs/LIES.md): 926 messages from real runs of the signer, 712 of them lies, ' +
        'to our verifier, a second one, and models of other protocols. Runs in a checkout of the repository.',
    );
  lies
    .command('gen')
    .summary('make a dataset')
    .description(
      'Makes the messages in real runs of three signers: suites, fetches, writes, approvals, grants; then the edits that a sender can make. The seed fixes keys and choices. Takes minutes.',
    )
    .requiredOption('--seed <text>', 'what keys and choices follow from')
    .requiredOption('--out <dir>', 'folder for the dataset')
    .addOption(jsonOption())
    .addHelpText('after', '\nExamples:\n  forensictrace lies gen --seed another --out lies-another')
    .action(run(async () => (await import('./lies.ts')).runLiesGen));
  lies
    .command('run')
    .summary('send every message to every receiver')
    .description('Sends every message of a dataset to every receiver, and writes down what came of it.')
    .argument(...DATASET)
    .requiredOption('--out <dir>', 'folder for verdicts.jsonl and times.json')
    .addOption(new Option('--sample <share>', 'a share of each part of each class').argParser(shareOf).default(1))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  forensictrace lies run --out results\n  forensictrace lies run --sample 0.1 --out tenth',
    )
    .action(run(async () => (await import('./lies.ts')).runLiesRun));
  lies
    .command('report')
    .summary('make the report of a run')
    .description(
      'Makes the report of a run: Markdown, JSON, CSV and a plot. The same dataset and verdicts give the same bytes; times are in files of their own.',
    )
    .argument(...DATASET)
    .requiredOption('--results <dir>', 'folder that lies run wrote')
    .option('--out <dir>', 'folder for the report, instead of printing its Markdown')
    .addOption(jsonOption())
    .addHelpText('after', '\nExamples:\n  forensictrace lies report --results results --out lies-report')
    .action(run(async () => (await import('./lies.ts')).runLiesReport));
};
