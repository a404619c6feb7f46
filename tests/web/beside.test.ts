import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { bytesOf, keyOf } from '../pcm/lab.ts';
import { FILES, forgedTrace } from '../verify/pcm-lab.ts';
import { checkWith, committed, type Files, inChromium, statesOf } from './chromium.ts';
import { reportHere } from './equal.ts';

const families = readdirSync('families')
  .sort()
  .map((name) => ({ name, bytes: readFileSync(`families/${name}`) }));
const trace = committed('asrf-1d44');
const incident: string = JSON.parse(readFileSync('receipts/asrf-1d44.receipt.json', 'utf8')).body.incident_id;
const messages: Files = { ...forgedTrace().files, pcm: FILES };

const GIVEN: Readonly<Record<string, Files>> = {
  'family definitions and the right incident': { ...trace, families, expectedIncident: incident },
  'another incident': { ...trace, expectedIncident: '<b>another</b>' },
  'a settings document that the receipt does not name': { ...trace, settings: bytesOf({ a: 1 }) },
  'keys of logs and schemas': messages,
  'keys of logs alone': { ...messages, pcm: { ...FILES, schemas: [] } },
};

const saved = async (page: Page): Promise<string> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save report.json' }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
};

const file = (name: string, bytes: Uint8Array) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(bytes),
});

inChromium('what verify is given beside evidence and trust', (opened) => {
  it('makes a difference to each report', () => {
    const without = ({ bundle, receipt, profile, trust }: Files) => reportHere({ bundle, receipt, profile, trust });
    for (const files of Object.values(GIVEN)) expect(reportHere(files)).not.toBe(without(files));
    expect(reportHere(GIVEN['family definitions and the right incident']!)).not.toContain('give --families');
    expect(reportHere(messages)).toContain('PCM_TRACE_REJECTED');
  });

  it.each(Object.entries(GIVEN))(
    '%s: the page, and a verifier that is given the page, report as the command',
    async (_, files) => {
      const html = opened.reportPage(files);
      const { page, complaints } = await opened.open(html);
      await checkWith(page, files.trust);
      expect(await saved(page)).toBe(reportHere(files));
      expect(await page.locator('#said').textContent()).toMatch(
        files.pcm ? /keys of logs that this page brought/ : /^Verified in this browser: [A-Z_]+\.$/,
      );
      await page.context().close();

      const verifier = await opened.open(opened.verifierPage());
      const report = { name: 'report.html', mimeType: 'text/html', buffer: Buffer.from(html) };
      await verifier.page.locator('#any').setInputFiles([report, file('trust.json', files.trust)]);
      await verifier.page.locator('#given', { hasText: 'trust.json' }).waitFor();
      await verifier.page.getByRole('button', { name: 'Verify', exact: true }).click();
      await verifier.page.locator('#said', { hasText: 'Verified' }).waitFor();
      expect(await saved(verifier.page)).toBe(reportHere(files));
      expect([...complaints, ...verifier.complaints]).toEqual([]);
      await verifier.page.context().close();
    },
  );

  it('judges messages by the keys that the reader chooses instead', async () => {
    const { page } = await opened.open(opened.reportPage(messages));
    const other = bytesOf({ logs: [keyOf(77, 'log.other.example/a').vkey] });
    await page.locator('#logs-file').setInputFiles([file('mine.json', other)]);
    await checkWith(page, messages.trust);
    expect(await saved(page)).toBe(reportHere({ ...messages, pcm: { ...FILES, trust: other } }));
    expect(await page.locator('#said').textContent()).not.toContain('this page brought');
    await page.context().close();
  });

  it('is told by its content where it can be, else put in its place, and can be taken out again', async () => {
    const all: Files = { ...messages, families, settings: bytesOf({ a: 1 }), expectedIncident: 'inc-7' };
    const { page } = await opened.open(opened.verifierPage());
    await page
      .locator('#any')
      .setInputFiles([
        ...families.toReversed().map(({ name, bytes }) => file(name, bytes)),
        file('b.json', all.bundle),
        file('r.json', all.receipt),
        file('p.json', all.profile),
        file('t.json', all.trust),
        ...FILES.schemas.map(({ name, bytes }) => file(name, bytes)),
      ]);
    await page.locator('#given', { hasText: 'pay.json' }).waitFor();
    const verify = page.getByRole('button', { name: 'Verify', exact: true });
    await verify.click();
    await page.locator('#said', { hasText: 'Schemas of intents are read with keys of logs alone' }).waitFor();
    await page.locator('#any').setInputFiles([file('logs.json', FILES.trust)]);
    await page.locator('#given', { hasText: 'logs.json' }).waitFor();
    await page.locator('#file-settings').setInputFiles([file('settings.json', all.settings!)]);
    await page.locator('#incident').fill('inc-7');
    await verify.click();
    await page.locator('#said', { hasText: 'Verified' }).waitFor();
    expect(await saved(page)).toBe(reportHere(all));

    for (const name of ['family definitions', 'settings'])
      await page.getByRole('button', { name: `Remove the ${name}` }).click();
    await page.locator('#incident').fill('');
    await verify.click();
    await page.locator('#statements', { hasText: 'PCM_TRACE_REJECTED' }).waitFor();
    expect(await saved(page)).toBe(reportHere(messages));
    expect(await statesOf(page)).toEqual(['verified', 'verified', 'open', 'found']);
    await page.context().close();
  });
});
