import { readdirSync } from 'node:fs';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { jsonText } from '../../src/report/json.ts';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';
import type { Pair, ReportText } from './bulk.ts';
import { committed, type Files, type Opened } from './chromium.ts';

export const textsOf = (files: Files): Pair => {
  const of = (role: keyof Pair): string => Buffer.from(files[role]).toString();
  return { bundle: of('bundle'), receipt: of('receipt'), profile: of('profile'), trust: of('trust') };
};

export const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.bundle.json'))
    .map((name) => name.slice(0, -'.bundle.json'.length));

/** The committed pairs: a condition and a matched control of each family. */
export const traces = (): Pair[] => namesIn('traces').map((name) => textsOf(committed(name)));

/** As `forensictrace verify --json` writes it, and with the same crypto. */
export const reportHere: ReportText = (files) =>
  jsonText(reportOf(verify({ ...files, mode: 'full', otherProfile: false }, nativeCrypto)));

/** A verifier page that has `bulk.ts` beside the function that the page itself calls. */
export const bulkPage = async (opened: Opened): Promise<Page> => {
  const { outputFiles } = await build({
    entryPoints: ['tests/web/bulk.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'bulk',
    platform: 'browser',
  });
  const { page } = await opened.open(opened.verifierPage());
  await page.evaluate(`${outputFiles[0]!.text}; globalThis.bulk = bulk; undefined`);
  return page;
};

export type InPage = {
  readonly bulk: typeof import('./bulk.ts');
  readonly forensictrace: { readonly jsonReport: ReportText };
};
