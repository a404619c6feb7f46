import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentFault } from '../store/fault.ts';

/** Where a signer has its key, its secret of salts and its log. */
export const placesIn = (dataDir: string) => ({
  key: join(dataDir, 'log.key.pem'),
  publicKey: join(dataDir, 'log.pub.pem'),
  salts: join(dataDir, 'salts.secret'),
  log: join(dataDir, 'log'),
});

const OTHERS_WRITE = 0o022;

const hasLog = (log: string): boolean => existsSync(join(log, 'checkpoint')) || existsSync(join(log, 'journal'));

/**
 * Refuses the folder of a signer of which a part is lost, and one in which others can replace a part: what is not there is made on the first start
 * alone. The secret of salts is made last, so that a first start that was cut short goes on. Throws EnvironmentFault, which says what the loss costs.
 */
export const requireWhole = (dataDir: string): void => {
  const { key, publicKey, salts, log } = placesIn(dataDir);
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (folder !== undefined && (folder.mode & OTHERS_WRITE) !== 0)
    throw new EnvironmentFault(`others can write in the folder ${dataDir}, and so replace its key and its log`, [
      `run: chmod go-w ${dataDir}`,
    ]);
  if (!existsSync(key) && (hasLog(log) || existsSync(salts)))
    throw new EnvironmentFault(`the key ${key} is lost, and the folder has a log`, [
      'put it back; under another key, no message, grant or evidence of this one verifies any more once receivers pin that',
      `to go on so: rm -f ${publicKey} && forensictrace keys generate --out ${key}`,
    ]);
  if (existsSync(key) && existsSync(salts) && !hasLog(log))
    throw new EnvironmentFault(`the log ${log} is lost, and its key is there`, [
      'put it back as it was; a log that begins again under its key is a fork, and whoever holds evidence of the old one can show it',
      'to begin again: name another origin and another data_dir, and have receivers pin the new key',
    ]);
};

/** Refuses a log with records whose secret of salts is lost. */
export const requireSalts = (dataDir: string, records: number): void => {
  const { salts } = placesIn(dataDir);
  if (records > 0 && !existsSync(salts))
    throw new EnvironmentFault(`the secret of salts ${salts} is lost, and the log has ${records} records`, [
      'put it back; under another, no decision of these records can be opened any more, and no approval of them be taken up',
      `to go on so: (umask 077; openssl rand -hex 32 > ${salts})`,
    ]);
};
