import { basename } from 'node:path';
import { type loadTrust, nativeCrypto } from '../../src/index.ts';
import { type Fault, fault } from './evaluate-faults.ts';
import type { ResultFiles } from './evaluate-files.ts';
import type { Layout, Seal } from './model.ts';
import { sealMessage } from './seal.ts';

type Trust = ReturnType<typeof loadTrust>;

const isSigned = ({ signature, ...signed }: Seal, trust: Trust): boolean => {
  const keys = trust.signers.flatMap(({ keys }) => keys);
  const key = keys.find((candidate) => candidate.key_id === signed.key_id && candidate.status !== 'revoked');
  if (key === undefined) return false;
  const [publicKey, given] = [Buffer.from(key.public_key, 'base64'), Buffer.from(signature, 'base64')];
  return nativeCrypto.verifyEd25519(publicKey, sealMessage(signed), given);
};

/**
 * Compares schedule, settings, choices and outcomes with what was sealed when the experiment ended: no receipt covers them, so
 * without the seal whoever holds the folder could swap labels or edit a reply.
 */
export const checkSeal = ({ seal, digests }: ResultFiles, trust: Trust, layout: Layout): readonly Fault[] => {
  const at = basename(layout.seal);
  if (seal === null) return [fault('SEAL_MISSING', at, 'there is no such file')];
  if (!isSigned(seal, trust)) return [fault('SEAL_NOT_TRUSTED', at, `signed under ${seal.key_id}`)];
  const sealed = new Map(seal.files.map(({ file, sha256 }) => [file, sha256]));
  return [...digests].flatMap(([file, digest]) => {
    const stated = sealed.get(file);
    if (stated === digest) return [];
    return stated === undefined
      ? [fault('SEAL_NOT_TRUSTED', at, `it does not cover ${file}`)]
      : [fault('FILE_NOT_AS_SEALED', file, `sealed with digest ${stated}, and has ${digest}`)];
  });
};
