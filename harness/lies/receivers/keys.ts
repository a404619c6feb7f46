import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** PKCS #8 of an Ed25519 private key, up to its 32 bytes (RFC 8410 section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** SubjectPublicKeyInfo of an Ed25519 public key, up to its 32 bytes (RFC 8410 section 4). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Who holds a key in the models: the agent itself, the platform that asks persons, a person's device, or the issuer that certifies it. */
export type Role = 'agent' | 'platform' | 'person' | 'issuer';

export type Key = { readonly id: string; readonly secret: KeyObject; readonly public: KeyObject };

const keys = new Map<string, Key>();

/** The Ed25519 key of a role, made from its name, so that a run can be repeated; its id is `role:name`. */
export const keyOf = (role: Role, name: string): Key => {
  const id = `${role}:${name}`;
  const known = keys.get(id);
  if (known !== undefined) return known;
  const seed = createHash('sha256').update(`forensictrace lies, model key\n${id}`).digest();
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const key: Key = { id, secret, public: createPublicKey(secret) };
  keys.set(id, key);
  return key;
};

/** The key of an id that keyOf gave; null when it names no role. A receiver finds the keys it trusts so, as in a directory. */
export const keyNamed = (id: unknown): Key | null => {
  const [, role, name] = typeof id === 'string' ? (/^(agent|platform|person|issuer):(.+)$/s.exec(id) ?? []) : [];
  return name === undefined ? null : keyOf(role as Role, name);
};

export const signBytes = (key: Key, bytes: Uint8Array): Uint8Array => sign(null, bytes, key.secret);

export const isSigned = (key: Key, bytes: Uint8Array, signature: Uint8Array): boolean =>
  verify(null, bytes, key.public, signature);

/** Takes 32 bytes of a public key; returns whether it signed the bytes. */
export const isSignedBy = (publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean =>
  verify(
    null,
    bytes,
    createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' }),
    signature,
  );
