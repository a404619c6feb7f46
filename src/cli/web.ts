import { existsSync, readFileSync } from 'node:fs';
import type { Face } from '../report/face.ts';
import { htmlOf, verifierPage } from '../report/html/html.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { writeWhole } from '../store/files.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { packageFile } from '../store/package-file.ts';
import { EXIT, UsageFault } from './exit.ts';
import { emit } from './output.ts';

/** The script of a page, as the build left it: it is no source, and a checkout that was never built has none. */
const pageScript = (): string => {
  const file = packageFile('dist/web/page.js');
  if (!existsSync(file))
    throw new EnvironmentFault(`there is no ${file}, the script of the page`, ['npm run build makes it']);
  return readFileSync(file, 'utf8');
};

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

/** `forensictrace report --format html`. */
export const htmlFace: Face = ({ report, intact, files, crypto }) =>
  htmlOf({ report, intact, files, script: pageScript(), base64 }, crypto);

export type WebOptions = { readonly out: string };

/** `forensictrace web`: writes the empty verifier page, to standard output where `out` is `-`. Overwrites nothing. */
export const runWeb = ({ out }: WebOptions): number => {
  const page = verifierPage(pageScript(), nativeCrypto);
  if (out === '-') {
    for (const piece of page) emit(piece);
    return EXIT.CONSISTENT;
  }
  if (existsSync(out)) throw new UsageFault(`${out} exists and is not overwritten; name another file with --out`);
  writeWhole(out, page);
  return EXIT.CONSISTENT;
};
