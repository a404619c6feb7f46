import { decodeBase64, encodeBase64 } from '../../base/base64.ts';
import type { Crypto } from '../../base/crypto.ts';
import { bytesToHex } from '../../base/hex.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { KEY_TYPES } from '../../pcm/vkey.ts';
import { sha256 } from './merkle.ts';
import type { LogKey } from './types.ts';

const ID_BYTES = 4;

const typed = (publicKey: Uint8Array): Uint8Array => Buffer.concat([Buffer.of(KEY_TYPES.log), publicKey]);
const idOf = (origin: string, publicKey: Uint8Array, crypto: Crypto): Uint8Array =>
  sha256(Buffer.concat([encodeUtf8(`${origin}\n`), typed(publicKey)]), crypto).subarray(0, ID_BYTES);

/** Takes the name of a log and its public key; returns the verifier key that receivers pin (C2SP signed-note): `name+hex8+base64`. */
export const vkeyOf = (origin: string, publicKey: Uint8Array, crypto: Crypto): string =>
  `${origin}+${bytesToHex(idOf(origin, publicKey, crypto))}+${encodeBase64(typed(publicKey))}`;

/** Takes the size and the root of a tree; returns its checkpoint, signed (C2SP tlog-checkpoint). Ed25519 is deterministic: one tree has one text. */
export const signCheckpoint = (origin: string, size: number, root: Uint8Array, key: LogKey, crypto: Crypto): string => {
  const text = `${origin}\n${size}\n${encodeBase64(root)}\n`;
  const signature = Buffer.concat([idOf(origin, key.publicKey, crypto), key.sign(encodeUtf8(text))]);
  return `${text}\n— ${origin} ${encodeBase64(signature)}\n`;
};

/** Takes a checkpoint of this log's own; returns its size and root, or null when it is none. Who signed it is not asked: a log may get a new key. */
export const readCheckpoint = (note: string, origin: string): { size: number; root: Uint8Array } | null => {
  const [name, size, root, gap] = note.split('\n', 4);
  if (name !== origin || gap !== '' || !/^(?:0|[1-9]\d{0,14})$/.test(size!)) return null;
  const hash = decodeBase64(root!);
  return hash === null ? null : { size: Number(size), root: hash };
};
