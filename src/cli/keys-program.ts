import { type Command, Option } from 'commander';
import { jsonOption, run, trustOption } from './command-parts.ts';

/** Adds `keys` and its commands to the program. */
export const addKeys = (program: Command): void => {
  const keys = program
    .command('keys')
    .summary('make and show signing keys')
    .description('Makes and shows Ed25519 keys.');
  keys
    .command('generate')
    .description('Makes a key pair: private PKCS#8 PEM (mode 0600) and public SPKI PEM; openssl reads both.')
    .option('--out <file>', 'private key file (default: in the per-user config folder)')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  forensictrace keys generate --out ci-signer.pem')
    .action(run(async () => (await import('./keys.ts')).runGenerate));
  keys
    .command('show')
    .description('Prints the id and the public half of a key file, private or public.')
    .argument('[file]', 'PEM file (default: your signing key)')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  forensictrace keys show ci-signer.pub.pem')
    .action(run(async () => (await import('./keys.ts')).runShow));
};

/** Adds `trust` and its commands to the program. */
export const addTrust = (program: Command): void => {
  const trust = program
    .command('trust')
    .summary('edit the trust store')
    .description('Makes, edits and shows a trust store.');
  trust
    .command('init')
    .description('Makes an empty trust store.')
    .addOption(trustOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  forensictrace trust init --trust trust.json')
    .action(run(async () => (await import('./trust.ts')).runTrustInit));
  trust
    .command('add')
    .description('Adds a public key of a signer.')
    .requiredOption('--signer <name>', 'signer id, as receipts will name it: letters, digits and . _ : -')
    .requiredOption('--key <pem>', 'public key file')
    .option('--from <time>', 'accept receipts issued from then on (default: now)')
    .option('--until <time>', 'and before then')
    .addOption(trustOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  forensictrace trust add --signer ci --key ci-signer.pub.pem')
    .action(run(async () => (await import('./trust.ts')).runTrustAdd));
  trust
    .command('retire')
    .description('Retires a key: receipts issued before that time stay good.')
    .argument('<key-id>', 'sha256:…')
    .option('--until <time>', 'the end of its use (default: now)')
    .addOption(trustOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  forensictrace trust retire sha256:… --until 2027-01-01T00:00:00.000Z')
    .action(run(async () => (await import('./trust.ts')).runTrustRetire));
  trust
    .command('revoke')
    .description('Revokes a key. After a compromise no receipt of the key is accepted, whatever its date.')
    .argument('<key-id>', 'sha256:…')
    .addOption(
      new Option('--reason <reason>', 'why').choices(['compromise', 'superseded', 'cessation']).makeOptionMandatory(),
    )
    .option('--at <time>', 'from when on (default: now)')
    .addOption(trustOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  forensictrace trust revoke sha256:… --reason compromise')
    .action(run(async () => (await import('./trust.ts')).runTrustRevoke));
  trust
    .command('show')
    .description('Shows the trust store.')
    .addOption(trustOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  forensictrace trust show')
    .action(run(async () => (await import('./trust.ts')).runTrustShow));
};
