import { Command, CommanderError } from 'commander';
import { neutralise } from '../base/terminal.ts';
import { VERSION } from '../base/version.ts';
import { EXIT_CODES } from './command-parts.ts';
import { EXIT, UsageFault } from './exit.ts';
import { lines } from './output.ts';
import { isTerminal, say } from './standard-output.ts';

type Add = (program: Command) => void;

/** What defines each command, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<Add>>> = {
  verify: async () => (await import('./verify-program.ts')).addVerify,
  report: async () => (await import('./report-program.ts')).addReport,
  web: async () => (await import('./web-program.ts')).addWeb,
  'verify-all': async () => (await import('./verify-all-program.ts')).addVerifyAll,
  inspect: async () => (await import('./look-program.ts')).addInspect,
  explain: async () => (await import('./look-program.ts')).addExplain,
  demo: async () => (await import('./show-program.ts')).addDemo,
  capture: async () => (await import('./capture-program.ts')).addCapture,
  bench: async () => (await import('./show-program.ts')).addBench,
  recover: async () => (await import('./capture-program.ts')).addRecover,
  keys: async () => (await import('./keys-program.ts')).addKeys,
  trust: async () => (await import('./keys-program.ts')).addTrust,
  pcm: async () => (await import('./pcm-program.ts')).addPcm,
  signer: async () => (await import('./signer-program.ts')).addSigner,
  approvals: async () => (await import('./signer-program.ts')).addApprovals,
  experiment: async () => (await import('./experiment-program.ts')).addExperiment,
  lies: async () => (await import('./lies-program.ts')).addLies,
};

/** The program with the one command of that name, else with all. */
const programWith = async (name: string | undefined): Promise<Command> => {
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
  const named = name !== undefined && Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]!] : Object.values(COMMANDS);
  for (const load of named) (await load())(program);
  return program;
};

/** Of a help that goes to no terminal. */
const HELP_WIDTH = 80;

const strict = (command: Command, argv: readonly string[], path = command.name()): void => {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError(`Usage: ${path} ${command.usage()}\n${path} --help says more`);
  // A name that a shell took from a folder of evidence comes back in commander's complaint.
  const shown = (text: string): string =>
    lines(argv.reduce((told, arg) => told.replaceAll(arg, neutralise(arg)), text));
  command.configureOutput({
    writeOut: say,
    writeErr: (text) => argv.includes('--json') || process.stderr.write(shown(text)),
    getOutHelpWidth: () => (isTerminal() ? process.stdout.columns : HELP_WIDTH),
    getOutHasColors: () => false,
  });
  for (const sub of command.commands) strict(sub, argv, `${path} ${sub.name()}`);
};

/** Runs the command that the arguments name, and sets the exit code. Throws UsageFault where the arguments are wrong and that is not yet told. */
export const runCommand = async (argv: readonly string[]): Promise<void> => {
  try {
    const program = await programWith(argv[2]);
    strict(program, argv);
    await program.parseAsync(argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0 && argv.includes('--json')) throw new UsageFault(error.message.replace(/^error: /, ''));
    process.exitCode = error.exitCode === 0 ? EXIT.CONSISTENT : EXIT.COULD_NOT_CHECK;
  }
};
