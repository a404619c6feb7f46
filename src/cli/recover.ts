import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Refusal, Result } from '../base/result.ts';
import { deriveEdges } from '../relate/derive.ts';
import { familiesDigest, profileDigest, settingsDigest } from '../seal/digests.ts';
import { defaultKeyFile, defaultTrustFile } from '../store/config.ts';
import { finalize } from '../store/finalize.ts';
import { readPublicKey, readSigner } from '../store/keys.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { readFolder, readInput } from '../store/read.ts';
import { signerOf } from '../store/trust-file.ts';
import { readFamilies, readProfile, readSettings } from '../verify/documents.ts';
import { EXIT, UsageFault } from './exit.ts';
import { emit, json, table } from './output.ts';

export type RecoverOptions = {
  readonly profile: string;
  readonly key?: string;
  readonly signer?: string;
  readonly trust?: string;
  readonly families?: string;
  readonly settings?: string;
  readonly out?: string;
  readonly json?: boolean;
};

const accepted = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  const told = ({ reason, at, detail }: Refusal) => `${reason}: ${at.input} ${at.pointer ?? ''}: ${detail}`;
  const [first, ...others] = result.refusals.map(told);
  throw new UsageFault(first!, others);
};

/** `forensictrace recover`: seals the journal of a capture that was killed; the bundle says that it was recovered. */
export const runRecover = (journal: string, options: RecoverOptions): number => {
  const folder = options.out ?? dirname(journal);
  const name = basename(journal).replace(/\.journal$/, '');
  const paths = { bundle: join(folder, `${name}.bundle.json`), receipt: join(folder, `${name}.receipt.json`) };
  for (const file of Object.values(paths)) {
    if (existsSync(file)) throw new UsageFault(`${file} exists and is not overwritten; name another folder with --out`);
  }
  const key = options.key ?? defaultKeyFile();
  const signer = options.signer ?? signerOf(options.trust ?? defaultTrustFile(process.env), readPublicKey(key));
  const profile = accepted(readProfile(readInput(options.profile, 'profile')));
  const families =
    options.families === undefined ? [] : accepted(readFamilies(readFolder(options.families, 'families')));
  const settings =
    options.settings === undefined ? {} : accepted(readSettings(readInput(options.settings, 'settings')));
  readInput(journal, 'journal');
  const { bundle, receipt } = finalize({
    journal,
    ...paths,
    signer: () => readSigner(key, signer),
    statement: {
      profile_digest: profileDigest(profile.document, nativeCrypto),
      families_digest: familiesDigest(
        families.map(({ document }) => document),
        nativeCrypto,
      ),
      settings_digest: settingsDigest(settings, nativeCrypto),
    },
    clock: Date.now,
    derive: deriveEdges,
    crypto: nativeCrypto,
  });
  const [trace] = bundle.trace_metadata;
  const made = {
    ...paths,
    incident_id: receipt.body.incident_id,
    ended: trace?.ended ?? 'not known',
    commitments: receipt.body.commitment_count,
    profile_id: receipt.body.profile_id,
  };
  emit(options.json ? json(made) : table(Object.entries(made).map(([name, value]) => [name, String(value)])));
  return EXIT.CONSISTENT;
};
