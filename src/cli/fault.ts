import { neutralise } from '../base/terminal.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { JournalError } from '../store/journal.ts';
import { EXIT, UsageFault } from './exit.ts';

const lines = (text: string): string => text.split('\n').map(neutralise).join('\n');

/** Tells a failure on standard error and returns its exit code. A bug is told with its stack, since it is ours to mend. */
export const tell = (error: unknown, asJson: boolean): number => {
  const isExpected = [EnvironmentFault, JournalError, UsageFault].some((kind) => error instanceof kind);
  if (!isExpected) {
    process.stderr.write(
      `forensictrace: internal error, please report it\n${(error as Error)?.stack ?? String(error)}\n`,
    );
  } else if (asJson) {
    process.stdout.write(`${JSON.stringify({ error: (error as Error).message, exit_code: EXIT.COULD_NOT_CHECK })}\n`);
  } else {
    process.stderr.write(`forensictrace: ${lines((error as Error).message)}\n`);
  }
  return EXIT.COULD_NOT_CHECK;
};
