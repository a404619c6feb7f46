import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withVenue } from '../../harness/demo/demo.ts';
import { runPlay, verifyRun } from '../../harness/demo/run.ts';
import { PLAYS, type Play } from '../../harness/demo/scenarios.ts';
import { tracesReadme } from '../../harness/demo/traces-readme.ts';
import { readDocuments } from '../../harness/documents.ts';
import type { Bundle } from '../../src/evidence/bundle.ts';
import { COLLECTIONS } from '../../src/evidence/collections.ts';
import type { Report } from '../../src/report/model.ts';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';

const documents = readDocuments();

const committed = ({ name }: Play): { readonly bundle: Uint8Array; readonly report: Report } => {
  const bundle = readFileSync(`traces/${name}.bundle.json`);
  const receipt = readFileSync(`receipts/${name}.receipt.json`);
  const outcome = verify(
    {
      bundle,
      receipt,
      profile: readFileSync('profiles/experiment.json'),
      trust: readFileSync('receipts/trust.json'),
      families: documents.families,
      settings: Buffer.from('{}'),
      mode: 'full',
      otherProfile: false,
    },
    nativeCrypto,
  );
  return { bundle, report: reportOf(outcome) };
};

/** What two captures of one scenario have in common. */
const shapeOf = (bundle: Uint8Array, { verdict, findings, families }: Report) => {
  const { edges, ...records } = JSON.parse(Buffer.from(bundle).toString()) as Bundle;
  const relations = new Map<string, number>();
  for (const { relation } of edges) relations.set(relation, (relations.get(relation) ?? 0) + 1);
  return {
    verdict,
    findings: findings.map(({ reason, affected }) => [reason, affected.type]),
    families,
    records: Object.fromEntries(COLLECTIONS.map((collection) => [collection, records[collection].length])),
    relations: Object.fromEntries(relations),
  };
};

const fresh = new Map<string, ReturnType<typeof shapeOf>>();
const folder = mkdtempSync(join(tmpdir(), 'forensictrace-traces-test-'));
beforeAll(() =>
  withVenue(folder, async (venue) => {
    for (const play of PLAYS) {
      const run = await runPlay(play, venue);
      fresh.set(play.name, shapeOf(readFileSync(run.evidence.bundle), verifyRun(run, venue)));
    }
  }),
);
afterAll(() => rmSync(folder, { recursive: true }));

test.each(PLAYS)('$name as committed has the verdict and shape of a fresh capture', (play) => {
  const { bundle, report } = committed(play);
  expect(shapeOf(bundle, report)).toEqual(fresh.get(play.name));
});

test.each(PLAYS)('$name holds one record or edge per line', (play) => {
  const { bundle, report } = committed(play);
  const lines = Buffer.from(bundle).toString().split('\n');
  const rows = lines.filter((line) => line.startsWith('{"') && !line.startsWith('{"format"'));
  expect(rows.length).toBe((report.records ?? 0) + (report.edges ?? 0));
  for (const row of rows) expect(() => JSON.parse(row.replace(/,$/, '')) as unknown).not.toThrow();
});

test('the page beside the traces is the one that the definitions give', () => {
  expect(readFileSync('traces/README.md', 'utf8')).toBe(tracesReadme(documents));
});

test('there is a receipt for every trace of the demo, and no private key', () => {
  for (const { name } of PLAYS) {
    expect(readdirSync('traces')).toContain(`${name}.bundle.json`);
    expect(readdirSync('receipts')).toContain(`${name}.receipt.json`);
  }
  for (const place of ['traces', 'receipts']) {
    const files = readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of files) expect(readFileSync(join(place, name), 'latin1')).not.toContain('PRIVATE KEY');
  }
});
