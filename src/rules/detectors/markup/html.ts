/** HTML: parsed every way a browser may put it together; active in one is active. */
import { type DefaultTreeAdapterTypes, html, serialize } from 'parse5';
import { MAX_SERIALISED } from './bounds.ts';
import { Collector } from './detection.ts';
import { judgeElement, type MarkupAttribute, type MarkupElement } from './element.ts';
import { elementsOf, type HtmlContext, type HtmlParse, type HtmlWay, parseHtml } from './html-parser.ts';

const NAMESPACES: ReadonlyMap<string, MarkupElement['namespace']> = new Map([
  [html.NS.HTML, 'html'],
  [html.NS.SVG, 'svg'],
  [html.NS.MATHML, 'mathml'],
]);

const textOf = (element: DefaultTreeAdapterTypes.Element): string =>
  element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');

/** A parse5 element as the rule sees it; `place` stands for its own line and column where those mean nothing. */
export const fromParse5 = (element: DefaultTreeAdapterTypes.Element, place: string | null): MarkupElement => {
  const location = element.sourceCodeLocation;
  return {
    name: element.tagName,
    namespace: NAMESPACES.get(element.namespaceURI) ?? 'other',
    attributes: element.attrs.map(({ name, value, prefix }): MarkupAttribute => {
      const namespace = prefix === undefined || prefix === '' ? 'none' : prefix === 'xlink' ? 'xlink' : 'other';
      return { name, namespace, value };
    }),
    text: element.tagName === 'script' || element.tagName === 'style' ? textOf(element) : '',
    place: place ?? (location ? `${location.startLine}:${location.startCol}` : ''),
    xml: false,
  };
};

type Place = { readonly ownHost: string; readonly place: string | null };

const judgeParse = ({ root, exceeded }: HtmlParse, into: Collector, { ownHost, place }: Place): void => {
  if (exceeded !== null) into.inconclusive(exceeded);
  for (const element of elementsOf(root)) judgeElement(fromParse5(element, place), into, ownHost);
};

const noteAll = (prefix: string, from: Collector, into: Collector): void => {
  for (const { kind, where, value } of from.indicators) into.note(`${prefix}:${kind}`, where, value);
  for (const { url, where } of from.remoteLoads) {
    if (!into.remoteLoads.some((load) => load.url === url)) into.note(`${prefix}:remote-load`, where, url);
  }
};

/** Tags that a `template` keeps and other fragments drop. */
const TABLE_PARTS = /<(?:caption|col|t[dhr]|tbody|tfoot|thead)/i;
const SKELETON: ReadonlySet<string> = new Set(['html', 'head', 'body']);

/** The ways to parse this text that can differ: a parser setting that nothing in it meets is left alone. */
const waysFor = (text: string): readonly HtmlWay[] => {
  const contexts: readonly HtmlContext[] = TABLE_PARTS.test(text)
    ? ['document', 'div', 'template']
    : ['document', 'div'];
  const selects = /<select/i.test(text) ? [false, true] : [false];
  return contexts.flatMap((context) =>
    selects.map((keepSelect) => ({ context, keepSelect, scripting: true, located: true })),
  );
};

/** Whether serialising could change the tree: bare text comes back as it was. */
const canMutate = ({ root, exceeded }: HtmlParse): boolean => {
  if (exceeded !== null) return false;
  for (const { tagName } of elementsOf(root)) if (!SKELETON.has(tagName)) return true;
  return false;
};

/**
 * Judges markup with scripting on, as a document and as a fragment, with the children of `select` dropped and kept. What
 * is active only with scripting off, or only after one serialise-and-parse turn (a sanitizer's mutation), is a note.
 */
export const judgeHtml = (text: string, into: Collector, ownHost: string, place: string | null = null): void => {
  const at = { ownHost, place };
  const ways = waysFor(text);
  const parses = ways.map((way) => parseHtml(text, way));
  for (const parse of parses) judgeParse(parse, into, at);
  if (into.indicators.length > 0) return;

  if (/<noscript/i.test(text)) {
    const off = new Collector();
    for (const way of ways) judgeParse(parseHtml(text, { ...way, scripting: false }), off, at);
    noteAll('scripting-off', off, into);
  }
  const turned = new Collector();
  for (const [index, way] of ways.entries()) {
    const parse = parses[index]!;
    if (!canMutate(parse)) continue;
    const written = serialize(parse.root);
    if (written.length > MAX_SERIALISED)
      into.inconclusive(`HTML of more than ${MAX_SERIALISED} characters when serialised`);
    else judgeParse(parseHtml(written, { ...way, located: false }), turned, { ownHost, place: 'reparsed' });
  }
  noteAll('after-reparse', turned, into);
};
