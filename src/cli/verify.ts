import { existsSync } from 'node:fs';
import { reportOf } from '../report/report.ts';
import { textOf } from '../report/text.ts';
import { defaultTrustFile } from '../store/config.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { readFolder, readInput } from '../store/read.ts';
import type { Mode } from '../verify/outcome.ts';
import { verify } from '../verify/verify.ts';
import { emit, json, paintFor, requireNoInput } from './output.ts';

export type VerifyOptions = {
  readonly trust?: string;
  readonly incident?: string;
  readonly mode: Mode;
  readonly families?: string;
  readonly settings?: string;
  readonly otherProfile?: boolean;
  readonly json?: boolean;
  readonly out?: string;
};

const trustFile = (given: string | undefined): string => {
  const file = given ?? defaultTrustFile(process.env);
  if (given === undefined && !existsSync(file)) {
    throw new EnvironmentFault(
      `there is no trust store at ${file}. Keys come from a trust store alone, never from the evidence.`,
      [
        'Make one:  forensictrace trust init  and  forensictrace trust add --signer NAME --key PUBLIC.pem',
        'or name one:  --trust FILE, or FORENSICTRACE_TRUST=FILE',
      ],
    );
  }
  return file;
};

/** `forensictrace verify`: returns the exit code of the report. Reads the named files only; opens no socket. */
export const runVerify = (bundle: string, receipt: string, profile: string, options: VerifyOptions): number => {
  const { incident, families, settings } = options;
  const trust = trustFile(options.trust);
  requireNoInput(options.out, [bundle, receipt, profile, trust, settings]);
  const outcome = verify(
    {
      bundle: readInput(bundle, 'bundle'),
      receipt: readInput(receipt, 'receipt'),
      profile: readInput(profile, 'profile'),
      trust: readInput(trust, 'trust store'),
      ...(families === undefined ? {} : { families: readFolder(families, 'families') }),
      ...(settings === undefined ? {} : { settings: readInput(settings, 'settings') }),
      ...(incident === undefined ? {} : { expectedIncident: incident }),
      mode: options.mode,
      otherProfile: options.otherProfile ?? false,
    },
    nativeCrypto,
  );
  const report = reportOf(outcome);
  const paint = options.out === undefined ? paintFor(process.stdout) : undefined;
  emit(options.json ? json(report) : textOf(report, paint), options.out);
  return report.exit_code;
};
