import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { main } from '../../src/cli/program.ts';
import type { Report } from '../../src/report/model.ts';
import { runMain } from '../support/run-main.ts';
import { FILES, forgedTrace } from '../verify/pcm-lab.ts';

const folder = mkdtempSync(join(tmpdir(), 'forensictrace-pcm-trace-'));
const file = (name: string, bytes: Uint8Array): string => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
const { files } = forgedTrace();
const [bundle, receipt, profile, trust] = (['bundle', 'receipt', 'profile', 'trust'] as const).map((name) =>
  file(`${name}.json`, files[name]),
);
const PCM_TRUST = file('pcm-trust.json', FILES.trust);
const SCHEMA = file('pay.json', FILES.schemas[0]!.bytes);

/** Runs a command in this process. */
const run = (...args: readonly string[]) => runMain(main, args);

const verify = (...more: readonly string[]) => run('verify', bundle!, receipt!, profile!, '--trust', trust!, ...more);

it('verify judges the messages of a trace under the keys that it is given, and else lists them', async () => {
  const given = await verify('--pcm-trust', PCM_TRUST, '--pcm-schema', SCHEMA, '--json');
  const report = JSON.parse(given.stdout) as Report;
  expect([given.code, report.findings.map(({ reason }) => reason)]).toEqual([1, ['PCM_TRACE_REJECTED']]);
  expect(report.inputs.map(({ input }) => input)).toContain('pcm-schemas/pay.json');
  const without = await verify();
  expect(without.code).toBe(0);
  expect(without.stdout).toMatch(/Proof-carrying messages in 1 part of requests: not checked/);
});

it('verify takes no schema without keys, and no document that is not there', async () => {
  expect(await verify('--pcm-schema', SCHEMA)).toMatchObject({ code: 2, stdout: '' });
  const missing = await verify('--pcm-trust', join(folder, 'none.json'));
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot read the trust document of PCM')]);
  expect(await verify('--pcm-trust', PCM_TRUST, '--json', '--out', PCM_TRUST)).toMatchObject({ code: 2 });
});

it('verify-all judges them too, under the same options', async () => {
  writeFileSync(join(folder, 'pairs.tsv'), [bundle, receipt, profile].join('\t'));
  const all = (...more: readonly string[]) =>
    run('verify-all', `@${join(folder, 'pairs.tsv')}`, '--trust', trust!, '--jobs', '1', ...more);
  const { code, stdout } = await all('--pcm-trust', PCM_TRUST, '--pcm-schema', SCHEMA, '--json');
  expect([code, JSON.parse(stdout).reasons]).toEqual([
    1,
    expect.arrayContaining([expect.objectContaining({ reason: 'PCM_TRACE_REJECTED', pairs: 1 })]),
  ]);
  expect(await all('--pcm-schema', SCHEMA)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--pcm-schema is read with --pcm-trust alone'),
  });
});
