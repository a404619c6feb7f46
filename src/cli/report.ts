import { statSync } from 'node:fs';
import { basename, isAbsolute, relative, sep } from 'node:path';
import { intactOf } from '../report/face.ts';
import { PLAIN } from '../report/layout.ts';
import { reportOf } from '../report/report.ts';
import { writeWhole } from '../store/files.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { emit } from './output.ts';
import { paintFor } from './paint.ts';
import { REPORT_FORMATS, type ReportFormat } from './report-formats.ts';
import { type VerificationOptions, verifyNamed } from './verification.ts';

export type ReportOptions = VerificationOptions & { readonly format: ReportFormat };

/** Where the bundle is, told from the working folder, which in a build is the repository; of one outside it the name alone. */
const uriOf = (bundle: string): string => {
  const path = relative(process.cwd(), bundle);
  const inside = path !== '' && !isAbsolute(path) && path.split(sep)[0] !== '..';
  return (inside ? path.split(sep) : [basename(bundle)]).map(encodeURIComponent).join('/');
};

/** A pipe or a device is written into: only a file can be replaced by another one. */
const write = (pieces: Iterable<string>, out: string | undefined): void => {
  if (out === undefined) for (const piece of pieces) emit(piece);
  else if (statSync(out, { throwIfNoEntry: false })?.isFile() ?? true) writeWhole(out, pieces);
  else emit([...pieces].join(''), out);
};

/** `forensictrace report`: verifies, and writes one face of the report; returns the exit code of the report, as `verify` does. */
export const runReport = async (
  bundle: string,
  receipt: string,
  profile: string,
  { format, out, ...options }: ReportOptions,
): Promise<number> => {
  const file = out === '-' ? undefined : out;
  const { outcome, files } = verifyNamed(bundle, receipt, profile, {
    ...options,
    ...(file === undefined ? {} : { out: file }),
  });
  const report = reportOf(outcome);
  const face = await REPORT_FORMATS[format]();
  const paint = file === undefined ? paintFor(process.stdout) : PLAIN;
  write(
    face(
      { report, files, intact: intactOf(outcome, files.bundle), bundleUri: uriOf(bundle), crypto: nativeCrypto },
      paint,
    ),
    file,
  );
  return report.exit_code;
};
