import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { keyIdOf } from '../seal/digests.ts';
import type { Signer } from '../seal/receipt.ts';
import { EnvironmentFault } from './fault.ts';
import { nativeCrypto } from './native-crypto.ts';
import { readInput } from './read.ts';

/** A public key as the trust store and the command line speak of it. */
export type PublicKey = { readonly key_id: string; readonly publicKey: Uint8Array };

const rawPublicKey = (key: KeyObject): Uint8Array => {
  const { x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url');
};

const named = (publicKey: Uint8Array): PublicKey => ({ key_id: keyIdOf(publicKey, nativeCrypto), publicKey });

/**
 * Makes an Ed25519 key pair (RFC 8032): the private key as PKCS#8 PEM with mode 0600, the public one as SPKI PEM, both
 * readable by openssl. Throws EnvironmentFault when a file of either name exists: a key is never overwritten.
 */
export const generateKey = (privateFile: string, publicFile: string): PublicKey => {
  const pair = generateKeyPairSync('ed25519');
  writeNew(privateFile, pair.privateKey.export({ format: 'pem', type: 'pkcs8' }), 0o600);
  try {
    writeNew(publicFile, pair.publicKey.export({ format: 'pem', type: 'spki' }), 0o644);
  } catch (error) {
    // A half without its other half beside an older key would be taken for that key's.
    rmSync(privateFile, { force: true });
    throw error;
  }
  return named(rawPublicKey(pair.publicKey));
};

const writeNew = (file: string, text: string | Buffer, mode: number): void => {
  try {
    writeFileSync(file, text, { flag: 'wx', mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw EnvironmentFault.of(error, `cannot write ${file}`);
    throw new EnvironmentFault(`${file} exists; a key is never overwritten: name another file with --out`);
  }
};

const readKey = (file: string, kind: 'private' | 'public', parse: (pem: Buffer) => KeyObject): KeyObject => {
  const pem = Buffer.from(readInput(file, 'key'));
  let key: KeyObject;
  try {
    key = parse(pem);
  } catch {
    throw new EnvironmentFault(`${file} is not a PEM key that this command can use: a ${kind} key is needed`);
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new EnvironmentFault(`${file} holds a ${key.asymmetricKeyType} key; Ed25519 is needed`);
  }
  return key;
};

/** Reads the public key of a PEM file, public (SPKI) or private (PKCS#8). */
export const readPublicKey = (file: string): PublicKey =>
  named(rawPublicKey(readKey(file, 'public', (pem) => createPublicKey(pem))));

/** Reads a private key (PKCS#8 PEM) as the signer of that name. Refuses a file that others can read. */
export const readSigner = (file: string, signer_id: string): Signer => {
  const key = readKey(file, 'private', (pem) => createPrivateKey(pem));
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new EnvironmentFault(`${file} can be read by others; run: chmod 600 ${file}`);
  }
  return { signer_id, key_id: named(rawPublicKey(key)).key_id, sign: (message) => sign(null, message, key) };
};
