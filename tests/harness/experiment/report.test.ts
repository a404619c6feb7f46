import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { describe, expect, it, test } from 'vitest';
import { type Fault, fault } from '../../../harness/experiment/evaluate-faults.ts';
import { reportPage } from '../../../harness/experiment/report.ts';
import { tablesOf } from '../../../harness/experiment/tables.ts';
import { intervals, shares, strips } from '../../../harness/figures/charts.ts';
import { type Markup, markupText } from '../../../harness/figures/markup.ts';
import { logAxis, SHARES } from '../../../harness/figures/plot.ts';
import { madeEvaluation } from './made.ts';

type Element = DefaultTreeAdapterTypes.Element;

const elementsOf = (node: DefaultTreeAdapterTypes.ParentNode): readonly Element[] =>
  node.childNodes.flatMap((child) => (defaultTreeAdapter.isElementNode(child) ? [child, ...elementsOf(child)] : []));
const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((attr) => attr.name === name)?.value;
const textOf = (node: DefaultTreeAdapterTypes.ParentNode): string =>
  node.childNodes
    .map((child) =>
      defaultTreeAdapter.isTextNode(child) ? child.value : defaultTreeAdapter.isElementNode(child) ? textOf(child) : '',
    )
    .join('');

const pageOf = (seed: string, faults: readonly Fault[] = []) => {
  const evaluation = madeEvaluation(2);
  const named = { ...evaluation, schedule: { ...evaluation.schedule, seed } };
  const text = reportPage(named, tablesOf(named), faults, { text: 'All as it went.', good: faults.length === 0 });
  return { text, elements: elementsOf(parse(text)) };
};

describe('the page', () => {
  const { elements } = pageOf('made');

  it('holds each table with its caption, and a plot where there is one', () => {
    const tables = tablesOf(madeEvaluation(2));
    const sections = elements.filter(({ tagName }) => tagName === 'section');
    expect(sections.map((section) => attribute(section, 'id'))).toEqual(tables.map(({ id }) => id));
    for (const [at, section] of sections.entries()) {
      const inside = elementsOf(section);
      expect(inside.filter(({ tagName }) => tagName === 'tr')).toHaveLength(tables[at]!.rows.length + 1);
      expect(textOf(inside.find(({ tagName }) => tagName === 'figcaption')!)).toBe(tables[at]!.caption);
    }
    const plotted = sections.filter((section) => elementsOf(section).some(({ tagName }) => tagName === 'svg'));
    expect(plotted.map((section) => attribute(section, 'id'))).toEqual(['latency', 'overall', 'ablation', 'actions']);
  });

  it('loads nothing and runs nothing: no script, link, image or reference, no inline style, and one style whose hash its policy names', () => {
    const names = new Set(elements.map(({ tagName }) => tagName));
    for (const name of ['script', 'link', 'img', 'image', 'iframe', 'object', 'use', 'a', 'base']) {
      expect(names).not.toContain(name);
    }
    const attributes = elements.flatMap(({ attrs }) => attrs);
    expect(attributes.filter(({ name }) => /^(on|style|href|src)/.test(name))).toEqual([]);
    expect(attributes.filter(({ value }) => /url\(|javascript:|data:/i.test(value))).toEqual([]);
    const [style, ...more] = elements.filter(({ tagName }) => tagName === 'style');
    expect(more).toEqual([]);
    expect(textOf(style!)).not.toMatch(/url\(|@import/);
    const policy = elements.find((element) => attribute(element, 'http-equiv') === 'Content-Security-Policy')!;
    const hash = createHash('sha256').update(textOf(style!)).digest('base64');
    expect(attribute(policy, 'content')).toBe(`default-src 'none'; style-src 'sha256-${hash}'`);
  });
});

describe('text of the results', () => {
  const hostile = '</title><script>alert(1)</script><img src=x onerror=alert(1)>\u202e"\'&amp;\u001b[2J';

  it('stays text in title and faults, and nothing of it is hidden or reordered', () => {
    const { text, elements } = pageOf(hostile, [fault('RUN_MISSING', hostile, hostile)]);
    expect(elements.filter(({ tagName }) => tagName === 'script' || tagName === 'img')).toEqual([]);
    expect(text).not.toMatch(/[\u202e\u001b]/);
    const shown = textOf(elements.find(({ tagName }) => tagName === 'li')!);
    expect(shown).toContain('<img src=x onerror=alert(1)>\\u{202e}"\'&amp;\\x1b[2J');
  });

  it('of any kind does not leave its place', () => {
    const count = pageOf('made').elements.length;
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (seed) => {
        expect(pageOf(seed).elements).toHaveLength(count);
      }),
      { numRuns: 10 },
    );
  });

  it('is counted where there is too much of it', () => {
    const many = Array.from({ length: 240 }, (_, at) => fault('RUN_MISSING', `run-${at}`, 'missing: bundle'));
    const items = pageOf('made', many).elements.filter(({ tagName }) => tagName === 'li');
    expect(items).toHaveLength(51);
    expect(textOf(items.at(-1)!)).toBe('and 190 more');
  });
});

/** Elements of a plot by tag, with their numbers. */
const marksOf = (plot: Markup, tag: string): readonly Markup['attributes'][] =>
  plot.children.flatMap((child) => (typeof child !== 'string' && child.tag === tag ? [child.attributes] : []));
const FRAME = { title: 'T', describe: 'D' };

describe('a plot', () => {
  it('places each value where the axis says, and nothing outside of it', () => {
    const values = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(values, (sample) => {
        const axis = logAxis(sample, 'ms');
        expect(axis.low).toBeLessThanOrEqual(Math.min(...sample));
        expect(axis.high).toBeGreaterThan(Math.max(...sample));
        expect(axis.ticks[0]!.value).toBe(axis.low);
        expect(axis.ticks.at(-1)!.value).toBe(axis.high);
        const plot = strips(FRAME, 'ms', [{ name: 'all', values: sample }])!;
        const [left, right] = [marksOf(plot, 'line')[0]!, marksOf(plot, 'line')[axis.ticks.length - 1]!];
        const dots = marksOf(plot, 'circle');
        expect(dots).toHaveLength(sample.length);
        for (const [at, { cx }] of dots.entries()) {
          const share = Math.log(sample[at]! / axis.low) / Math.log(axis.high / axis.low);
          expect(cx).toBeCloseTo(Number(left.x1) + share * (Number(right.x1) - Number(left.x1)), 6);
        }
      }),
      { examples: [[[999_999.999_999_999]], [[0.001]], [[1e6]]] },
    );
  });

  it('divides a row among its parts without gap, and tells a count where a name has no room', () => {
    const plot = shares(FRAME, [
      {
        name: 'row',
        parts: [
          { name: 'most', count: 97, colour: 0 },
          { name: 'none', count: 0, colour: 1 },
          { name: 'a few of many', count: 3, colour: 2 },
        ],
      },
    ]);
    const bars = marksOf(plot, 'rect');
    expect(bars).toHaveLength(2);
    expect(Number(bars[0]!.x) + Number(bars[0]!.width)).toBeCloseTo(Number(bars[1]!.x), 9);
    expect(Number(bars[0]!.width) / Number(bars[1]!.width)).toBeCloseTo(97 / 3, 9);
    const text = markupText(plot);
    expect(text).toContain('>most 97<');
    expect(text).toContain('>3<');
  });

  it('draws an interval from its low to its high end, around the share', () => {
    const plot = intervals(FRAME, [{ name: 'row', share: 0.5, low: 0.25, high: 0.75 }])!;
    const lines = marksOf(plot, 'line');
    const [tick25, tick75, interval] = [lines[1]!, lines[3]!, lines[SHARES.ticks.length]!];
    expect([interval.x1, interval.x2]).toEqual([tick25.x1, tick75.x1]);
    expect(marksOf(plot, 'circle')[0]!.cx).toBe(lines[2]!.x1);
  });

  test('of nothing is none', () => {
    expect(strips(FRAME, 'ms', [{ name: 'row', values: [] }])).toBeNull();
    expect(intervals(FRAME, [])).toBeNull();
  });
});
