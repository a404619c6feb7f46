import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { FLEET_REASONS } from '../../src/fleet/reasons.ts';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { createVerifier } from '../../src/verify/verify.ts';
import { testSigner } from '../support/seal.ts';
import { DISTRUST, fleetOf, outFile, PROFILE, resultsIn, TRUST, tempFolder, verifyFolder, writePair } from './lab.ts';

const fits = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync('schemas/result.schema.json', 'utf8')));
const verdictsOf = (file: string) => resultsIn(file).map(({ verdict }) => verdict);

/** What the built bundle has that is no fault. */
const OBSERVED = 'ASRF_REFERENCE_NOT_DEREFERENCED';

/** Changes one letter of a record. */
const tamper = (folder: string, name: string): void => {
  const file = join(folder, `${name}.bundle.json`);
  writeFileSync(file, readFileSync(file, 'utf8').replace('Summarise', 'summarise'));
};

describe('results', () => {
  it('say what the verifier says of each pair, and fit the schema', async () => {
    const folder = fleetOf('a', 'b', 'c');
    tamper(folder, 'b');
    writeFileSync(join(folder, 'c.bundle.json'), '{');
    const out = outFile();
    const summary = await verifyFolder(folder, { out });
    const verifier = createVerifier(
      { profile: PROFILE, trust: TRUST, mode: 'full', otherProfile: false },
      nativeCrypto,
    );
    const results = resultsIn(out);
    for (const [at, name] of ['a', 'b', 'c'].entries()) {
      const [bundle, receipt] = ['bundle', 'receipt'].map((kind) => readFileSync(join(folder, `${name}.${kind}.json`)));
      const report = reportOf(verifier.verifyFiles({ bundle: bundle!, receipt: receipt! }));
      const { verdict, exit_code, signer_id, key_id, incident_id, issued_at, signature_accepted, records, edges } =
        report;
      expect(results[at]).toMatchObject({
        verdict,
        exit_code,
        signer_id,
        key_id,
        incident_id,
        issued_at,
        signature_accepted,
        records,
        edges,
        bundle: join(folder, `${name}.bundle.json`),
        bundle_sha256: report.inputs[0]?.sha256,
        reasons: Object.keys(report.reasons),
        detail: report.refusals[0]?.detail ?? null,
      });
      expect([fits(results[at]), fits.errors]).toEqual([true, null]);
    }
    expect(verdictsOf(out)).toEqual(['FORENSICALLY_CONSISTENT', 'INTEGRITY_REFUSED', 'COULD_NOT_CHECK']);
    expect(results.map(({ agents }) => agents.length > 0)).toEqual([true, false, false]);
    expect(summary).toMatchObject({ pairs: 3, selected: 3, known: 0, exit_code: 4, without_signer: 1 });
    expect(summary.verdicts).toMatchObject({ FORENSICALLY_CONSISTENT: 1, INTEGRITY_REFUSED: 1, COULD_NOT_CHECK: 1 });
    expect(summary.agents).toEqual(
      results[0]!.agents.map((agent) => ({
        agent,
        pairs: 1,
        verdicts: expect.objectContaining({ FORENSICALLY_CONSISTENT: 1, INTEGRITY_REFUSED: 0 }),
      })),
    );
  });
});

const MIB = 1024 * 1024;

describe('one bad pair is a result', () => {
  it('links in circles, folders, FIFOs, devices, huge files, holes of zeros, what is missing; and the pairs beside it go on', async () => {
    const folder = fleetOf('a', 'z');
    const bundle = (name: string): string => join(folder, `${name}.bundle.json`);
    for (const name of ['b', 'c', 'd', 'e', 'f', 'ff', 'h']) writeFileSync(join(folder, `${name}.receipt.json`), '{}');
    symlinkSync('b.bundle.json', bundle('b'));
    mkdirSync(bundle('c'));
    execFileSync('mkfifo', [bundle('d')]);
    symlinkSync('/dev/zero', bundle('e'));
    writeFileSync(bundle('f'), '{}');
    truncateSync(join(folder, 'f.receipt.json'), 600 * MIB);
    writeFileSync(bundle('ff'), '');
    truncateSync(bundle('ff'), 65 * MIB);
    writeFileSync(bundle('g'), '{}');
    const out = outFile();
    const summary = await verifyFolder(folder, { out });
    expect(resultsIn(out).map(({ verdict, reasons, detail }) => [verdict, reasons[0] ?? null, detail])).toEqual([
      ['FORENSICALLY_CONSISTENT', OBSERVED, null],
      ['COULD_NOT_CHECK', 'FILE_UNREADABLE', expect.stringContaining('too many symbolic links')],
      ['COULD_NOT_CHECK', 'FILE_UNREADABLE', expect.stringContaining('is not a regular file')],
      ['COULD_NOT_CHECK', 'FILE_UNREADABLE', expect.stringContaining('is not a regular file')],
      ['COULD_NOT_CHECK', 'FILE_UNREADABLE', expect.stringContaining('is not a regular file')],
      ['COULD_NOT_CHECK', 'FILE_UNREADABLE', expect.stringContaining('is larger than 511 MiB')],
      ['COULD_NOT_CHECK', 'READ_SYNTAX', 'a value is expected'],
      ['COULD_NOT_CHECK', 'PAIR_WITHOUT_RECEIPT', expect.stringContaining('g.bundle.json')],
      ['COULD_NOT_CHECK', 'PAIR_WITHOUT_BUNDLE', expect.stringContaining('h.receipt.json')],
      ['FORENSICALLY_CONSISTENT', OBSERVED, null],
    ]);
    expect(summary.exit_code).toBe(2);
  });

  it('names of strangers stay one line, and move no cursor', async () => {
    const name = 'a\n\u202e\x1b[2J';
    const folder = tempFolder();
    writePair(folder, name);
    const out = outFile();
    await verifyFolder(folder, { out });
    expect(readFileSync(out, 'utf8')).toMatch(/^[\x20-\x7e]+\n$/);
    expect(resultsIn(out)[0]).toMatchObject({ bundle: join(folder, `${name}.bundle.json`), exit_code: 0 });
  });

  it('nothing to verify is no pass', async () => {
    await expect(verifyFolder(tempFolder(), { out: outFile() })).rejects.toThrow('zero evidence is never a pass');
  });

  it('each code of a pair has a title', () => {
    for (const { title } of Object.values(FLEET_REASONS)) expect(title).not.toBe('');
    expect(Object.keys(FLEET_REASONS)).toContain('LIST_LINE_MALFORMED');
  });
});

describe('a selection', () => {
  it('writes, counts and judges what applies alone', async () => {
    const folder = fleetOf('a', 'b', 'c');
    tamper(folder, 'b');
    rmSync(join(folder, 'c.receipt.json'));
    const select = async (selection: {
      signers?: string[];
      keys?: string[];
      reasons?: ('RECORD_ALTERED' | 'PAIR_WITHOUT_RECEIPT')[];
    }) => {
      const out = outFile();
      const summary = await verifyFolder(folder, {
        out,
        selection: { signers: [], keys: [], reasons: [], ...selection },
      });
      return [verdictsOf(out), summary.exit_code, summary.selected];
    };
    const { key_id } = testSigner();
    expect(await select({ keys: [key_id] })).toEqual([['FORENSICALLY_CONSISTENT', 'INTEGRITY_REFUSED'], 4, 2]);
    expect(await select({ reasons: ['RECORD_ALTERED', 'PAIR_WITHOUT_RECEIPT'] })).toEqual([
      ['INTEGRITY_REFUSED', 'COULD_NOT_CHECK'],
      4,
      2,
    ]);
    expect(await select({ signers: ['signer-1'], reasons: ['PAIR_WITHOUT_RECEIPT'] })).toEqual([[], 3, 0]);
    expect(await select({ signers: ['nobody'] })).toEqual([[], 3, 0]);
  });

  it('finds everything that a compromised key signed', async () => {
    const folder = fleetOf('a', 'b');
    const out = outFile();
    const { key_id } = testSigner();
    const summary = await verifyFolder(folder, {
      out,
      by: { trust: DISTRUST, profile: { file: 'p.json', bytes: PROFILE } },
      selection: { signers: [], keys: [key_id], reasons: ['KEY_REVOKED_COMPROMISE'] },
    });
    expect([summary.selected, summary.exit_code, verdictsOf(out)]).toEqual([
      2,
      4,
      ['INTEGRITY_REFUSED', 'INTEGRITY_REFUSED'],
    ]);
  });
});
