import type { Command } from 'commander';
import { jsonOption, list, run, trustOption } from './command-parts.ts';

/** Adds `forensictrace capture`. */
export const addCapture = (program: Command): void => {
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
};

/** Adds `forensictrace recover`. */
export const addRecover = (program: Command): void => {
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
};
