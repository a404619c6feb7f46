import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { neutralise } from '../../src/base/terminal.ts';
import { intactOf } from '../../src/report/face.ts';
import { htmlOf, MOST_CARRIED } from '../../src/report/html/html.ts';
import { el, htmlText } from '../../src/report/html/node.ts';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';
import { bytesOf } from '../support/bundle.ts';
import { trustDocument } from '../support/seal.ts';
import { hostileEverywhere } from '../web/hostile-files.ts';
import { longFiles } from '../web/long-files.ts';

type Files = Parameters<typeof htmlOf>[0]['files'];
type Element = DefaultTreeAdapterTypes.Element;

const SCRIPT = 'const end = "</script><!--"; /<SCRIPT/.test(end);';
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const pageOf = (files: Files, mode: 'full' | 'root-only' = 'full'): string => {
  const outcome = verify({ ...files, mode, otherProfile: false }, nativeCrypto);
  const input = { report: reportOf(outcome), intact: intactOf(outcome, files.bundle), files, script: SCRIPT, base64 };
  return [...htmlOf(input, nativeCrypto)].join('');
};

const elementsOf = (node: DefaultTreeAdapterTypes.Node): Element[] =>
  'childNodes' in node
    ? node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elementsOf(child)] : []))
    : [];
const textOf = (element: Element): string =>
  element.childNodes
    .map((child) => ('value' in child ? child.value : 'tagName' in child ? textOf(child) : ''))
    .join('');
const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((attr) => attr.name === name)?.value;

const committed = readdirSync('traces')
  .filter((name) => name.endsWith('.bundle.json'))
  .map((name) => name.slice(0, -'.bundle.json'.length));
const filesOf = (name: string): Files => ({
  bundle: readFileSync(`traces/${name}.bundle.json`),
  receipt: readFileSync(`receipts/${name}.receipt.json`),
  profile: readFileSync('profiles/experiment.json'),
  trust: readFileSync('receipts/trust.json'),
});

describe('a page node', () => {
  it('is written so that a parser reads its text and attributes, neutralised, and nothing else', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('</p><script>', '"><img onerror=x>', '&amp;', '\ud800', '\u202e\0'),
    );
    fc.assert(
      fc.property(text, text, (inside, named) => {
        const [p, ...others] = parseFragment(htmlText(el('p', { title: named }, inside))).childNodes as Element[];
        expect(others).toEqual([]);
        expect(p!.childNodes.every(({ nodeName }) => nodeName === '#text')).toBe(true);
        expect(textOf(p!)).toBe(neutralise(inside));
        expect(p!.attrs).toEqual([{ name: 'title', value: neutralise(named) }]);
      }),
    );
  });
});

describe('the HTML face', () => {
  it.each(committed)('%s: the same bytes again; anchors that are unique and found; nothing inline', (name) => {
    const files = filesOf(name);
    const html = pageOf(files);
    expect(pageOf(files)).toBe(html);
    const elements = elementsOf(parse(html));
    const ids = elements.flatMap((element) => attribute(element, 'id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = elements.flatMap((element) => attribute(element, 'href') ?? []);
    expect(targets.filter((target) => !target.startsWith('#') || !ids.includes(target.slice(1)))).toEqual([]);
    const { records } = reportOf(verify({ ...files, mode: 'full', otherProfile: false }, nativeCrypto));
    expect(ids.filter((id) => id.startsWith('record-'))).toHaveLength(records!);
    const inline = elements
      .flatMap(({ attrs }) => attrs.map((attr) => attr.name))
      .filter((attr) => attr === 'style' || attr.startsWith('on'));
    expect(inline).toEqual([]);
  });

  it('names in its policy the digests of its one script and its one stylesheet, and lets it ask for nothing', () => {
    const elements = elementsOf(parse(pageOf(filesOf('asrf-1d44'))));
    const policy = attribute(
      elements.find((element) => attribute(element, 'http-equiv') === 'Content-Security-Policy')!,
      'content',
    )!;
    const sourceOf = (element: Element): string =>
      `'sha256-${Buffer.from(nativeCrypto.sha256Hex(textOf(element)), 'hex').toString('base64')}'`;
    const [style, ...moreStyles] = elements.filter(({ tagName }) => tagName === 'style');
    const [script, ...moreScripts] = elements.filter(
      (element) => element.tagName === 'script' && attribute(element, 'type') === undefined,
    );
    expect([...moreStyles, ...moreScripts]).toEqual([]);
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        `script-src ${sourceOf(script!)}`,
        `style-src ${sourceOf(style!)}`,
      ]),
    );
    expect(runInNewContext(`${textOf(script!)}; end`)).toBe('</script><!--');
  });

  it('carries the exact bytes of bundle, receipt and profile, and no trust store', () => {
    const files = filesOf('co-3d18');
    const held = elementsOf(parse(pageOf(files))).filter(
      (element) => attribute(element, 'type') === 'application/octet-stream',
    );
    expect(held.map((element) => [attribute(element, 'id'), textOf(element)])).toEqual(
      (['bundle', 'receipt', 'profile'] as const).map((role) => [`carried-${role}`, base64(files[role])]),
    );
  });

  it('carries no evidence of more than 50 MB, and says that it does not verify itself', () => {
    const bundle = new Uint8Array(MOST_CARRIED + 1);
    const html = pageOf({ ...filesOf('as-1f49'), bundle });
    expect(html).not.toContain('id="carried-');
    expect(html).toContain('does not verify itself');
  });

  it.each([
    ['a signature of nobody trusted', { trust: bytesOf(trustDocument()) }, 'INTEGRITY_REFUSED'],
    [
      'a record that was altered',
      { bundle: Buffer.from(readFileSync('traces/as-76e5.bundle.json', 'utf8').replace('"desk"', '"disk"')) },
      'INTEGRITY_REFUSED',
    ],
    ['a bundle that is none', { bundle: Buffer.from('{}') }, 'COULD_NOT_CHECK'],
  ])('shows no record of %s', (_, changed, verdict) => {
    const html = pageOf({ ...filesOf('as-76e5'), ...changed });
    expect(html).toContain(verdict);
    const elements = elementsOf(parse(html));
    expect(elements.filter((element) => attribute(element, 'id')?.startsWith('record-'))).toEqual([]);
    expect(elements.filter((element) => attribute(element, 'role') === 'group' && element.tagName === 'svg')).toEqual(
      [],
    );
  });

  it('shows the records of intact evidence that no rule was asked about', () => {
    const elements = elementsOf(parse(pageOf(filesOf('as-76e5'), 'root-only')));
    expect(elements.filter((element) => attribute(element, 'id')?.startsWith('record-'))).toHaveLength(14);
    expect(attribute(elements.find((element) => attribute(element, 'id') === 'findings')!, 'data-state')).toBe('open');
  });

  it('bounds what it writes of very long evidence, and says so', () => {
    const files = longFiles(1500);
    const html = pageOf(files);
    expect(html.length).toBeLessThan(3 * files.bundle.length);
    expect(html).toMatch(/Written here: the first 200/);
    const hostile = hostileEverywhere();
    expect(pageOf(hostile)).toMatch(/Shown: 16384 of \d+ characters/);
  });
});
