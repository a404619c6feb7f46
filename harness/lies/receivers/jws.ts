import { isSigned, type Key, signBytes } from './keys.ts';

export type Members = Readonly<Record<string, unknown>>;

/** A JWS of RFC 7515 as its parts: the protected header and the payload as sent, and the signature. EdDSA is that of RFC 8037. */
export type Jws = { readonly protected: string; readonly payload: string; readonly signature: string };

const encode = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');

/** Signs a payload (RFC 7515 section 5.1); `alg` and `kid` are the key's. */
export const signJws = (payload: Uint8Array | string, header: Members, key: Key): Jws => {
  const [head, body] = [encode(JSON.stringify({ alg: 'EdDSA', kid: key.id, ...header })), encode(payload)];
  return { protected: head, payload: body, signature: encode(signBytes(key, Buffer.from(`${head}.${body}`))) };
};

/** Whether a key signed it (RFC 7515 section 5.2, step 8). */
export const isSignedJws = (jws: Jws, key: Key): boolean =>
  isSigned(key, Buffer.from(`${jws.protected}.${jws.payload}`), Buffer.from(jws.signature, 'base64url'));

/** The text of a JWS: what a hash of it is over. */
export const compact = (jws: Jws): string => `${jws.protected}.${jws.payload}.${jws.signature}`;

const parse = (part: string): Members => JSON.parse(Buffer.from(part, 'base64url').toString()) as Members;
export const headerOf = (jws: Jws): Members => parse(jws.protected);
export const payloadOf = (jws: Jws): Members => parse(jws.payload);
