import { type Command, Option } from 'commander';
import { jsonOption, list, run } from './command-parts.ts';

const EXIT_CODES = `
Exit codes of pcm verify (a table of its own, that of PCM's verifier):
  0  accept                     1  reject
  3  accept-unproven            2  could not check (bad input, trust, schema, usage, file)`;

const schemaOption = () =>
  new Option('--schema <file>', 'schema document of the intent; may be repeated').argParser(list).makeOptionMandatory();

const fileOption = () =>
  new Option(
    '--file <[claimed=]path>',
    'a file that you act on: it has the claimed bytes; may be repeated (beyond PCM 0.1)',
  ).argParser(list);

/** Adds `pcm` and its commands to the program. */
export const addPcm = (program: Command): void => {
  const pcm = program
    .command('pcm')
    .summary('verify proof-carrying messages')
    .description(
      'Verifies and shows proof-carrying messages (PCM 0.1): messages between agents whose claims carry records of a signed log.',
    )
    .addHelpText('after', EXIT_CODES);
  pcm
    .command('verify')
    .summary('verify one message offline')
    .description(
      'Verifies one message: its signature, its recipient, the args of its intent, its grants and the evidence of each claim, under pinned keys. ' +
        'It keeps no replay state, so a message may have been received before, and the result is for audit.',
    )
    .argument('<message>', 'message (application/vnd.pcm+json)')
    .requiredOption('--trust <file>', 'keys of the logs you trust: {"logs": ["<vkey>"]}, as signer trust writes it')
    .addOption(schemaOption())
    .option('--me <id>', 'your own identity; without it the recipient is not checked')
    .option('--strict', 'reject when a claim type that the schema lists is not proven')
    .option('--fresh', 'ask for every record of the run since the call: nothing came after (beyond PCM 0.1)')
    .option('--max-age <seconds>', 'with --fresh: how old the end of these records may be')
    .option('--tree <hash>', 'the git tree that you act on: the suite ran on it (beyond PCM 0.1)')
    .addOption(fileOption())
    .option('--any-response', 'a host is reached when it answered, a 404 too (beyond PCM 0.1)')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  forensictrace pcm verify message.json --trust pcm-trust.json --schema refund.request.json --me uid:990102
  forensictrace pcm verify message.json --trust pcm-trust.json --schema refund.request.json --strict --json
  forensictrace pcm verify message.json --trust pcm-trust.json --schema merge.json --fresh --max-age 60 --file /repo/a.py=./a.py
${EXIT_CODES}`,
    )
    .action(run(async () => (await import('./pcm.ts')).runPcmVerify));
  pcm
    .command('demo')
    .summary('see two agents negotiate a refund, with a real signer')
    .description(
      'Starts a signer process in a temporary folder; agent A asks receiver B for a refund that alice approved, and B accepts, accepts as unproven and ' +
        'rejects; then A asks the signer to sign as B. Ends with 0 when every outcome is the expected one, else with 2.',
    )
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  forensictrace pcm demo')
    .action(run(async () => (await import('./pcm-demo.ts')).runPcmDemo));
  pcm
    .command('inspect')
    .summary('show what is in a message, without judging')
    .description('Shows what is in a message. Nothing is checked: no signature, no evidence, no grant.')
    .argument('<message>', 'message (application/vnd.pcm+json)')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  forensictrace pcm inspect message.json')
    .action(run(async () => (await import('./pcm-inspect.ts')).runPcmInspect));
  pcm
    .command('schema')
    .summary('name a schema document')
    .description('Names a schema document.')
    .command('ref')
    .description(
      'Prints the name by which messages call a schema document: its name and the SHA-256 of its canonical text.',
    )
    .argument('<document>', 'schema document')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  forensictrace pcm schema ref refund.request.json')
    .action(run(async () => (await import('./pcm.ts')).runPcmSchemaRef));
};
