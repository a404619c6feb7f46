import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, test } from 'vitest';
import { REASONS } from '../../src/base/reasons.ts';
import { VERSION } from '../../src/base/version.ts';
import { exitCodeOf } from '../../src/report/exit-code.ts';
import { Report } from '../../src/report/model.ts';
import { reportOf } from '../../src/report/report.ts';
import { textOf } from '../../src/report/text.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { MODES, VERDICTS } from '../../src/verify/outcome.ts';
import { verify } from '../../src/verify/verify.ts';
import { asObject, buildBundle, bytesOf } from '../support/bundle.ts';
import { pinningProfile, sealedFiles } from '../support/pair.ts';
import { testSigner, trustDocument, trustKey } from '../support/seal.ts';

type Files = ReturnType<typeof sealedFiles>;

const reported = (changed: Partial<Files> = {}, mode: (typeof MODES)[number] = 'full', files: Files = sealedFiles()) =>
  reportOf(verify({ ...files, ...changed, mode, otherProfile: false }, nativeCrypto));

const altered = (from: string, to: string): Uint8Array =>
  Buffer.from(Buffer.from(sealedFiles().bundle).toString().replace(from, to));

/** One report of each verdict, and of each mode. */
const samples = (): readonly Report[] => {
  const open = buildBundle();
  const metadata = (open.trace_metadata as unknown as { ended: string }[])[0];
  const cut = asObject({ ...open, trace_metadata: [{ ...metadata, ended: 'incomplete' }] });
  return [
    ...MODES.map((mode) => reported({}, mode)),
    reported({ bundle: new Uint8Array() }),
    reported({ bundle: altered('Summarise', 'summarise') }),
    reported({ trust: bytesOf(trustDocument(trustKey(2))) }),
    reported({ profile: bytesOf({ ...pinningProfile(), description: 'edited' }) }),
    reported({}, 'full', sealedFiles(cut)),
  ];
};

describe('the report', () => {
  it('fits its published schema, whatever the verdict', () => {
    const validate = new Ajv2020({ strict: false }).compile(
      JSON.parse(readFileSync('schemas/report.schema.json', 'utf8')),
    );
    const verdicts = samples().map((report) => {
      expect([validate(JSON.parse(JSON.stringify(report))), validate.errors]).toEqual([true, null]);
      expect(Report.safeParse(report).success).toBe(true);
      return report.verdict;
    });
    expect(new Set(verdicts)).toEqual(new Set(VERDICTS.filter((verdict) => verdict !== 'FORENSICALLY_INDICATED')));
  });

  it('carries an exit code that follows from the verdict alone', () => {
    expect(Object.fromEntries(VERDICTS.map((verdict) => [verdict, exitCodeOf(verdict)]))).toEqual({
      COULD_NOT_CHECK: 2,
      INTEGRITY_REFUSED: 4,
      NOT_PROFILE_ADMISSIBLE: 5,
      FORENSICALLY_INDICATED: 1,
      INCONCLUSIVE: 3,
      FORENSICALLY_CONSISTENT: 0,
      INTEGRITY_VERIFIED: 0,
    });
    for (const report of samples()) expect(report.exit_code).toBe(exitCodeOf(report.verdict));
  });

  it('explains every code that it carries', () => {
    for (const report of samples()) {
      const used = [
        ...report.refusals,
        ...report.verdict_reasons,
        ...report.findings,
        ...report.inconclusive,
        ...report.observations,
      ].map(({ reason }) => reason);
      expect(Object.keys(report.reasons)).toEqual([...new Set(used)].sort());
    }
  });

  it('names the digest of every input as received', () => {
    const files = sealedFiles();
    expect(reported().inputs).toEqual(
      (['bundle', 'receipt', 'profile', 'trust'] as const).map((input) => ({
        input,
        sha256: nativeCrypto.sha256Hex(files[input]),
        size: files[input].length,
      })),
    );
  });

  it('repeats no more of a claim than tells it apart', () => {
    const receipt = JSON.parse(new TextDecoder().decode(sealedFiles().receipt));
    receipt.body.incident_id = 'x'.repeat(1_000_000);
    const refused = reported({ receipt: bytesOf(receipt) });
    expect([refused.verdict, JSON.stringify(refused).length < 100_000]).toEqual(['INTEGRITY_REFUSED', true]);
  });

  it('calls what a receipt says a claim when its signature was not accepted', () => {
    const refused = reported({ trust: bytesOf(trustDocument(trustKey(2))) });
    expect([refused.signature_accepted, refused.incident_id]).toEqual([false, 'incident-1']);
    for (const claimed of ['incident-1', 'signer-1', testSigner().key_id]) {
      expect(textOf(refused).replace(/\n +/g, ' ')).toMatch(
        new RegExp(`${claimed} +\\(claimed: the signature was not accepted\\)`),
      );
    }
  });
});

const HOSTILE = '\u001b]0;owned\u0007\u202e<b>\u0000\u009b31m\r\n\u2028';

const planted = (value: unknown, key = ''): unknown => {
  if (typeof value === 'string')
    return ['verdict', 'status', 'stage', 'level', 'reason'].includes(key) ? value : value + HOSTILE;
  if (Array.isArray(value)) return value.map((item) => planted(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, planted(member, name)]));
};

test('no text of evidence reaches the terminal with a control, bidi or separator character', () => {
  for (const report of samples()) {
    const text = textOf(planted(report) as Report);
    expect(text).toContain('\\x1b]0;owned\\x07\\u{202e}');
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});

test('warnings are counted in the verdict line and stand before what could not be judged', () => {
  const report = reported();
  const note = report.observations[0]!;
  const reasons = { ...report.reasons, [note.reason]: { ...report.reasons[note.reason]!, level: 'warning' } };
  const text = textOf({ ...report, reasons, inconclusive: [note] });
  expect(text.split('\n')[0]).toBe('FORENSICALLY_CONSISTENT  1 warning, 1 record not judged, 6 of 6 families observed');
  expect(text.indexOf('\nWarnings\n')).toBeLessThan(text.indexOf('\nCould not be judged\n'));
});

test('the version is that of the package', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(VERSION);
});

test('every entry of the reason registry is complete, and its texts end as sentences', () => {
  for (const [code, entry] of Object.entries(REASONS)) {
    expect(code).toMatch(/^[A-Z][A-Z0-9_]*$/);
    for (const text of [entry.means, entry.not, entry.next, entry.falsePositives])
      expect([code, text]).toEqual([code, expect.stringMatching(/\.$/)]);
    for (const id of entry.techniques)
      expect([code, id]).toEqual([code, expect.stringMatching(/^(AML\.T\d{4}(\.\d{3})?|ASI\d\d|CWE-\d+)$/)]);
    expect([code, entry.level === 'finding' && entry.techniques.length === 0]).toEqual([code, false]);
  }
});

test('a page shows a hundred entries of a kind and says how many more the JSON report holds', () => {
  const report = reported();
  const note = report.observations[0]!;
  const text = textOf({ ...report, observations: Array.from({ length: 250 }, () => note) });
  expect(text.split(note.reason)).toHaveLength(101);
  expect(text).toContain('… and 150 more, all in the JSON report (--json)');
});
