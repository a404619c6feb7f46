import { decodeBase64 } from '../base/base64.ts';
import type { Crypto } from '../base/crypto.ts';
import { encodeUtf8, utf8Length } from '../base/utf8.ts';
import { bytesToHex, sha256 } from './bytes.ts';

/** The first byte of a verifier key (C2SP signed-note, tlog-cosignature). */
export const KEY_TYPES = { log: 0x01, witness: 0x04 } as const;

/** An Ed25519 verifier key: the name of a log or a witness, and its key. */
export type VerifierKey = {
  readonly name: string;
  readonly type: number;
  /** 8 lower-case hex digits: the first four bytes of SHA-256(name ‖ LF ‖ type ‖ key). */
  readonly id: string;
  readonly key: Uint8Array;
};

const MAX_NAME_BYTES = 255;

/** A name of a note's signer (C2SP signed-note): neither empty, nor a plus, nor white space. */
export const isKeyName = (name: string): boolean =>
  name !== '' && !/[+\s\u0085]/u.test(name) && utf8Length(name) <= MAX_NAME_BYTES;

const shown = (text: string): string => JSON.stringify(text.slice(0, 300));

/**
 * Takes `name+hex8+base64(type ‖ key)`; returns the key, or in words what is wrong with it. Strict: canonical base64, an id that is the key's, 32 bytes
 * that no adversary can sign for without the secret (no small or mixed order).
 */
export const parseVkey = (text: string, crypto: Crypto): VerifierKey | string => {
  const wrong = (what: string): string => `the verifier key ${shown(text)} ${what}`;
  // The base64 may hold a plus of its own.
  const [name, id] = text.split('+', 2);
  if (name === undefined || id === undefined) return wrong('is not name+id+key');
  const blob = decodeBase64(text.slice(name.length + id.length + 2));
  if (!isKeyName(name)) return wrong('has no name of a signer');
  if (blob === null || blob.length === 0) return wrong('is not canonical base64');
  const expected = bytesToHex(sha256(crypto, encodeUtf8(`${name}\n`), blob).subarray(0, 4));
  if (id !== expected) return wrong(`has the id ${shown(id)}, and its key the id ${expected}`);
  const [type] = blob;
  if (type !== KEY_TYPES.log && type !== KEY_TYPES.witness)
    return wrong(`is of type ${type}, which PCM 0.1 cannot check`);
  const key = blob.slice(1);
  const judged = crypto.checkPublicKey(key);
  return judged === 'ok' ? { name, type, id, key } : wrong(`is no Ed25519 key to trust: ${judged}`);
};
