import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { encodeBase64 } from '../base/base64.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { readTrust } from '../seal/trust.ts';
import { TRUST_FORMAT, type TrustDocument, type TrustKey } from '../seal/trust-schema.ts';
import { EnvironmentFault } from './fault.ts';
import type { PublicKey } from './keys.ts';
import { nativeCrypto } from './native-crypto.ts';
import { readInput } from './read.ts';

/** Editing a trust store (FORMAT.md section 7): every change is read back by the verifier's own reader before it is written. */

const faultOf = (text: string, what: string): string | null => {
  const read = readTrust(encodeUtf8(text), nativeCrypto);
  if (read.ok) return null;
  const [first] = read.refusals;
  return `${what}: ${first?.reason}${first?.at.pointer ? ` at ${first.at.pointer}` : ''}: ${first?.detail}`;
};

/** Writes the store that `change` makes, under a lock: of two changes at one time the second would undo the first. */
const update = (file: string, change: () => TrustDocument): void => {
  const temporary = `${file}.new`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(temporary, 'wx', 0o644));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw EnvironmentFault.of(error, `cannot write the trust store ${file}`);
    throw new EnvironmentFault(`${temporary} exists: the trust store is being changed; if not, remove that file`);
  }
  try {
    const text = `${JSON.stringify(change(), null, 2)}\n`;
    const fault = faultOf(text, 'this change would break the trust store, so nothing was written');
    if (fault !== null) throw new EnvironmentFault(fault);
    writeFileSync(temporary, text, { flush: true });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error instanceof EnvironmentFault
      ? error
      : EnvironmentFault.of(error, `cannot write the trust store ${file}`);
  }
};

/** Reads a trust store for editing; a fault in it is told, never repaired. */
export const loadTrust = (file: string): TrustDocument => {
  if (!existsSync(file))
    throw new EnvironmentFault(`there is no trust store at ${file}`, ['Make one: forensictrace trust init']);
  const text = Buffer.from(readInput(file, 'trust store')).toString('utf8');
  const fault = faultOf(text, `the trust store ${file} has a fault`);
  if (fault !== null) throw new EnvironmentFault(fault);
  return JSON.parse(text) as TrustDocument;
};

export const initTrust = (file: string): void =>
  update(file, () => {
    if (existsSync(file)) throw new EnvironmentFault(`${file} exists; trust add, retire and revoke change it`);
    return { format: TRUST_FORMAT, signers: [] };
  });

export const addKey = (
  file: string,
  signer_id: string,
  { key_id, publicKey }: PublicKey,
  validity: { readonly valid_from: string; readonly valid_until?: string },
): void =>
  update(file, () => {
    const store = loadTrust(file);
    const key: TrustKey = { key_id, public_key: encodeBase64(publicKey), status: 'active', ...validity };
    const known = store.signers.some((signer) => signer.signer_id === signer_id);
    const signers = known
      ? store.signers.map((signer) =>
          signer.signer_id === signer_id ? { ...signer, keys: [...signer.keys, key] } : signer,
        )
      : [...store.signers, { signer_id, keys: [key] }];
    return { ...store, signers };
  });

const changeKey = (file: string, key_id: string, change: (key: TrustKey) => TrustKey): void =>
  update(file, () => {
    const store = loadTrust(file);
    if (!store.signers.some(({ keys }) => keys.some((key) => key.key_id === key_id))) {
      throw new EnvironmentFault(`the trust store ${file} holds no key ${key_id}; trust show lists its keys`);
    }
    const signers = store.signers.map((signer) => ({
      ...signer,
      keys: signer.keys.map((key) => (key.key_id === key_id ? change(key) : key)),
    }));
    return { ...store, signers };
  });

const requireActive = (key: TrustKey, verb: string): void => {
  if (key.status === 'revoked') throw new EnvironmentFault(`${key.key_id} is revoked already; it cannot be ${verb}`);
};

export const retireKey = (file: string, key_id: string, valid_until: string): void =>
  changeKey(file, key_id, (key) => {
    requireActive(key, 'retired');
    return { ...key, status: 'retired', valid_until };
  });

export const revokeKey = (
  file: string,
  key_id: string,
  revoked_at: string,
  revocation_reason: NonNullable<TrustKey['revocation_reason']>,
): void =>
  changeKey(file, key_id, (key) => {
    if (key.revocation_reason === 'compromise') requireActive(key, 'revoked again');
    return { ...key, status: 'revoked', revoked_at, revocation_reason };
  });

/** The signer to whom the trust store gives a key. Throws EnvironmentFault when it knows none. */
export const signerOf = (file: string, { key_id }: PublicKey): string => {
  const signer = loadTrust(file).signers.find(({ keys }) => keys.some((key) => key.key_id === key_id));
  if (signer === undefined) {
    throw new EnvironmentFault(`the trust store ${file} gives the key ${key_id} to nobody`, [
      `Give it to a signer: forensictrace trust add --signer NAME --key PUBLIC.pem --trust ${file}`,
      'Or name the signer with --signer NAME; a receipt of it is refused until the trust store has the key',
    ]);
  }
  return signer.signer_id;
};
