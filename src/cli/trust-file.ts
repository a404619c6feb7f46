import { existsSync } from 'node:fs';
import { defaultTrustFile } from '../store/config.ts';
import { EnvironmentFault } from '../store/fault.ts';

/** The trust store that is named, else that of the user. Throws EnvironmentFault, with advice, where there is none. */
export const trustFile = (given: string | undefined): string => {
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
