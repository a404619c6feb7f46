import { describe, expect, it } from 'vitest';
import { REPORT_FORMATS, type ReportFormat } from '../../src/cli/report-formats.ts';
import type { Told } from '../../src/report/face.ts';
import { PLAIN } from '../../src/report/layout.ts';
import { hostile, SAMPLES } from './told.ts';

/** HTML is a page of its own kind, with tests of its own in a browser. */
const FORMATS = (Object.keys(REPORT_FORMATS) as ReportFormat[]).filter((format) => format !== 'html');

const write = async (format: ReportFormat, told: Told): Promise<string> =>
  [...(await REPORT_FORMATS[format]())(told, PLAIN)].join('');
/** Words that stand in the records of every sample, and in no refusal. */
const OF_RECORDS = /worker\.example|Planner|endpoint-worker|invocation-1|Summary/;

describe.each(FORMATS)('the face %s', (format) => {
  it.each(Object.entries(SAMPLES))(
    'of %s tells the verdict and every reason, and is the same each time',
    async (_, make) => {
      const told = make();
      const text = await write(format, told);
      expect(text).toContain(told.report.verdict);
      const reasons = [...told.report.refusals, ...told.report.findings, ...told.report.verdict_reasons].map(
        ({ reason }) => reason,
      );
      for (const reason of reasons) expect(text).toContain(reason);
      expect(await write(format, told)).toBe(text);
    },
  );

  it.each(['altered', 'not signed by a trusted key', 'no JSON', 'no trust store'])(
    'of %s shows no record',
    async (name) => {
      expect(await write(format, SAMPLES[name]!())).not.toMatch(OF_RECORDS);
    },
  );

  it('of a bundle full of hostile text has no character that a terminal obeys, and does not grow with it', async () => {
    const text = await write(format, hostile());
    expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text.replaceAll('\n', ''))).toBe(false);
    expect(text.length).toBeLessThan(100_000);
  });
});

it.each(['timesketch', 'otlp'] as const)(
  'the face %s shows the records of what is intact, so the words looked for are there',
  async (format) => {
    for (const name of ['consistent', 'root-only', 'another profile'])
      expect(await write(format, SAMPLES[name]!())).toMatch(OF_RECORDS);
  },
);
