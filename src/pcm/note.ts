import { decodeBase64 } from '../base/base64.ts';
import type { Crypto } from '../base/crypto.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { bytesToHex } from './bytes.ts';
import { PCM_LIMITS } from './limits.ts';
import type { PcmTrust } from './trust.ts';
import { isKeyName, KEY_TYPES, type VerifierKey } from './vkey.ts';

/** A checkpoint whose signatures were checked (C2SP tlog-checkpoint). */
export type Checkpoint = {
  readonly origin: string;
  readonly size: bigint;
  readonly root: Uint8Array;
  /** How many distinct pinned witnesses cosigned it. */
  readonly cosignatures: number;
};

type SignatureLine = { readonly name: string; readonly id: string; readonly signature: Uint8Array };

const ID_BYTES = 4;
const TIME_BYTES = 8;
const ROOT_BYTES = 32;
const SIZE = /^(?:0|[1-9]\d{0,19})$/;

const signatureLine = (line: string): SignatureLine | null => {
  if (!line.startsWith('— ')) return null;
  const [name, text, ...rest] = line.slice(2).split(' ');
  const blob = text === undefined || rest.length > 0 ? null : decodeBase64(text);
  if (blob === null || blob.length <= ID_BYTES || !isKeyName(name!)) return null;
  return { name: name!, id: bytesToHex(blob.subarray(0, ID_BYTES)), signature: blob.subarray(ID_BYTES) };
};

/** What a key of this type signs of a note: its text, or for a cosignature a time and the text (C2SP tlog-cosignature). */
const isSigned = ({ key, type }: VerifierKey, head: string, signature: Uint8Array, crypto: Crypto): boolean => {
  if (type === KEY_TYPES.log) return crypto.verifyEd25519(key, encodeUtf8(head), signature);
  if (signature.length <= TIME_BYTES) return false;
  const time = BigInt(`0x${bytesToHex(signature.subarray(0, TIME_BYTES))}`);
  return crypto.verifyEd25519(key, encodeUtf8(`cosignature/v1\ntime ${time}\n${head}`), signature.subarray(TIME_BYTES));
};

const headOf = (head: string): Omit<Checkpoint, 'cosignatures'> | string => {
  const lines = head.slice(0, -1).split('\n');
  const [origin, size, root] = lines;
  if (lines.length !== 3) return 'the checkpoint has other than three lines of text';
  if (!isKeyName(origin!)) return 'the checkpoint names no log';
  if (!SIZE.test(size!)) return 'the size of the checkpoint is no decimal number';
  const rootHash = decodeBase64(root!);
  if (rootHash?.length !== ROOT_BYTES) return 'the root of the checkpoint is not 32 bytes of canonical base64';
  return { origin: origin!, size: BigInt(size!), root: rootHash };
};

const split = (note: string): { head: string; lines: readonly SignatureLine[] } | string => {
  if (note.length > PCM_LIMITS.noteLength) return `the checkpoint is longer than ${PCM_LIMITS.noteLength} characters`;
  const gap = note.lastIndexOf('\n\n');
  if (gap < 0 || !note.endsWith('\n')) return 'the checkpoint is no signed note';
  const texts = note.slice(gap + 2, -1).split('\n');
  if (texts.length > PCM_LIMITS.noteSignatures)
    return `the checkpoint has more than ${PCM_LIMITS.noteSignatures} signatures`;
  const lines = texts.map(signatureLine);
  if (lines.includes(null)) return 'the checkpoint has a line that is no signature';
  return { head: note.slice(0, gap + 1), lines: lines as SignatureLine[] };
};

/**
 * Takes a signed note and the pinned keys; returns the checkpoint, or in words why it is refused. Every line of a pinned key must verify, the
 * origin's must be there, no key may sign twice, and lines of keys that are not pinned count for nothing (C2SP signed-note).
 */
export const openCheckpoint = (note: string, trust: PcmTrust, crypto: Crypto): Checkpoint | string => {
  const parts = split(note);
  if (typeof parts === 'string') return parts;
  const head = headOf(parts.head);
  if (typeof head === 'string') return head;
  const seen = new Set<string>();
  const signers = new Set<VerifierKey>();
  for (const { name, id, signature } of parts.lines) {
    const ref = `${name}+${id}`;
    if (seen.has(ref)) return `${ref} signs the checkpoint twice`;
    seen.add(ref);
    const key = [trust.logs.get(name), trust.witnesses.get(name)].find((pinned) => pinned?.id === id);
    if (key === undefined) continue;
    if (!isSigned(key, parts.head, signature, crypto))
      return `the signature of ${ref} on the checkpoint does not verify`;
    signers.add(key);
  }
  const origin = trust.logs.get(head.origin);
  if (origin === undefined) return `the log ${head.origin} is not pinned`;
  if (!signers.has(origin)) return `the log ${head.origin} has not signed the checkpoint`;
  return { ...head, cosignatures: [...signers].filter(({ type }) => type === KEY_TYPES.witness).length };
};
