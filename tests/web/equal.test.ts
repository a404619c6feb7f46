import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { jsonText } from '../../src/report/json.ts';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';
import { sealedFiles } from '../support/pair.ts';
import { editDigests, type Pair, type ReportText, reportDigests } from './bulk.ts';
import { committed, type Files, inChromium, type Opened } from './chromium.ts';

const text = (files: Files): Pair => {
  const of = (role: keyof Files): string => Buffer.from(files[role]).toString();
  return { bundle: of('bundle'), receipt: of('receipt'), profile: of('profile'), trust: of('trust') };
};

const namesOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.bundle.json'))
    .map((name) => name.slice(0, -'.bundle.json'.length));

const TRACES = namesOf('traces').map((name) => text(committed(name)));
const EXPERIMENTS = [
  ...namesOf('traces/experiment').map((name) => text(committed(name, 'experiment'))),
  ...namesOf('traces/experiment-python').map((name) => text(committed(name, 'experiment-python', 'experiment-v03'))),
];

/** As `forensictrace verify --json` writes it, and with the same crypto. */
const here: ReportText = (files) =>
  jsonText(reportOf(verify({ ...files, mode: 'full', otherProfile: false }, nativeCrypto)));

/** Has `bulk.ts` run in the page, with the function that the page itself calls; returns once it runs, so that both sides compute at a time. */
const begun = async (opened: Opened, name: keyof typeof import('./bulk.ts'), pairs: readonly Pair[]) => {
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
  const digests = page.evaluate(
    ([called, given]) => {
      const { bulk, forensictrace } = globalThis as unknown as {
        bulk: Record<string, (pairs: readonly Pair[], report: ReportText) => string[]>;
        forensictrace: { jsonReport: ReportText };
      };
      return bulk[called]!(given, forensictrace.jsonReport);
    },
    [name, pairs] as const,
  );
  await setTimeout(100);
  return { digests };
};

inChromium('the JSON report of the browser', (opened) => {
  it('is that of the command on every committed bundle', async () => {
    const pairs = [...TRACES, ...EXPERIMENTS];
    expect(pairs.length).toBe(12 + 240 + 24);
    const { digests } = await begun(opened, 'reportDigests', pairs);
    const expected = reportDigests(pairs, here);
    expect(await digests).toEqual(expected);
  }, 300_000);

  it('is that of the command on every kind of single edit of bundle and receipt', async () => {
    const pairs = [text(sealedFiles()), ...TRACES];
    const { digests } = await begun(opened, 'editDigests', pairs);
    const expected = editDigests(pairs, here);
    expect(expected.length).toBeGreaterThan(800);
    expect(await digests).toEqual(expected);
  }, 300_000);
});
