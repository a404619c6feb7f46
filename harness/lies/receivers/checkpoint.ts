import { sha256 } from './jcs.ts';
import { isSignedBy } from './keys.ts';

/** A key that the trust document pins: name, the four bytes of its id, and its 32 bytes. */
export type Pinned = { readonly name: string; readonly id: Buffer; readonly key: Buffer };

/** Takes the bytes of a trust document; returns the logs it pins (C2SP signed-note vkeys). */
export const pinnedLogs = (trust: Uint8Array): readonly Pinned[] => {
  const { logs } = JSON.parse(Buffer.from(trust).toString()) as { logs: readonly string[] };
  return logs.map((vkey) => {
    const [, name, id, key] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(vkey)!;
    return { name: name!, id: Buffer.from(id!, 'hex'), key: Buffer.from(key!, 'base64').subarray(1) };
  });
};

/** The signed root of a tree, as a log's checkpoint holds it (C2SP tlog-checkpoint). */
export type SignedRoot = {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
  readonly signed: string;
  readonly lines: readonly string[];
};

/** Takes the text of a checkpoint; returns its parts, or null. Nothing is verified. */
export const readCheckpoint = (note: string): SignedRoot | null => {
  const [, signed, origin, size, root, lines] = /^(([^\n]+)\n(\d+)\n([^\n]+)\n)\n((?:[^\n]+\n)+)$/.exec(note) ?? [];
  if (lines === undefined) return null;
  return {
    origin: origin!,
    size: Number(size),
    root: Buffer.from(root!, 'base64'),
    signed: signed!,
    lines: lines.trimEnd().split('\n'),
  };
};

/** Whether a pinned key of the origin's name signed it. */
export const isSignedRoot = ({ origin, signed, lines }: SignedRoot, logs: readonly Pinned[]): boolean =>
  logs.some(({ name, id, key }) => {
    if (name !== origin) return false;
    const blobs = lines
      .filter((line) => line.startsWith(`— ${name} `))
      .map((line) => Buffer.from(line.slice(name.length + 3), 'base64'));
    return blobs.some(
      (blob) => blob.subarray(0, 4).equals(id) && isSignedBy(key, Buffer.from(signed), blob.subarray(4)),
    );
  });

/** RFC 9162 section 2.1.3.2: whether the entry is at this index of a tree of this size and root. */
export const isIncluded = (entry: Uint8Array, index: number, path: readonly Buffer[], tree: SignedRoot): boolean => {
  if (!Number.isSafeInteger(index) || index < 0 || index >= tree.size) return false;
  let [fn, sn] = [BigInt(index), BigInt(tree.size) - 1n];
  let hash = sha256(Buffer.of(0), entry);
  for (const step of path) {
    if (sn === 0n) return false;
    if ((fn & 1n) === 1n || fn === sn) {
      hash = sha256(Buffer.of(1), step, hash);
      while ((fn & 1n) === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else hash = sha256(Buffer.of(1), hash, step);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n && hash.equals(tree.root);
};
