import { join } from 'node:path';
import type { Crypto } from '../base/crypto.ts';
import { parseVkey } from '../pcm/vkey.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { Book } from './book.ts';
import type { SignerConfig } from './config.ts';
import { actionsOf } from './executor/actions.ts';
import { openLog } from './log/open.ts';
import { signingKeyOf } from './log-key.ts';
import { Quota } from './quota.ts';
import { Salts } from './salts.ts';
import { logKeyFrom, saltSecretFrom } from './secrets.ts';
import type { Signer } from './signer.ts';

/**
 * Opens a signer's folder: its key and its secret of salts, made where there are none, and its log, which no other signer may have open. What it knew of
 * runs, approvals and grants it knows again. Throws EnvironmentFault.
 */
export const openSigner = async (config: SignerConfig, crypto: Crypto, clock: () => number): Promise<Signer> => {
  const key = logKeyFrom(config.data_dir, true);
  const signing = signingKeyOf(config.origin, key, crypto);
  const verifier = parseVkey(signing.vkey, crypto);
  if (typeof verifier === 'string') throw new EnvironmentFault(verifier);
  const salts = new Salts(saltSecretFrom(config.data_dir), crypto);
  const actions = actionsOf(config.actions);
  const log = await openLog(join(config.data_dir, 'log'), { origin: config.origin, key, crypto });
  return {
    config,
    log,
    book: new Book(log, config.origin, crypto, clock),
    signing,
    verifier,
    salts,
    quota: new Quota(config.event_quota, clock),
    actions,
    shown: new Map(),
    runTokens: new Map(),
    crypto,
    clock,
  };
};
