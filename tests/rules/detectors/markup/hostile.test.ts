import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectActiveContent } from '../../../../src/rules/detectors/markup/detect.ts';

const judge = (text: string, type: string) => detectActiveContent(new TextEncoder().encode(text), type);
const names = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => one(i)).join('');
const SVG = 'image/svg+xml';
const HTML = 'text/html';
const MD = 'text/markdown';
const MIB = 2 ** 20;

describe('hostile input', () => {
  it.each([
    ['nested div', HTML, '<div>'.repeat(100_000), 'nested deeper than 512'],
    ['nested svg', HTML, '<svg>'.repeat(100_000), 'nested deeper than 512'],
    [
      'reopened formatting',
      HTML,
      `<p>${names(400, (i) => `<b a${i}>`)}${'</p><p>x'.repeat(100_000)}`,
      'more than 524288',
    ],
    [
      'reopened long attributes',
      HTML,
      `<p><b title="${'&quot;'.repeat(MIB / 4)}">${'</p><p>x'.repeat(2_000)}`,
      'attributes',
    ],
    ['text of which escaping makes six of one', HTML, `<p>${'\u00a0'.repeat(11 * MIB)}`, 'serialised'],
    ['nested XML', SVG, '<g>'.repeat(100_000), 'nested deeper than 512'],
    ['12 MiB of < in XML', SVG, '<'.repeat(12 * MIB), 'not well-formed'],
    ['nested quotes', MD, '>'.repeat(100_000), 'nested deeper than 100'],
    ['nested lists', MD, names(400, (i) => `${'  '.repeat(i)}- a\n`), 'nested deeper than 100'],
    ['nested brackets', MD, '['.repeat(100_000), 'brackets'],
    ['12 MiB of < in Markdown', MD, '<'.repeat(12 * MIB), 'signs'],
    ['lazy lines', MD, `> a\r\n${'b\r\n'.repeat(5_000)}`, 'lazy'],
    ['lists', MD, '- a\n\n'.repeat(20_000), 'containers'],
    ['long Markdown', MD, 'a '.repeat(7 * MIB), 'characters'],
  ])('%s passes a bound', (_name, type, text, reason) => {
    const result = judge(text, type);
    expect(result.verdict).toBe('inconclusive');
    expect(result.reason).toContain(reason);
  });

  it.each([
    ['12 MiB of < in HTML', HTML, '<'.repeat(12 * MIB)],
    ['fostered content', HTML, `<table>${'<br>'.repeat(50_000)}`],
    ['many attributes on a link', HTML, `<link ${names(100_000, (i) => `a${i} `)}>`],
    ['unclosed CSS', HTML, `<style>${'url(\\'.repeat(200_000)}`],
    ['image candidates', HTML, `<img srcset="${', a('.repeat(200_000)}">`],
    ['spaces in a URL', HTML, `<a href="x${' '.repeat(MIB)}x">`],
    ['emphasis', MD, '**a_ '.repeat(20_000)],
    ['an inline picture', MD, `![x](data:image/png;base64,${'A/+='.repeat(MIB)})`],
  ])('%s is judged', (_name, type, text) => {
    expect(judge(text, type).verdict).toBe('inert');
  });

  it('counts a document type with a billion laughs as active, without expanding it', () => {
    const laughs = names(30, (i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`);
    expect(judge(`<!DOCTYPE l [<!ENTITY a0 "ha">${laughs}]><l>&a30;</l>`, SVG).verdict).toBe('active');
  });

  it('finds what stands behind a nesting no browser keeps', () => {
    expect(judge(`${'<div>'.repeat(2_000)}<script>a</script>`, HTML).verdict).toBe('active');
  });

  it('lists a hundred of many handlers, each value cut', () => {
    const { indicators } = judge(
      `<b onclick=${'a'.repeat(999)}>`.concat(names(500, (i) => `<b onclick=a${i}>x</b>`)),
      HTML,
    );
    expect(indicators).toHaveLength(100);
    expect(indicators[0]?.value).toHaveLength(200);
  });

  const piece = fc.constantFrom(
    ...'<svg> <math> <style> </style> <select> </select> <table> <tr> <td> <template> <a> </a> <b> <p> </p> <noscript> <!-- --> <![CDATA[ ]]> " = > [ ]( ) ` ``` \n \n\n \0 & &#0; \\ - # <? ?> <!DOCTYPE'
      .split(' ')
      .map((text) => text.replaceAll('\\n', '\n')),
  );
  const soup = fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }).map((pieces) => pieces.join(''));

  it('gives a verdict for any text, with a reason when and only when inconclusive', () => {
    fc.assert(
      fc.property(soup, fc.constantFrom(HTML, SVG, MD, 'application/xhtml+xml'), (text, type) => {
        const { verdict, indicators, reason } = judge(text, type);
        expect(verdict === 'active').toBe(indicators.length > 0);
        expect(verdict === 'inconclusive').toBe(reason !== null);
      }),
      { numRuns: 500 },
    );
  });

  it('a script put before or after any text without markup is found', () => {
    const plain = fc.string().map((text) => text.replace(/[<&]/g, ''));
    fc.assert(
      fc.property(plain, plain, (before, after) => {
        expect(judge(`${before}<script>a</script>${after}`, HTML).verdict).toBe('active');
      }),
    );
  });

  it('a scheme is found through any spelling the URL parser undoes', () => {
    const filler = fc.constantFrom('', '\t', '\n', '\r', '&Tab;', '&#10;');
    const leading = fc.constantFrom('', ' ', '\x01', '&#32;', '\x1f ');
    fc.assert(
      fc.property(
        leading,
        fc.array(filler, { minLength: 11, maxLength: 11 }),
        fc.array(fc.boolean()),
        (lead, fill, upper) => {
          const spelled = Array.from('javascript:', (c, i) => (upper[i] ? c.toUpperCase() : c) + (fill[i] ?? '')).join(
            '',
          );
          expect(judge(`<a href="${lead}${spelled}a">`, HTML).indicators[0]?.kind).toBe('javascript-url');
        },
      ),
    );
  });
});
