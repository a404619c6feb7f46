import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { checkWith, type Files, inChromium, type Opened, statesOf } from './chromium.ts';
import { hostileEverywhere, hostileFindings } from './hostile-files.ts';

/** Every element that a page of ours is made of: anything else came out of evidence. */
const OURS = new Set(
  (
    'html head meta title style body a header main footer nav div section article h1 h2 h3 h4 p ul ol li dl dt dd bdi span strong code pre br wbr ' +
    'table caption thead tbody tr th td details summary figure figcaption svg g path rect line circle text script label input textarea button'
  ).split(' '),
);

/** What the document has become: elements by name, whatever runs or loads, and text that moves or hides text. */
const become = (page: Page) =>
  page.locator('*').evaluateAll((elements) => {
    const attributes = elements.flatMap((element) => [...element.attributes]);
    const texts = elements
      .filter(({ localName }) => localName !== 'script' && localName !== 'html' && localName !== 'body')
      .flatMap(({ childNodes }) => [...childNodes].flatMap(({ nodeValue }) => nodeValue ?? []));
    return {
      harmed: (globalThis as { harmed?: unknown }).harmed,
      names: [...new Set(elements.map(({ localName }) => String(localName)))],
      scripts: elements.filter(({ localName }) => localName === 'script').length,
      handlers: attributes.map(({ name }) => String(name)).filter((name) => /^on|^style$|^src/.test(name)),
      links: attributes
        .filter(({ name, value }) => name.endsWith('href') && !value.startsWith('#'))
        .map(({ value }) => String(value)),
      hidden: [...texts.map((text) => text.replaceAll('\n', '')), ...attributes.map(({ value }) => value)].filter(
        (text) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(text),
      ),
    };
  });

const expectInert = async (page: Page): Promise<void> => {
  const { names, ...rest } = await become(page);
  expect(names.filter((name) => !OURS.has(name))).toEqual([]);
  expect(rest).toEqual({ harmed: undefined, scripts: 4, handlers: [], links: [], hidden: [] });
};

/** Opens every wire text and points at everything that reacts. */
const provoke = async (page: Page): Promise<void> => {
  await page.locator('details').evaluateAll((all) => all.map((details) => details.setAttribute('open', '')));
  await page.locator('#words').fill('<script>');
  await page.locator('#found', { hasText: ' of ' }).waitFor();
};

const judged = async (opened: Opened, files: Files, states: readonly string[], word: string): Promise<void> => {
  const { page, requests, complaints } = await opened.open(opened.reportPage(files));
  await expectInert(page);
  await provoke(page);
  await expectInert(page);
  await checkWith(page, files.trust);
  expect(await statesOf(page)).toEqual(states);
  await provoke(page);
  await expectInert(page);
  expect(await page.locator('main').textContent()).toContain(word);
  expect(requests).toHaveLength(1);
  expect(complaints).toEqual([]);
  await page.context().close();
};

inChromium('a bundle of hostile texts', (opened) => {
  it('is inert in every field, a mebibyte long or made of controls', async () => {
    await judged(opened, hostileEverywhere(), ['verified', 'verified', 'open', 'open'], '\\u{202e}');
  });

  it('is inert in findings and drawings', async () => {
    await judged(
      opened,
      hostileFindings(),
      ['verified', 'verified', 'open', 'found'],
      '<script>globalThis.harmed=1</script>',
    );
  });
});
