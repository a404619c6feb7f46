import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { jsonText } from '../../src/report/json.ts';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';
import { committed, type Files, inChromium, statesOf } from './chromium.ts';

const given = (files: Files, ...roles: readonly ('bundle' | 'receipt' | 'profile' | 'trust')[]) =>
  roles.map((role) => ({
    name: `${role}-of-somebody.json`,
    mimeType: 'application/json',
    buffer: Buffer.from(files[role]),
  }));

const reportOn = (files: Files): string =>
  jsonText(reportOf(verify({ ...files, mode: 'full', otherProfile: false }, nativeCrypto)));

inChromium('the verifier page', (opened) => {
  it('takes the four files in any order, tells each by its content, and saves the report of the command', async () => {
    const files = committed('cc-0aa2');
    const { page, requests, complaints } = await opened.open(opened.verifierPage());
    const verifyButton = page.getByRole('button', { name: 'Verify', exact: true });
    await page.locator('#any').setInputFiles(given(files, 'trust', 'profile', 'bundle'));
    await page.locator('#given', { hasText: 'bundle-of-somebody.json' }).waitFor();
    expect(await verifyButton.isDisabled()).toBe(true);
    await page.locator('#any').setInputFiles(given(files, 'receipt'));
    await page.locator('#given', { hasText: 'receipt-of-somebody.json' }).waitFor();
    await verifyButton.click();
    await page.locator('#said', { hasText: 'FORENSICALLY_INDICATED' }).waitFor();
    expect(await statesOf(page)).toEqual(['verified', 'verified', 'open', 'found']);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save report.json' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toBe(reportOn(files));
    expect(requests.filter((url) => !url.startsWith('blob:'))).toHaveLength(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('takes a page of a report, whatever that page says and does', async () => {
    const files = committed('as-1f49');
    const forged = opened.reportPage(files).replaceAll('Not checked by you', () => 'Signed by a key you trust');
    const { page, complaints } = await opened.open(opened.verifierPage());
    await page
      .locator('#any')
      .setInputFiles([
        { name: 'report.html', mimeType: 'text/html', buffer: Buffer.from(forged) },
        ...given(files, 'trust'),
      ]);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.locator('#said', { hasText: 'FORENSICALLY_CONSISTENT' }).waitFor();
    expect(await page.locator('#inputs').textContent()).toContain(nativeCrypto.sha256Hex(files.bundle));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('says of a file that it is none of the four, and takes it where it was put', async () => {
    const files = committed('as-1f49');
    const { page } = await opened.open(opened.verifierPage());
    await page
      .locator('#any')
      .setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }]);
    await page.locator('#said', { hasText: 'Not recognised: notes.txt' }).waitFor();
    await page.locator('#any').setInputFiles(given(files, 'bundle', 'receipt', 'profile'));
    await page
      .locator('#file-trust')
      .setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }]);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.locator('#said', { hasText: 'COULD_NOT_CHECK' }).waitFor();
    expect(await statesOf(page)).toEqual(['open', 'refused', 'open', 'open']);
    await page.context().close();
  });
});
