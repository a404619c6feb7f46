import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../../src/base/json-value.ts';
import { readJson } from '../../../src/base/read-json.ts';
import { sealed } from '../../support/seal.ts';

export type Files = { readonly bundle: Uint8Array; readonly receipt: Uint8Array; readonly trust: Uint8Array };

const SUFFIX = '.bundle.json';

/** The built pair, and every committed traces/NAME.bundle.json with its receipt under receipts/trust.json. */
export const pairs = (): readonly { readonly name: string; readonly files: Files }[] => [
  { name: 'built', files: sealed().files },
  ...readdirSync('traces')
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .sort()
    .map((name) => ({
      name,
      files: {
        bundle: new Uint8Array(readFileSync(`traces/${name}${SUFFIX}`)),
        receipt: new Uint8Array(readFileSync(`receipts/${name}.receipt.json`)),
        trust: new Uint8Array(readFileSync('receipts/trust.json')),
      },
    })),
];

/** A document that must be readable. */
export const documentOf = (bytes: Uint8Array, input: 'bundle' | 'receipt'): JsonObject => {
  const read = readJson(bytes, { input, recordAttributes: input === 'bundle' });
  if (!read.ok) throw new Error(JSON.stringify(read.refusals));
  return read.value as JsonObject;
};
