import { type Command, Option } from 'commander';
import { addVerification, run } from './command-parts.ts';
import { REPORT_FORMATS } from './report-formats.ts';

/** Adds `forensictrace report`. */
export const addReport = (program: Command): void => {
  addVerification(program.command('report'))
    .summary('verify a bundle and write the report in another format')
    .description(
      'Verifies a bundle as verify does, with the same exit code, and writes the report in the format asked for. Every format is derived from the ' +
        'JSON report and adds no judgement; where integrity is refused it says so and shows no record.',
    )
    .addOption(
      new Option('-f, --format <format>', 'what to write').choices(Object.keys(REPORT_FORMATS)).makeOptionMandatory(),
    )
    .option('-o, --out <file>', 'write there, whole or not at all; - or nothing: standard output')
    .addHelpText(
      'after',
      `
Examples:
  forensictrace report run.bundle.json run.receipt.json profiles/general.json --format text
  forensictrace report run.bundle.json run.receipt.json profiles/general.json --format json -o report.json

The exit code is that of verify: a report that was written of a condition ends with 1.`,
    )
    .action(run(async () => (await import('./report.ts')).runReport));
};
