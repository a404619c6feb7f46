import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SignerConfig } from './config.ts';

/** Where a path leads once its links are followed, as far as it is there. */
const realOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realOf(dirname(path)), basename(path));
  }
};

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** A write below its root must never reach what makes the signer: takes a configuration and its file; returns which action would, in words, or null. */
export const exposedBy = (config: Omit<SignerConfig, 'rules'>, file: string): string | null => {
  const own = [file, config.data_dir, config.socket, config.policy, ...config.identities.map((one) => one.token_file)];
  for (const action of config.actions) {
    if (action.does !== 'write') continue;
    const root = realOf(action.root);
    const reached = own.find((path) => isWithin(realOf(path), root));
    const around = isWithin(root, realOf(config.data_dir)) ? config.data_dir : undefined;
    const met = reached ?? around;
    if (met !== undefined) return `the action ${action.name} would write where the signer has ${met}`;
  }
  return null;
};
