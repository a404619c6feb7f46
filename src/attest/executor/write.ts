import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import * as z from 'zod';
import type { ActionConfig } from '../config-shape.ts';
import { forbidden, invalid } from '../refused.ts';
import { paramsOf } from '../shape.ts';
import type { Action, Outcome } from './action.ts';

const Args = z.strictObject({ file_path: z.string().min(1).max(4096), content: z.string() });

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** The parts below the root, of a path that says nothing in two ways. */
const partsBelow = (path: string, root: string): readonly string[] => {
  if (path.includes('\0')) throw invalid('/args/file_path: a path holds no NUL');
  const parts = path.split('/').slice(1);
  if (!path.startsWith('/') || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw invalid('/args/file_path: a path is absolute, without empty parts, . and ..');
  if (!path.startsWith(`${root}/`))
    throw forbidden(`the executor writes below ${root}, and ${JSON.stringify(path)} is not there`);
  return path.slice(root.length + 1).split('/');
};

const within = (folder: FileHandle, name: string): string => `/proc/self/fd/${folder.fd}/${name}`;

/** Opens one folder after another below the root, none through a link: a link that the agent laid would lead to the signer's own files. */
const folderOf = async (root: string, parts: readonly string[]): Promise<FileHandle> => {
  let folder = await open(root, constants.O_RDONLY | constants.O_DIRECTORY);
  for (const part of parts) {
    const above = folder;
    try {
      folder = await open(within(above, part), FOLDER);
    } finally {
      await above.close();
    }
  }
  return folder;
};

/** Writes beside and renames: a link of that name is replaced, not followed, and no reader sees half a file. */
const replace = async (folder: FileHandle, name: string, content: string): Promise<void> => {
  const temporary = within(folder, `.${randomBytes(8).toString('hex')}.tmp`);
  const file = await open(temporary, NEW_FILE, 0o644);
  try {
    await file.writeFile(content);
    await file.sync();
    await rename(temporary, within(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
};

const execute = async (root: string, parts: readonly string[], content: string): Promise<Outcome> => {
  try {
    const folder = await folderOf(root, parts.slice(0, -1));
    try {
      await replace(folder, parts.at(-1)!, content);
    } finally {
      await folder.close();
    }
    return { ok: true, seen: {}, told: {} };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { ok: false, seen: {}, told: { why: `the file was not written: ${code}` } };
  }
};

/** Writes a whole file below the root of the configuration; its folder must be there. Args: `file_path`, absolute, and `content`. */
export const writeAction = ({ root }: ActionConfig & { does: 'write' }): Action => ({
  prepare: (args) => {
    const { file_path, content } = paramsOf(Args, args);
    const parts = partsBelow(file_path, root);
    return () => execute(root, parts, content);
  },
});
