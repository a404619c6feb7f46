import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Crypto } from '../../base/crypto.ts';
import { equalBytes } from '../../pcm/bytes.ts';
import { EnvironmentFault } from '../../store/fault.ts';
import { readCheckpoint } from './checkpoint.ts';
import { writeDurably } from './files.ts';
import { type Journal, journalHead, openJournal } from './journal.ts';
import { createTree, type TileFile, type Tree } from './tree.ts';

/** Hashes alone: whoever may enter the folder may read them. */
const PUBLIC = 0o644;
const PRIVATE = 0o600;

const ifThere = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

const checkpointPath = (folder: string): string => join(folder, 'checkpoint');

/** Replaces the checkpoint: what it covers has to be on the disk before. */
export const publishCheckpoint = (folder: string, note: string): Promise<void> =>
  writeDurably(checkpointPath(folder), note, PUBLIC);

/** Writes tiles side by side; when one fails, throws once none is being written any more. */
export const writeTiles = async (folder: string, files: readonly TileFile[]): Promise<void> => {
  const written = await Promise.allSettled(
    files.map(({ path, bytes }) => writeDurably(join(folder, path), bytes, PUBLIC)),
  );
  for (const one of written) if (one.status === 'rejected') throw one.reason;
};

/** Drops the partial tiles whose full one a checkpoint covers now (C2SP tlog-tiles, "Partial Tiles"). */
export const dropPartials = async (folder: string, files: readonly TileFile[]): Promise<void> => {
  for (const { path, isFull } of files)
    if (isFull) await rm(join(folder, `${path}.p`), { recursive: true, force: true });
};

/** Whether a tile on the disk is not as it should be, or a full one still has partial ones beside it. */
const isStale = async (folder: string, { path, bytes, isFull }: TileFile): Promise<boolean> => {
  const held = await ifThere(readFile(join(folder, path)));
  if (held === null || !equalBytes(held, bytes)) return true;
  return isFull && (await ifThere(stat(join(folder, `${path}.p`)))) !== null;
};

/** A log, whole: journal, tiles and checkpoint are of the same records. */
export type Whole = { readonly journal: Journal; readonly tree: Tree; readonly checkpoint: string };

/** Grows the tree from the journal, and holds it to the checkpoint on the way; only then touches the disk, and mends journal and tiles. */
const replay = async (
  folder: string,
  journal: Journal,
  published: { size: number; root: Uint8Array },
  crypto: Crypto,
) => {
  const tree = createTree(crypto);
  const stale: TileFile[] = [];
  const compare = async (files: readonly TileFile[]): Promise<void> => {
    for (const file of files) if (await isStale(folder, file)) stale.push(file);
  };
  const hold = (): void => {
    if (tree.size === published.size && !equalBytes(tree.root(), published.root))
      throw new EnvironmentFault(`the journal of ${folder} holds other records than its checkpoint covers`);
  };
  hold();
  for (const hash of journal.scan()) {
    const full = tree.append(hash);
    hold();
    await compare(full);
  }
  if (tree.size < published.size)
    throw new EnvironmentFault(
      `line ${tree.size + 2} of the journal of ${folder} is damaged or lost, and its checkpoint covers ${published.size} records`,
    );
  await compare(tree.partials(0));
  await journal.cut();
  await writeTiles(folder, stale);
  await dropPartials(folder, stale);
  return tree;
};

/**
 * Takes the folder of a log, which this process has locked, and what signs a tree; returns it whole. What its checkpoint covers must be there, line for
 * line, else EnvironmentFault: a log that went on without it would fork. What the journal holds beyond was never acknowledged: whole lines are kept and
 * published, and what follows them is cut.
 */
export const recover = async (
  folder: string,
  origin: string,
  sign: (tree: Tree) => string,
  crypto: Crypto,
): Promise<Whole> => {
  const path = join(folder, 'journal');
  const note = await ifThere(readFile(checkpointPath(folder), 'utf8'));
  const published = note === null ? { size: 0, root: createTree(crypto).root() } : readCheckpoint(note, origin);
  if (published === null) throw new EnvironmentFault(`${checkpointPath(folder)} is no checkpoint of the log ${origin}`);
  if ((await ifThere(stat(path))) === null) {
    if (note !== null) throw new EnvironmentFault(`the log ${folder} has a checkpoint and no journal`);
    await writeDurably(path, journalHead(origin), PRIVATE);
  }
  const journal = await openJournal(path, origin, crypto);
  try {
    const tree = await replay(folder, journal, published, crypto);
    // The first checkpoint is published before the first record is taken.
    if (note === null && tree.size > 0) throw new EnvironmentFault(`the log ${folder} has records and no checkpoint`);
    const checkpoint = sign(tree);
    if (checkpoint !== note) await publishCheckpoint(folder, checkpoint);
    return { journal, tree, checkpoint };
  } catch (error) {
    await journal.close();
    throw error;
  }
};
