import { describe, expect, it } from 'vitest';
import type { Face } from '../../src/report/face.ts';
import { intactOf } from '../../src/report/face.ts';
import { htmlOf } from '../../src/report/html/html.ts';
import { junit } from '../../src/report/junit.ts';
import { PLAIN } from '../../src/report/layout.ts';
import { otlp } from '../../src/report/otlp/otlp.ts';
import { reportOf } from '../../src/report/report.ts';
import { sarif } from '../../src/report/sarif/sarif.ts';
import { textOf } from '../../src/report/text.ts';
import { timesketch } from '../../src/report/timesketch.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { forgedTrace } from '../verify/pcm-lab.ts';

const { files, outcome } = forgedTrace();
const report = reportOf(outcome);
const told = { report, files, intact: intactOf(outcome, files.bundle), bundleUri: 'b.json', crypto: nativeCrypto };

const FACES: Readonly<Record<string, Face>> = {
  text: ({ report: one }, paint) => [textOf(one, paint)],
  sarif,
  junit,
  timesketch,
  otlp,
  html: (all) => htmlOf({ ...all, script: '', base64: () => '' }, nativeCrypto),
};

describe.each(Object.entries(FACES))('%s', (_, face) => {
  it('tells what a proof-carrying message is held against', () => {
    const text = [...face(told, PLAIN)].join('');
    expect(text).toContain('PCM_TRACE_REJECTED');
    expect(text).toContain('did not sign this');
  });
});

it('names the family with the others, where families are listed', () => {
  const text = (face: string): string => [...FACES[face]!(told, PLAIN)].join('');
  expect(text('text')).toMatch(/^ {2}PCM {3}proof-carrying messages +INDICATED +1 record to judge$/m);
  expect(JSON.parse(text('sarif'))).toMatchObject({ runs: [{ properties: { families: { PCM: 'INDICATED' } } }] });
  expect(text('html')).toContain('<th scope="row">PCM</th><td>proof-carrying messages</td>');
  expect(text('junit')).toContain('PCM');
});
