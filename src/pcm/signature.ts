import { decodeBase64 } from '../base/base64.ts';
import type { Crypto } from '../base/crypto.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { type Finding, finding } from './finding.ts';
import { jcs } from './jcs.ts';
import type { PcmTrust } from './trust.ts';
import type { PcmObject } from './value.ts';
import type { VerifierKey } from './vkey.ts';

/** What stands for the member `t` under the signature, so that a grant cannot pass as a message, nor either as a checkpoint. */
export const SIGNATURE_TAGS = { message: 'pcm.message.v0', grant: 'pcm.grant.v0' } as const;

const SIGNATURE_BYTES = 64;

/** The bytes that are signed: JCS of the document without `sig`, with its tag as `t`. */
export const signedBytes = (document: PcmObject, tag: keyof typeof SIGNATURE_TAGS): Uint8Array => {
  const { sig: _, ...rest } = document;
  return encodeUtf8(jcs({ ...rest, t: SIGNATURE_TAGS[tag] }));
};

/** The pinned log key that `name+hex8` names, or null. */
export const pinnedKey = (ref: string, trust: PcmTrust): VerifierKey | null => {
  const [name, id] = ref.split('+');
  const key = trust.logs.get(name!);
  return key !== undefined && ref === `${name}+${id}` && key.id === id ? key : null;
};

/** Takes a signed document, its tag and the key it names; returns what is wrong with its signature, or null (docs/PCM.md section 3). */
export const signatureFault = (
  document: PcmObject,
  sig: string,
  tag: keyof typeof SIGNATURE_TAGS,
  key: VerifierKey,
  crypto: Crypto,
): Finding | null => {
  const signature = decodeBase64(sig);
  if (signature?.length !== SIGNATURE_BYTES)
    return finding('PCM_SIGNATURE_ENCODING', '/sig/sig', 'the signature is not 64 bytes of canonical base64');
  return crypto.verifyEd25519(key.key, signedBytes(document, tag), signature)
    ? null
    : finding('PCM_SIGNATURE', '/sig/sig', `the key ${key.name}+${key.id} did not sign this`);
};
