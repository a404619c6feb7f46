import type { Crypto } from '../base/crypto.ts';
import { parseVkey } from '../pcm/vkey.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { Book } from './book.ts';
import type { SignerConfig } from './config.ts';
import { placesIn, requireSalts, requireWhole } from './data-folder.ts';
import { actionsOf } from './executor/actions.ts';
import { openLog } from './log/open.ts';
import { signingKeyOf } from './log-key.ts';
import { Quota } from './quota.ts';
import { Salts } from './salts.ts';
import { logKeyFrom, saltSecretFrom } from './secrets.ts';
import type { Signer } from './signer.ts';

/** The secret, made on the first start. The log is open, so that no other signer is making one. */
const saltsOf = (dataDir: string, records: number, crypto: Crypto): Salts => {
  requireSalts(dataDir, records);
  return new Salts(saltSecretFrom(dataDir), crypto);
};

/**
 * Opens a signer's folder: its key, its log, which no other signer may have open, and its secret of salts, all made on the first start. What it knew of
 * runs, approvals and grants it knows again. Throws EnvironmentFault, also when a part is lost.
 */
export const openSigner = async (config: SignerConfig, crypto: Crypto, clock: () => number): Promise<Signer> => {
  const { data_dir, origin } = config;
  requireWhole(data_dir);
  const key = logKeyFrom(data_dir, true);
  const signing = signingKeyOf(origin, key, crypto);
  const verifier = parseVkey(signing.vkey, crypto);
  if (typeof verifier === 'string') throw new EnvironmentFault(verifier);
  const actions = actionsOf(config.actions);
  const log = await openLog(placesIn(data_dir).log, { origin, key, crypto });
  try {
    return {
      config,
      log,
      book: new Book(log, origin, crypto, clock),
      signing,
      verifier,
      salts: saltsOf(data_dir, log.size, crypto),
      quota: new Quota(config.event_quota, clock),
      actions,
      shown: new Map(),
      runTokens: new Map(),
      crypto,
    };
  } catch (error) {
    await log.close();
    throw error;
  }
};
