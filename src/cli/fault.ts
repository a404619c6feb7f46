import { neutralise } from '../base/terminal.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { JournalError } from '../store/journal.ts';
import { EXIT, UsageFault } from './exit.ts';
import { json } from './output.ts';
import { say } from './standard-output.ts';

/** A call of the system that failed where no command foresaw it: no bug of ours. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';

/** A failure in words, line by line. */
export const toldOf = (error: unknown): readonly string[] => {
  if (error instanceof EnvironmentFault || error instanceof UsageFault) return [error.message, ...error.advice];
  if (error instanceof JournalError || isSystemError(error)) return [error.message];
  return ['internal error, please report it', ...((error as Error)?.stack ?? String(error)).split('\n')];
};

/** Tells a failure on standard error (with --json: as JSON on standard output); returns its exit code. A bug comes with its stack. */
export const tell = (error: unknown, asJson: boolean): number => {
  const told = toldOf(error);
  if (asJson) say(json({ error: told.join('\n'), exit_code: EXIT.COULD_NOT_CHECK }));
  else process.stderr.write(`forensictrace: ${told.map(neutralise).join('\n')}\n`);
  return EXIT.COULD_NOT_CHECK;
};
