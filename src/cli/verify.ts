import { reportOf } from '../report/report.ts';
import { textOf } from '../report/text.ts';
import { emit, json, paintFor } from './output.ts';
import { type VerificationOptions, verifyWhereItStands } from './verification.ts';

export type VerifyOptions = VerificationOptions & { readonly json?: boolean };

/** `forensictrace verify`: returns the exit code of the report. Reads the named files only; opens no socket. */
export const runVerify = (bundle: string, receipt: string, profile: string, options: VerifyOptions): number => {
  const outcome = verifyWhereItStands(bundle, receipt, profile, options);
  const report = reportOf(outcome);
  const paint = options.out === undefined ? paintFor(process.stdout) : undefined;
  emit(options.json ? json(report) : textOf(report, paint), options.out);
  return report.exit_code;
};
