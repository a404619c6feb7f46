import { encodeBase64 } from '../base/base64.ts';
import type { Crypto } from '../base/crypto.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { bytesToHex, sha256 } from '../pcm/bytes.ts';
import { type SIGNATURE_TAGS, signedBytes } from '../pcm/signature.ts';
import type { PcmObject } from '../pcm/value.ts';
import { KEY_TYPES } from '../pcm/vkey.ts';
import type { LogKey } from './log/types.ts';

/** The key of the signer's log, which signs checkpoints, messages and grants, each under its own tag. */
export type SigningKey = {
  /** `name+hex8`: how a message names the key. */
  readonly ref: string;
  /** `name+hex8+base64(type ‖ key)`: what a receiver pins (docs/PCM.md section 5). */
  readonly vkey: string;
  readonly key: LogKey;
};

/** Takes the origin of a log and its key; returns it with the names by which others know it. */
export const signingKeyOf = (origin: string, key: LogKey, crypto: Crypto): SigningKey => {
  const blob = Uint8Array.of(KEY_TYPES.log, ...key.publicKey);
  const id = bytesToHex(sha256(crypto, encodeUtf8(`${origin}\n`), blob).subarray(0, 4));
  const ref = `${origin}+${id}`;
  return { ref, vkey: `${ref}+${encodeBase64(blob)}`, key };
};

/** Takes a message or a grant without `sig`; returns it signed under its tag. */
export const signDocument = (
  document: PcmObject,
  tag: keyof typeof SIGNATURE_TAGS,
  { ref, key }: SigningKey,
): PcmObject => ({
  ...document,
  sig: { key: ref, sig: encodeBase64(key.sign(signedBytes(document, tag))) },
});
