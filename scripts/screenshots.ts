import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { webScript } from './build-web.ts';

/** Makes docs/images/*.png again, from pages that the command writes of the committed traces. Needs Chromium (CHROMIUM, or where Debian has it). */

const OUT = 'docs/images';
const TRUST = readFileSync('receipts/trust.json', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'forensictrace-screenshots-'));

const command = (...args: readonly string[]): void => {
  try {
    execFileSync(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', ...args], { stdio: 'inherit' });
  } catch (error) {
    // A condition that is indicated ends with 1, and its report is written.
    if ((error as { status?: number }).status !== 1) throw error;
  }
};

const reportOf = (trace: string): string => {
  const file = join(folder, `${trace}.html`);
  const pair = [`traces/${trace}.bundle.json`, `receipts/${trace}.receipt.json`, 'profiles/experiment.json'];
  command('report', ...pair, '--trust', 'receipts/trust.json', '--format', 'html', '-o', file);
  return file;
};

const verifier = (): string => {
  const file = join(folder, 'verifier.html');
  command('web', '-o', file);
  return file;
};

const check = async (page: Page): Promise<void> => {
  await page.locator('#trust-text').fill(TRUST);
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.locator('#said', { hasText: /^Verified/ }).waitFor();
};

type Shot = {
  readonly name: string;
  readonly file: string;
  readonly size: readonly [number, number];
  readonly dark?: boolean;
  readonly act?: (page: Page) => Promise<void>;
  /** The part of the page that the picture begins with. */
  readonly from?: string;
};

const take = async (
  browser: Browser,
  { name, file, size: [width, height], dark = false, act, from = 'body' }: Shot,
): Promise<void> => {
  const context = await browser.newContext({
    offline: true,
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  await act?.(page);
  await page.locator(from).evaluate((element) => element.scrollIntoView());
  await page.screenshot({ path: join(OUT, `${name}.png`) });
  await context.close();
};

mkdirSync(OUT, { recursive: true });
mkdirSync('dist/web', { recursive: true });
writeFileSync('dist/web/page.js', await webScript());
const asrf = reportOf('asrf-1d44');
const co = reportOf('co-18bd');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const shots: readonly Shot[] = [
    { name: 'report', file: asrf, size: [1180, 900] },
    { name: 'report-verified', file: asrf, size: [1180, 700], act: check },
    { name: 'report-finding', file: asrf, size: [1180, 800], from: '#statements' },
    { name: 'report-dark', file: asrf, size: [1180, 900], dark: true, from: '#sequence' },
    { name: 'report-relations', file: co, size: [1180, 1000], from: '#relations' },
    { name: 'report-narrow', file: asrf, size: [400, 860] },
    { name: 'verifier', file: verifier(), size: [1180, 1180] },
  ];
  for (const shot of shots) await take(browser, shot);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
