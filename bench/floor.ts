import { createPublicKey, hash, verify } from 'node:crypto';
import { type Crypto, createVerifier, nativeCrypto } from '../src/index.ts';
import type { Fixture, Lab } from './fixture.ts';

/** SubjectPublicKeyInfo of Ed25519 up to the 32 key bytes (RFC 8410 section 4). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The byte strings that one verification hashes, each once, and the question it puts to Ed25519. */
type Asked = { readonly hashed: Map<string, Uint8Array>; signature: readonly Uint8Array[] };

/** The crypto of the run, which notes what it is asked. */
const noting = (asked: Asked): Crypto => {
  const note = (bytes: Uint8Array): string => {
    const digest = nativeCrypto.sha256Hex(bytes);
    asked.hashed.set(digest, bytes.slice());
    return digest;
  };
  return {
    ...nativeCrypto,
    sha256Hex: (data) => note(typeof data === 'string' ? Buffer.from(data) : data),
    sha256Into: (data, target, at) => target.set(Buffer.from(note(data), 'hex'), at),
    sha256Stream: () => {
      const pieces: Uint8Array[] = [];
      return { update: (bytes) => void pieces.push(bytes.slice()), hex: () => note(Buffer.concat(pieces)) };
    },
    verifyEd25519: (...question) => {
      asked.signature = question;
      return nativeCrypto.verifyEd25519(...question);
    },
  };
};

/**
 * The least that a verification of this bundle can be: a function that computes the same hashes of byte strings that are there already, none
 * twice, and checks the one signature. It returns how many hashes that were.
 */
export const floorOf = (lab: Lab, { files }: Fixture): (() => number) => {
  const asked: Asked = { hashed: new Map(), signature: [] };
  const verifier = createVerifier({ ...lab.files, mode: 'full', otherProfile: false }, noting(asked));
  asked.hashed.clear();
  verifier.verifyFiles(files);
  const inputs = [...asked.hashed.values()];
  const [publicKey, message, signature] = asked.signature as [Uint8Array, Uint8Array, Uint8Array];
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return () => {
    for (const input of inputs) hash('sha256', input, 'hex');
    if (!verify(null, message, key, signature)) throw new Error('the signature of a fixture does not hold');
    return inputs.length;
  };
};
