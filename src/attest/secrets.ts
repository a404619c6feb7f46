import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { EnvironmentFault } from '../store/fault.ts';
import { generateKey, readPublicKey, readSigner } from '../store/keys.ts';
import { placesIn } from './data-folder.ts';
import { newId } from './ids.ts';
import type { LogKey } from './log/types.ts';
import { newToken } from './tokens.ts';

const SECRET_HEX = /^[0-9a-f]{64}\n?$/;

/** Reads a file of 64 hex digits that its owner alone can read. */
const readSecret = (file: string, what: string, advice: string): string => {
  try {
    if ((statSync(file).mode & 0o077) !== 0)
      throw new EnvironmentFault(`the ${what} ${file} can be read by others`, [`run: chmod 600 ${file}`]);
    const text = readFileSync(file, 'utf8');
    if (SECRET_HEX.test(text)) return text.trim();
  } catch (error) {
    throw error instanceof EnvironmentFault ? error : EnvironmentFault.of(error, `cannot read the ${what} ${file}`);
  }
  throw new EnvironmentFault(`the ${what} ${file} is not 64 hex digits`, [advice]);
};

/** Gives a file that was written whole its name, unless another has it: a kill in between leaves no half of a secret under it. */
const place = (written: string, file: string): void => {
  linkSync(written, file);
  rmSync(written);
};

const makeSecret = (file: string, what: string): void => {
  const written = `${file}.${newId()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(written, `${newToken()}\n`, { flag: 'wx', mode: 0o600 });
    place(written, file);
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot make the ${what} ${file}`);
  }
};

/** The token that an identity shows, from its file; made where there is none. */
export const tokenFrom = (file: string, make: boolean): string => {
  if (make && !existsSync(file)) makeSecret(file, 'token file');
  return readSecret(file, 'token file', 'remove it, and signer serve makes another');
};

/** The secret from which salts are made. With it, every commitment of the log can be tried: it is kept as the key is. */
export const saltSecretFrom = (dataDir: string): Uint8Array => {
  const { salts } = placesIn(dataDir);
  if (!existsSync(salts)) makeSecret(salts, 'secret of salts');
  return Buffer.from(readSecret(salts, 'secret of salts', 'put it back as it was'), 'hex');
};

const makeKey = (key: string, publicKey: string): void => {
  const [written, writtenPublic] = [key, publicKey].map((file) => `${file}.${newId()}`) as [string, string];
  try {
    mkdirSync(dirname(key), { recursive: true, mode: 0o700 });
    generateKey(written, writtenPublic);
    renameSync(writtenPublic, publicKey);
    place(written, key);
  } catch (error) {
    throw error instanceof EnvironmentFault ? error : EnvironmentFault.of(error, `cannot make the key ${key}`);
  }
};

/** The key of the log, made where there is none; `trust` alone reads it without making one. */
export const logKeyFrom = (dataDir: string, make: boolean): LogKey => {
  const { key, publicKey } = placesIn(dataDir);
  if (!make && !existsSync(key))
    throw new EnvironmentFault(`there is no key ${key} yet`, ['signer serve makes it on its first start']);
  if (!existsSync(key)) {
    makeKey(key, publicKey);
  }
  const signer = readSigner(key, 'log');
  return { publicKey: readPublicKey(key).publicKey, sign: (message) => signer.sign(message) };
};
