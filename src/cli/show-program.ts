import { type Command, Option } from 'commander';
import { jsonOption, run } from './command-parts.ts';

/** Adds `forensictrace demo`. */
export const addDemo = (program: Command): void => {
  program
    .command('demo')
    .summary('see the whole path: capture, sign, verify, tamper, refuse')
    .description(
      'Runs twelve scenarios between real A2A SDK clients and servers on loopback, a condition and a matched control of each family; ' +
        'captures, signs, reloads and verifies each, then changes one byte of one bundle. No model takes part: the actions are scripted. ' +
        'Ends with 0 when every verdict is the expected one, else with 2.',
    )
    .option('--keep <dir>', 'an empty or new folder to keep bundles, receipts, trust store and journals in')
    .addOption(jsonOption())
    .addHelpText('after', '\nExamples:\n  forensictrace demo\n  forensictrace demo --keep demo-evidence')
    .action(run(async () => (await import('./demo.ts')).runDemoCommand));
};

/** Adds `forensictrace bench`. */
export const addBench = (program: Command): void => {
  const bench = program
    .command('bench')
    .summary('measure the verifier')
    .description('Measures the verifier on bundles that it makes.');
  bench
    .command('scaling')
    .description(
      'The scaling experiment of the A2A-ForensicTrace paper: median and 95th percentile of the time from objects, and from bytes, to the verdict, beside the hashes and the signature alone. A run of all sizes takes minutes.',
    )
    .option('--sizes <list>', 'sizes in commitments, from 10 to 1000000 (default: 10,50,100,250,500,805,1000)')
    .addOption(
      new Option('--mix <mix>', 'what bundles are filled with')
        .choices(['artifacts', 'exchanges', 'all'])
        .default('artifacts'),
    )
    .addOption(
      new Option('--peer <name>', 'another verifier, which takes turns on the same bundles').choices(['paper-python']),
    )
    .addOption(jsonOption())
    .option('--out <dir>', 'write scaling.json, scaling.txt and scaling.svg into this folder')
    .addHelpText(
      'after',
      '\nExamples:\n  forensictrace bench scaling --sizes 10,1000\n  forensictrace bench scaling --peer paper-python --out results',
    )
    .action(run(async () => (await import('./bench.ts')).runBenchScaling));
};
