import type { CapturedTest } from '../capture/channel/answers.ts';
import { type Fault, faultsOf } from '../report/brief.ts';
import { reportOf } from '../report/report.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { readInput } from '../store/read.ts';
import { verify } from '../verify/verify.ts';

export type Judged = { readonly verdict: string; readonly faults: readonly Fault[] };

/** Verifies the capture of a test as `forensictrace verify` does. Throws EnvironmentFault for a file that cannot be read. */
export const judged = ({ incident, bundle, receipt, profile, trust, exchanges }: CapturedTest): Judged => {
  if (exchanges === 0) {
    const seen = 'no A2A exchange was captured in this test, so there is nothing to judge';
    return { verdict: 'NO_EVIDENCE', faults: [{ reason: 'no evidence', where: incident, seen }] };
  }
  const files = {
    bundle: readInput(bundle, 'bundle'),
    receipt: readInput(receipt, 'receipt'),
    profile: readInput(profile, 'profile'),
    trust: readInput(trust, 'trust store'),
  };
  const outcome = verify({ ...files, expectedIncident: incident, mode: 'full', otherProfile: false }, nativeCrypto);
  const report = reportOf(outcome);
  return { verdict: report.verdict, faults: faultsOf(report) };
};
