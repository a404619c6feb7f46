import { type Command, Option } from 'commander';
import { jsonOption, run } from './command-parts.ts';

const configOption = () =>
  new Option('--config <file>', 'configuration of the signer (docs/PCM-SIGNER.md)').makeOptionMandatory();
const socketOption = () => new Option('--socket <path>', "the signer's socket (default: $FORENSICTRACE_SIGNER)");
const tokenOption = () =>
  new Option('--token <file>', 'file of the token that says who you are (default: $FORENSICTRACE_SIGNER_TOKEN)');

const HOLDS = [
  ['hold', 'held', 'signs nothing more for a run while somebody looks at it; its calls go on'],
  ['quarantine', 'quarantined', 'takes no call of a run any more while somebody looks at it'],
  ['release', 'released', 'lets a held or quarantined run go on'],
] as const;

/** Adds `signer` and its commands to the program. */
export const addSigner = (program: Command): void => {
  const signer = program
    .command('signer')
    .summary('run an attesting signer')
    .description(
      'Runs an attesting signer: it records what agents do in a log that they cannot write, and signs their messages (PCM 0.1).',
    );
  signer
    .command('serve')
    .description('Serves a signer until SIGINT or SIGTERM. Key, secrets and token files that are not there are made.')
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  forensictrace signer serve --config signer.json\n\nOnce it takes calls it prints one line: the socket, the log, its key and the process; with --json {"vkey", "socket", "records", "pid"}.',
    )
    .action(run(async () => (await import('./signer.ts')).runSignerServe));
  signer
    .command('trust')
    .description("Writes the trust document that receivers pin: the signer's current key, and no other.")
    .addOption(configOption())
    .option('-o, --out <file>', 'write there (default: standard output)')
    .addHelpText('after', '\nExample:\n  forensictrace signer trust --config signer.json -o pcm-trust.json')
    .action(run(async () => (await import('./signer.ts')).runSignerTrust));
  for (const [name, state, what] of HOLDS) {
    signer
      .command(name)
      .description(`The signer ${what}. For an identity of the role operator.`)
      .argument('<run>', 'id of the run')
      .addOption(socketOption())
      .addOption(tokenOption())
      .addOption(jsonOption())
      .addHelpText('after', `\nExample:\n  forensictrace signer ${name} 4f6838239f520d0d936df795f690c037`)
      .action(run(async () => (await import('./signer.ts')).holdAs(state)));
  }
};

/** Adds `approvals` and its commands to the program. */
export const addApprovals = (program: Command): void => {
  const approvals = program
    .command('approvals')
    .summary("answer agents' calls that wait for a person")
    .description('Shows and answers the calls of agents that wait for you, at an attesting signer.');
  approvals
    .command('list')
    .description('Lists the calls that wait for your answer: who asks, for which tool, with which args.')
    .addOption(socketOption())
    .addOption(tokenOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  forensictrace approvals list --socket signer/signer.sock --token signer/tokens/alice',
    )
    .action(run(async () => (await import('./approvals.ts')).runApprovalsList));
  for (const decision of ['approve', 'reject'] as const) {
    approvals
      .command(decision)
      .description(`${decision === 'approve' ? 'Approves' : 'Rejects'} one call.`)
      .argument('<approval>', 'id of the approval, as list shows it')
      .addOption(socketOption())
      .addOption(tokenOption())
      .addOption(jsonOption())
      .addHelpText('after', `\nExample:\n  forensictrace approvals ${decision} apr-3f0c8a5b6d7e4f10923b4c5d6e7f8091`)
      .action(run(async () => (await import('./approvals.ts')).answerAs(decision)));
  }
};
