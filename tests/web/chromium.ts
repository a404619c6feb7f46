import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { webScript } from '../../scripts/build-web.ts';
import { intactOf, type ReportFiles } from '../../src/report/face.ts';
import { htmlOf, verifierPage } from '../../src/report/html/html.ts';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';

export type Files = ReportFiles;

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const found = [process.env.CHROMIUM ?? '', ...CANDIDATES].find((path) => existsSync(path));
if (found === undefined) {
  const message = `no Chromium: none of ${CANDIDATES.join(', ')} exists, and CHROMIUM names none. What a browser does with a page is not tested.`;
  if (process.env.CI !== undefined) throw new Error(message);
  console.warn(message);
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Tests that need a real browser: skipped, with the message above, where there is none; in CI that is a failure. */
export const inChromium = (name: string, tests: (opened: Opened) => void): void => {
  describe.skipIf(found === undefined)(name, () => {
    const opened = new Opened();
    beforeAll(() => opened.start());
    afterAll(() => opened.close());
    tests(opened);
  });
};

/** A page in a browser without network, and all that it asked for and complained of. */
export type Watched = { readonly page: Page; readonly requests: string[]; readonly complaints: string[] };

/** One browser, and the script of the page as the build makes it. */
export class Opened {
  private browser!: Browser;
  private script = '';
  private folder = '';
  private made = 0;

  async start(): Promise<void> {
    this.script = await webScript();
    this.folder = mkdtempSync(join(tmpdir(), 'forensictrace-web-'));
    this.browser = await chromium.launch({ executablePath: found!, args: ['--no-sandbox'] });
  }

  async close(): Promise<void> {
    await this.browser.close();
    rmSync(this.folder, { recursive: true });
  }

  /** The text of the page of a report on these files. */
  reportPage(files: Files): string {
    const outcome = verify({ ...files, mode: 'full', otherProfile: false }, nativeCrypto);
    const intact = intactOf(outcome, files.bundle);
    return [...htmlOf({ report: reportOf(outcome), intact, files, script: this.script, base64 }, nativeCrypto)].join(
      '',
    );
  }

  verifierPage(): string {
    return [...verifierPage(this.script, nativeCrypto)].join('');
  }

  /** Writes a page as a file of a test. */
  write(html: string): string {
    const path = join(this.folder, `page-${++this.made}.html`);
    writeFileSync(path, html);
    return path;
  }

  /** Opens a page from file://, offline. */
  async open(html: string, options: BrowserContextOptions = {}): Promise<Watched> {
    const context = await this.browser.newContext({
      offline: true,
      viewport: { width: 1200, height: 900 },
      ...options,
    });
    const page = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(pathToFileURL(this.write(html)).href);
    return { page, requests, complaints };
  }
}

/** Gives the page a trust store and waits for what it says. */
export const checkWith = async (page: Page, trust: Uint8Array): Promise<void> => {
  await page.locator('#trust-text').fill(Buffer.from(trust).toString());
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.locator('#said', { hasText: /^Verified|^Nothing was verified|^This program failed/ }).waitFor();
};

/** The state of each banner, in order. */
export const statesOf = (page: Page): Promise<(string | null)[]> =>
  page.locator('.banner').evaluateAll((banners) => banners.map((banner) => banner.getAttribute('data-state')));

/** The files of a committed trace. */
export const committed = (name: string, group = '', profile = 'experiment'): Files => ({
  bundle: readFileSync(join('traces', group, `${name}.bundle.json`)),
  receipt: readFileSync(join('receipts', group, `${name}.receipt.json`)),
  profile: readFileSync(join('profiles', `${profile}.json`)),
  trust: readFileSync(join('receipts', group, 'trust.json')),
});

/** The same files with one byte of the bundle changed: a digit of its first record. */
export const withOneByteChanged = (files: Files): Files => {
  const bundle = Uint8Array.from(files.bundle);
  const at = Buffer.from(bundle).indexOf('"incident_id":"') + '"incident_id":"'.length;
  bundle[at] = bundle[at]! ^ 1;
  return { ...files, bundle };
};
