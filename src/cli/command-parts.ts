import { type Command, Option } from 'commander';
import { MODES } from '../verify/outcome.ts';

/** What the definitions of several commands share. */

export const jsonOption = (): Option => new Option('--json', 'print JSON instead of text');
export const trustOption = (): Option =>
  new Option('--trust <file>', 'trust store (default: $FORENSICTRACE_TRUST, else the per-user config folder)');

/** Takes an option that may be repeated. */
export const list = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export const pcmTrustOption = (): Option =>
  new Option(
    '--pcm-trust <file>',
    'keys of the logs under which proof-carrying messages of requests are verified (signer trust)',
  );
export const pcmSchemaOption = (): Option =>
  new Option('--pcm-schema <file>', 'schema document of an intent of theirs; may be repeated').argParser(list);

/** For the help of commands that judge. */
export const EXIT_CODES = `
Exit codes:
  0  consistent, or (root-only) intact      3  inconclusive
  1  a condition is indicated               4  integrity refused
  2  could not check (usage, file, JSON)    5  not admissible under this profile
                                            6  (capture) no complete, signed bundle`;

/** What a verification is told: the three files, and what else it may compare. */
export const addVerification = (command: Command): Command =>
  command
    .argument('<bundle>', 'evidence bundle (*.bundle.json)')
    .argument('<receipt>', 'its receipt (*.receipt.json)')
    .argument('<profile>', 'verification profile')
    .addOption(trustOption())
    .option('--incident <id>', 'the incident you ask about; another one is refused')
    .addOption(
      new Option(
        '--mode <mode>',
        'full: integrity, then the rules; root-only: integrity alone, no rule; records-only: the rules without relationships, which shows what these add',
      )
        .choices(MODES)
        .default('full'),
    )
    .option('--families <dir>', 'family definitions to compare with those the receipt names')
    .option('--settings <file>', 'settings document to compare with the one the receipt names')
    .addOption(pcmTrustOption())
    .addOption(pcmSchemaOption())
    .option(
      '--other-profile',
      'judge under this profile although the receipt names another; skips nothing of integrity',
    );

/** Runs a command of one file, loaded only when it is used, and keeps its exit code. */
export const run =
  <A extends unknown[]>(load: () => Promise<(...args: A) => number | Promise<number>>) =>
  async (...args: A): Promise<void> => {
    const command = await load();
    process.exitCode = await command(...args);
  };
