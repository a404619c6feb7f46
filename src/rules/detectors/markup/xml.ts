/** SVG, XHTML and other XML, by saxes: elements by local name, one pass, no tree. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { BoundExceeded, MAX_DEPTH } from './bounds.ts';
import { Collector } from './detection.ts';
import { judgeElement, type MarkupAttribute, type MarkupElement, recordLoad } from './element.ts';

const NAMESPACES: ReadonlyMap<string, MarkupElement['namespace']> = new Map([
  ['http://www.w3.org/1999/xhtml', 'html'],
  ['http://www.w3.org/2000/svg', 'svg'],
  ['http://www.w3.org/1998/Math/MathML', 'mathml'],
]);
const XLINK = 'http://www.w3.org/1999/xlink';
const XMLNS = 'http://www.w3.org/2000/xmlns/';

class NotWellFormed extends Error {}

/** Whether a document type declaration has an internal subset: a bracket outside its quoted identifiers (XML 1.0, 28). */
const hasInternalSubset = (doctype: string): boolean => {
  for (let at = 0; at < doctype.length; at++) {
    const c = doctype[at]!;
    if (c === '[') return true;
    if (c !== '"' && c !== "'") continue;
    const close = doctype.indexOf(c, at + 1);
    if (close === -1) return false;
    at = close;
  }
  return false;
};

/** `place` is just behind the element's name, where saxes first knows it. */
const fromSaxes = (tag: SaxesTagNS, place: string): MarkupElement => ({
  name: tag.local,
  namespace: NAMESPACES.get(tag.uri) ?? 'other',
  attributes: Object.values(tag.attributes)
    .filter(({ uri }) => uri !== XMLNS)
    .map(({ local, uri, value }): MarkupAttribute => {
      return { name: local, namespace: uri === '' ? 'none' : uri === XLINK ? 'xlink' : 'other', value };
    }),
  text: '',
  place,
  xml: true,
});

/** `href` pseudo-attribute of an `xml-stylesheet` instruction (xml-stylesheet 1.0, 3). */
const stylesheetHref = (body: string): string | undefined =>
  /(?:^|\s)href\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/
    .exec(body)
    ?.slice(1)
    .find((group) => group !== undefined);

const parse = (text: string, into: Collector, prologue: Collector, ownHost: string): void => {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const place = () => `${parser.line}:${parser.column + 1}`;
  let depth = 0;
  let holding: { element: MarkupElement; depth: number; text: string[] } | null = null;
  parser.on('error', (error) => {
    throw new NotWellFormed(error.message);
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined) prologue.declareCharset(encoding);
  });
  parser.on('doctype', (doctype) => {
    if (hasInternalSubset(doctype)) prologue.indicate('internal-dtd-subset', place(), doctype.trim());
  });
  parser.on('processinginstruction', ({ target, body }) => {
    if (target !== 'xml-stylesheet') return;
    prologue.indicate('xml-stylesheet', place(), body);
    recordLoad(stylesheetHref(body) ?? '', place(), prologue, ownHost);
  });
  let tagPlace = '';
  parser.on('opentagstart', () => {
    tagPlace = place();
  });
  parser.on('opentag', (tag) => {
    if (++depth > MAX_DEPTH) throw new BoundExceeded(`XML nested deeper than ${MAX_DEPTH}`);
    const element = fromSaxes(tag, tagPlace);
    const holdsText = element.name === 'script' || element.name === 'style';
    if (holdsText && holding === null) holding = { element, depth, text: [] };
    else judgeElement(element, into, ownHost);
  });
  const onText = (piece: string) => {
    holding?.text.push(piece);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    if (holding !== null && holding.depth === depth) {
      judgeElement({ ...holding.element, text: holding.text.join('') }, into, ownHost);
      holding = null;
    }
    depth--;
  });
  parser.write(text).close();
};

/**
 * Judges XML text. What is not well-formed is inconclusive, but for what its prologue already settles: an internal DTD
 * subset (its entities would make up any content) or a style sheet instruction (a transform makes a new document).
 */
export const judgeXml = (text: string, into: Collector, ownHost: string): void => {
  const body = new Collector();
  let stopped: string | null = null;
  try {
    parse(text, body, into, ownHost);
  } catch (error) {
    if (!(error instanceof NotWellFormed) && !(error instanceof BoundExceeded)) throw error;
    stopped = error instanceof BoundExceeded ? error.message : `not well-formed XML: ${error.message}`;
  }
  if (stopped === null) {
    into.absorb(body);
    return;
  }
  into.inconclusive(stopped);
  for (const { kind, where, value } of body.indicators) into.note(`before-error:${kind}`, where, value);
  for (const { host, url, where } of body.remoteLoads) into.load(host, url, where);
};
