import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';
import { bytesOf } from '../support/bundle.ts';
import { trustDocument } from '../support/seal.ts';
import { checkWith, committed, type Files, inChromium, statesOf, withOneByteChanged } from './chromium.ts';

const CONDITIONS = [
  ...readFileSync('traces/README.md', 'utf8').matchAll(/^\| `([a-z]+-[0-9a-f]{4})` \|.*\| condition \|/gm),
].map(([, name]) => name!);
const NAMES = ['Integrity', 'Authenticity', 'Time', 'Findings'];

inChromium('the page of a committed condition', (opened) => {
  it('is tried of all six families', () => {
    expect(CONDITIONS).toHaveLength(6);
  });

  it.each(CONDITIONS)('%s: four banners, the affected record, a jump to it, no request, no complaint', async (name) => {
    const files = committed(name);
    const [finding] = reportOf(verify({ ...files, mode: 'full', otherProfile: false }, nativeCrypto)).findings;
    const { page, requests, complaints } = await opened.open(opened.reportPage(files));
    expect(await page.locator('.banner h2').allTextContents()).toEqual(NAMES);
    expect(await statesOf(page)).toEqual(['claimed', 'claimed', 'open', 'found']);
    expect(await page.locator('#authenticity').textContent()).toContain('worth nothing');

    const { type, id } = finding!.affected;
    const link = page.locator('#statements .reason.found a.record').first();
    expect(await link.getAttribute('title')).toBe(`${type} ${id}`);
    const record = page.locator(`[id="record-${type}-${id}"]`);
    expect(await record.evaluate((row) => row.matches(':target'))).toBe(false);
    await link.click();
    expect(await record.evaluate((row) => row.matches(':target'))).toBe(true);
    await expect.poll(() => record.evaluate((row) => row.getBoundingClientRect().top)).toBeLessThan(900);
    expect(await record.textContent()).toContain('affected record');
    expect(
      await page.locator(`#sequence a.affected, #timeline a.affected, #relations a.affected`).count(),
    ).toBeGreaterThanOrEqual(3);

    await checkWith(page, files.trust);
    expect(await statesOf(page)).toEqual(['verified', 'verified', 'open', 'found']);
    expect(await page.locator('#authenticity').textContent()).toMatch(/Signed by a key you trust.*valid from/);
    expect(requests).toHaveLength(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is refused under a trust store of others, and under text that is none', async () => {
    const files = committed('asrf-1d44');
    const { page, complaints } = await opened.open(opened.reportPage(files));
    for (const [trust, integrity] of [
      [bytesOf(trustDocument()), 'open'],
      [new TextEncoder().encode('not a trust store'), 'open'],
    ] as const) {
      await checkWith(page, trust);
      expect(await statesOf(page)).toEqual([integrity, 'refused', 'open', 'open']);
      expect(await page.locator('#rows tr').count()).toBe(0);
    }
    expect(await page.locator('#said').textContent()).toContain('READ_SYNTAX');
    await checkWith(page, files.trust);
    expect(await statesOf(page)).toEqual(['verified', 'verified', 'open', 'found']);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.each([
    [
      'of a record',
      (files: Files) => Buffer.from(withOneByteChanged(files).bundle).toString('base64'),
      'refused',
      'RECORD_ALTERED',
    ],
    [
      'of its base64',
      (files: Files) => `*${Buffer.from(files.bundle).toString('base64').slice(1)}`,
      'open',
      'What it carries as its bundle is not base64.',
    ],
  ] as const)(
    'is refused when one byte %s was changed, whatever the page claims',
    async (_, changed, integrity, reason) => {
      const files = committed('asrf-1d44');
      const honest = Buffer.from(files.bundle).toString('base64');
      const { page } = await opened.open(opened.reportPage(files).replace(honest, () => changed(files)));
      expect(await statesOf(page)).toEqual(['claimed', 'claimed', 'open', 'found']);
      await checkWith(page, files.trust);
      expect(await statesOf(page)).toEqual([integrity, 'refused', 'open', 'open']);
      expect(await page.locator('#statements').textContent()).toContain(reason);
      await page.context().close();
    },
  );

  it('asks for a trust store where none was given, and leaves the page as it is', async () => {
    const { page } = await opened.open(opened.reportPage(committed('asrf-1d44')));
    for (const text of ['', ' \n']) {
      await page.locator('#trust-text').fill(text);
      await page.getByRole('button', { name: 'Verify', exact: true }).click();
      await page.locator('#said', { hasText: 'Paste a trust store first' }).waitFor();
      expect(await statesOf(page)).toEqual(['claimed', 'claimed', 'open', 'found']);
    }
    await page.context().close();
  });

  it.each(['bundle', 'receipt', 'beside'])('is refused at once when it carries two of %s', async (role) => {
    const files = { ...committed('asrf-1d44'), expectedIncident: 'another' };
    const element = new RegExp(`<script type="application/octet-stream" id="carried-${role}">[^<]*</script>`);
    const html = opened.reportPage(files).replace(element, (one) => one + one);
    const { page, complaints } = await opened.open(html);
    expect(await statesOf(page)).toEqual(['open', 'refused', 'open', 'open']);
    expect(await page.locator('#said').textContent()).toContain(`2 elements named carried-${role}`);
    expect(await page.locator('#rows').count()).toBe(0);
    expect(complaints).toEqual([]);
    const verifier = await opened.open(opened.verifierPage());
    await verifier.page
      .locator('#any')
      .setInputFiles([{ name: 'report.html', mimeType: 'text/html', buffer: Buffer.from(html) }]);
    await verifier.page.locator('#said', { hasText: `No evidence was taken from report.html. It carries 2` }).waitFor();
    expect(await verifier.page.locator('#given', { hasText: 'carried by' }).count()).toBe(0);
    await page.context().close();
    await verifier.page.context().close();
  });

  it('says beside the verdict when it asks for another judgement than its receipt', async () => {
    const files = committed('as-1f49');
    const general = { ...files, profile: readFileSync('profiles/general.json') };
    const html = opened.reportPage(general).replace('data-other-profile="false"', () => 'data-other-profile="true"');
    const { page } = await opened.open(html);
    await checkWith(page, files.trust);
    expect(await statesOf(page)).toEqual(['verified', 'verified', 'open', 'open']);
    expect(await page.locator('#findings').textContent()).toContain('another profile than the receipt names');
    await page.context().close();
  });

  it('is readable without its script', async () => {
    const { page } = await opened.open(opened.reportPage(committed('atsi-2142')), { javaScriptEnabled: false });
    expect(await page.locator('#statements .reason.found').textContent()).toMatch(
      /ATSI_ACTIVE_CONTENT_INTERPRETED.*What it means.*What it does not mean.*What to do/,
    );
    expect(await page.locator('#rows tr').count()).toBe(19);
    expect(await page.locator('#desk').textContent()).toBe('');
    await page.context().close();
  });
});
