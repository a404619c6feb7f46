import { existsSync } from 'node:fs';
import { isId } from '../base/grammar.ts';
import type { Refusal, Result } from '../base/result.ts';
import type { Signer } from '../seal/receipt.ts';
import { defaultKeyFile, defaultTrustFile } from '../store/config.ts';
import { readPublicKey, readSigner } from '../store/keys.ts';
import { signerOf } from '../store/trust-file.ts';
import { UsageFault } from './exit.ts';

/** Who signs: a key, and a name or the trust store that gives one. */
export type SigningOptions = { readonly key?: string; readonly signer?: string; readonly trust?: string };

/** The value of a document that must be in order before anything begins. Throws UsageFault with each refusal. */
export const accepted = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  const told = ({ reason, at, detail }: Refusal) => `${reason}: ${at.input} ${at.pointer ?? ''}: ${detail}`;
  const [first, ...others] = result.refusals.map(told);
  throw new UsageFault(first!, others);
};

/** The signer of what will be sealed. Throws UsageFault and EnvironmentFault, saying what to do. */
export const signerFor = ({
  key = defaultKeyFile(),
  signer,
  trust = defaultTrustFile(process.env),
}: SigningOptions): Signer => {
  if (signer !== undefined && !isId(signer)) {
    throw new UsageFault(`--signer ${JSON.stringify(signer)}: letters, digits and . _ : - only, 1 to 128 of them`);
  }
  if (!existsSync(key)) {
    throw new UsageFault(`there is no key at ${key}`, [
      'Name one with --key FILE, or make one: forensictrace keys generate',
    ]);
  }
  if (signer === undefined && !existsSync(trust)) {
    throw new UsageFault(`there is no trust store at ${trust} that says whose key it is`, [
      'Make one: forensictrace trust init && forensictrace trust add --signer NAME --key PUBLIC.pem',
      'Or name another with --trust FILE, or the signer alone with --signer NAME',
    ]);
  }
  return readSigner(key, signer ?? signerOf(trust, readPublicKey(key)));
};
