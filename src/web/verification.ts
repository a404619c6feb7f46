import { portableCrypto } from '../base/portable-crypto.ts';
import { intactOf, type ReportFiles } from '../report/face.ts';
import { type Seen, seenOf } from '../report/html/seen.ts';
import { jsonText } from '../report/json.ts';
import type { Report } from '../report/model.ts';
import { reportOf } from '../report/report.ts';
import type { Mode } from '../verify/outcome.ts';
import { verify } from '../verify/verify.ts';

export type Options = { readonly mode: Mode; readonly otherProfile: boolean };
export const WHOLE: Options = { mode: 'full', otherProfile: false };

const outcomeOf = (files: ReportFiles, options: Options) => verify({ ...files, ...options }, portableCrypto);

/** Verifies in this browser; returns the report and what a page of it is made from. */
export const verified = (files: ReportFiles, options: Options): { readonly report: Report; readonly seen: Seen } => {
  const outcome = outcomeOf(files, options);
  const report = reportOf(outcome);
  return { report, seen: seenOf(report, intactOf(outcome, files.bundle), files.trust, portableCrypto) };
};

/** The JSON report, byte for byte that of `forensictrace verify --json` on the same files. */
export const jsonReport = (files: ReportFiles, options: Options = WHOLE): string =>
  jsonText(reportOf(outcomeOf(files, options)));
