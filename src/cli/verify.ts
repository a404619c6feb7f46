import { reportOf } from '../report/report.ts';
import { textOf } from '../report/text.ts';
import { emit, json } from './output.ts';
import { paintFor } from './paint.ts';
import { isTerminal, say } from './standard-output.ts';
import { type VerificationOptions, verifyWhereItStands } from './verification.ts';

export type VerifyOptions = VerificationOptions & { readonly json?: boolean };

/** `forensictrace verify`: returns the exit code of the report. Reads the named files only; opens no socket. */
export const runVerify = (bundle: string, receipt: string, profile: string, options: VerifyOptions): number => {
  const outcome = verifyWhereItStands(bundle, receipt, profile, options);
  const report = reportOf(outcome);
  const paint = options.out === undefined && isTerminal() ? paintFor(process.stdout) : undefined;
  const text = options.json ? json(report) : textOf(report, paint);
  if (options.out === undefined) say(text);
  else emit(text, options.out);
  return report.exit_code;
};
