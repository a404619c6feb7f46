import { expect, it } from 'vitest';
import { checkWith, committed, inChromium, statesOf } from './chromium.ts';
import { longFiles } from './long-files.ts';

inChromium('the table of records', (opened) => {
  it('is searched, without a request, and the drawings stay', async () => {
    const { page, requests } = await opened.open(opened.reportPage(committed('hotf-d651')));
    expect(await page.locator('#rows tr').count()).toBe(66);
    await page.locator('#words').fill('EXCHANGE approver');
    await page.locator('#found', { hasText: '0 of 66 records' }).waitFor();
    await page.locator('#words').fill('snapshot-40');
    await page.locator('#found', { hasText: '1 of 66 records' }).waitFor();
    expect(await page.locator('#rows tr.affected').count()).toBe(1);
    await page.locator('#words').fill('');
    await page.locator('#found', { hasText: '66 of 66 records' }).waitFor();
    expect(requests).toHaveLength(1);
    await page.context().close();
  });

  it('has leaves above a thousand records and relationships, and a link finds its leaf, before a check and after', async () => {
    const files = longFiles(600);
    const { page, complaints } = await opened.open(opened.reportPage(files));
    const far = page.locator('[id="record-UriReferenceEvidence-long-590"]');
    const jump = async (): Promise<void> => {
      await page.evaluate("location.hash = '#record-UriReferenceEvidence-long-590'");
      await far.waitFor();
      expect(await page.locator('#found').textContent()).toMatch(/, leaf 4 of 4$/);
      await page.evaluate("location.hash = ''");
    };
    expect(await page.locator('#rows tr').count()).toBe(200);
    expect(await page.locator('#paged').textContent()).toContain('200 of');
    await jump();
    await page.getByRole('button', { name: 'Earlier records' }).click();
    expect(await far.count()).toBe(0);
    expect(await page.locator('#rows tr').count()).toBe(200);

    await checkWith(page, files.trust);
    expect((await statesOf(page)).slice(0, 2)).toEqual(['verified', 'verified']);
    expect(await far.count()).toBe(0);
    await jump();
    await page.locator('#words').fill('long-59');
    await page.locator('#found', { hasText: '11 of' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('prints what a finding names, and no button', async () => {
    const { page } = await opened.open(opened.reportPage(committed('asrf-1d44')));
    await page.emulateMedia({ media: 'print' });
    const [affected, other] = ['tr.affected', 'tr:not(.affected)'].map((row) =>
      page.locator(`#rows ${row} details.record`).first(),
    );
    expect(await affected!.isVisible()).toBe(true);
    expect(await other!.isVisible()).toBe(false);
    expect(await page.locator('button:visible, input:visible, textarea:visible').count()).toBe(0);
    expect(await page.locator('#statements .reason.found').isVisible()).toBe(true);
    await page.context().close();
  });

  it('fits a telephone: nothing but tables and drawings is wider than the page', async () => {
    const { page } = await opened.open(opened.reportPage(committed('co-18bd')), {
      viewport: { width: 400, height: 800 },
    });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
    await page.context().close();
  });

  it('is reached by keyboard: the first stop skips to the report', async () => {
    const { page } = await opened.open(opened.reportPage(committed('as-76e5')));
    await page.keyboard.press('Tab');
    const skip = page.locator('.skip');
    expect(await skip.evaluate((link) => link.matches(':focus'))).toBe(true);
    expect(await skip.boundingBox()).toMatchObject({ x: expect.closeTo(8, 0) });
    await page.keyboard.press('Enter');
    expect(await page.locator('#main').evaluate((main) => main.matches(':focus'))).toBe(true);
    await page.context().close();
  });
});
