import { Command, CommanderError, Option } from 'commander';
import { neutralise } from '../base/terminal.ts';
import { VERSION } from '../base/version.ts';
import { addVerification, jsonOption, list, run, trustOption } from './command-parts.ts';
import { EXIT, UsageFault } from './exit.ts';
import { addExperiment } from './experiment-program.ts';
import { addKeys, addTrust } from './keys-program.ts';
import { lines } from './output.ts';
import { addPcm } from './pcm-program.ts';
import { addReport } from './report-program.ts';
import { addApprovals, addSigner } from './signer-program.ts';
import { addVerifyAll } from './verify-all-program.ts';

const EXIT_CODES = `
Exit codes:
  0  consistent, or (root-only) intact      3  inconclusive
  1  a condition is indicated               4  integrity refused
  2  could not check (usage, file, JSON)    5  not admissible under this profile
                                            6  (capture) no complete, signed bundle`;

const program = new Command('forensictrace')
  .description('The black box of agent-to-agent systems: capture A2A exchanges, sign them, verify them offline.')
  .version(VERSION)
  .addHelpText(
    'after',
    `
Examples:
  forensictrace demo
  forensictrace capture -- npm test
  forensictrace keys generate && forensictrace trust init && forensictrace trust add --signer NAME --key PUBLIC.pem
  forensictrace verify run.bundle.json run.receipt.json profiles/general.json
  forensictrace explain ASRF_ADDRESS_OUTSIDE_POLICY
${EXIT_CODES}`,
  );

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

addReport(program);

program
  .command('web')
  .summary('write a verifier page that works offline')
  .description(
    'Writes one HTML file that verifies in a browser, without network, by the same program: bundle, receipt, profile and trust store are dropped in, ' +
      'or a page that report --format html wrote. Its JSON report is that of verify, byte for byte.',
  )
  .requiredOption('-o, --out <file>', 'the file to write; an existing one is not overwritten')
  .addHelpText('after', '\nExample:\n  forensictrace web -o verifier.html')
  .action(run(async () => (await import('./web.ts')).runWeb));
addVerifyAll(program);

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
  .option('--diff <other>', 'show what differs in another bundle, by record and field; ends with 1 when anything does')
  .addOption(jsonOption())
  .option('--out <file>', 'write there')
  .addHelpText(
    'after',
    '\nExamples:\n  forensictrace inspect run.bundle.json --list\n  forensictrace inspect run.bundle.json --record exchange-11\n  forensictrace inspect run.bundle.json --indicators\n  forensictrace inspect run.bundle.json --graph exchange-11\n  forensictrace inspect run.bundle.json --diff other.bundle.json',
  )
  .action(run(async () => (await import('./inspect.ts')).runInspect));

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

program
  .command('capture')
  .summary('run a command and record its A2A exchanges')
  .description(
    'Runs a command, such as a test run, and records the A2A exchanges of every Node process below it, and what they fetch from URIs that ' +
      'messages named. The recorder signs; the watched processes never hold the key. The exit code is that of the command.',
  )
  .argument('[command...]', 'what to run, behind --')
  .usage('[options] -- COMMAND…')
  .option('--profile <file>', 'the profile it is recorded for (default: the general profile)')
  .option('--trusted-card <file>', 'an agent card that the profile pins; may be repeated', list)
  .option('--key <pem>', 'private key (default: your signing key)')
  .option(
    '--signer <name>',
    'signer id, of letters, digits and . _ : - (default: to whom the trust store gives the key)',
  )
  .option('--incident <id>', 'names the incident and the files, or the folder of a run (default: after the time)')
  .option('--per-test', 'a bundle for each test that tells its name, as those of vitest do with forensictrace/vitest')
  .option(
    '--proxy <LISTEN=TARGET>',
    'record what passes a reverse proxy instead: it listens at PORT or HOST:PORT (0: any port) before the origin TARGET; may be repeated',
    list,
  )
  .option('--insecure-target', 'with --proxy: do not verify the certificates of https targets')
  .option('--out <dir>', 'folder for journal, bundle and receipt', 'evidence')
  .option('--body-limit <bytes>', 'bytes kept of one body (default: 4 MiB)')
  .option('--redact <variable>', 'environment variable whose value must never be written down; may be repeated', list)
  .addOption(trustOption())
  .addOption(jsonOption())
  .addHelpText(
    'after',
    `
Examples:
  forensictrace capture -- npm test
  forensictrace capture --incident build-77 --out evidence --redact OPENAI_API_KEY -- node agent-test.mjs
  forensictrace capture --proxy 8001=http://127.0.0.1:9001 --proxy 8002=https://site.example -- pytest tests

With --proxy, each proxy that is ready is one line on standard error, \`proxy ADDRESS before TARGET\`; with --json it is
{"listen":"HOST:PORT","target":"ORIGIN"}. A command is run as it is, unhooked; without one the capture ends with SIGINT or SIGTERM, and then 0.

Exit codes: those of the command, 128 + N when signal N ended it; 6 when it succeeded and there is no complete, signed bundle;
2 when it was not started (usage, no key, no such command).`,
  )
  .action(run(async () => (await import('./capture.ts')).runCapture));

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

program
  .command('recover')
  .summary('seal the journal of a capture that was killed')
  .description('Turns a journal into a bundle that says it was recovered, and its receipt. The journal is kept.')
  .argument('<journal>', 'journal of the capture (*.journal)')
  .requiredOption('--profile <file>', 'the profile the capture was made for')
  .option('--key <pem>', 'private key (default: your signing key)')
  .option(
    '--signer <name>',
    'signer id, of letters, digits and . _ : - (default: to whom the trust store gives the key)',
  )
  .option('--families <dir>', 'family definitions in force')
  .option('--settings <file>', 'settings document in force')
  .option('--out <dir>', 'folder for bundle and receipt (default: that of the journal)')
  .addOption(trustOption())
  .addOption(jsonOption())
  .addHelpText('after', '\nExample:\n  forensictrace recover run.journal --profile profiles/general.json')
  .action(run(async () => (await import('./recover.ts')).runRecover));

addKeys(program);
addTrust(program);
addPcm(program);
addSigner(program);
addApprovals(program);
addExperiment(program);

const strict = (command: Command, argv: readonly string[], path = command.name()): void => {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError(`Usage: ${path} ${command.usage()}\n${path} --help says more`);
  // A name that a shell took from a folder of evidence comes back in commander's complaint.
  const shown = (text: string): string =>
    lines(argv.reduce((told, arg) => told.replaceAll(arg, neutralise(arg)), text));
  command.configureOutput({ writeErr: (text) => argv.includes('--json') || process.stderr.write(shown(text)) });
  for (const sub of command.commands) strict(sub, argv, `${path} ${sub.name()}`);
};

/** Runs the command that the arguments name; sets the exit code and never throws. */
export const main = async (argv: readonly string[]): Promise<void> => {
  const asJson = argv.includes('--json');
  strict(program, argv);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError && (error.exitCode === 0 || !asJson)) {
      process.exitCode = error.exitCode === 0 ? EXIT.CONSISTENT : EXIT.COULD_NOT_CHECK;
      return;
    }
    const { tell } = await import('./fault.ts');
    process.exitCode = tell(
      error instanceof CommanderError ? new UsageFault(error.message.replace(/^error: /, '')) : error,
      asJson,
    );
  }
};
