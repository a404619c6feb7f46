import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { EnvironmentFault } from '../../src/index.ts';

/** The text of a document as it is written: two spaces, a line end. */
export const documentText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** Writes a file whole or not at all. */
export const writeWhole = (path: string, text: string): void => {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, 'w', 0o644);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
};

/**
 * Writes a document that is fixed before the first run; when it is there already, it must be the same. Throws EnvironmentFault when it is
 * another: runs of different settings are never mixed.
 */
export const writeOnce = (path: string, document: object): void => {
  const text = documentText(document);
  if (!existsSync(path)) writeWhole(path, text);
  else if (readFileSync(path, 'utf8') !== text)
    throw new EnvironmentFault(`${path} is of an experiment with other settings`, [
      'Name another folder, or another --name',
    ]);
};
