/** Judges one element of HTML, SVG, MathML or any XML, however it was parsed. */
import { cssUrls } from './css.ts';
import type { Collector } from './detection.ts';
import { EVENT_HANDLERS } from './event-handlers.ts';
import { activeUrl, remoteTarget, srcsetUrls } from './url.ts';
import * as vocabulary from './vocabulary.ts';

export type MarkupAttribute = {
  /** Local name; in HTML as the tokenizer lowers it. */
  readonly name: string;
  /** `none` is no namespace; only such attributes are handlers. */
  readonly namespace: 'none' | 'xlink' | 'other';
  readonly value: string;
};
export type MarkupElement = {
  readonly name: string;
  readonly namespace: 'html' | 'svg' | 'mathml' | 'other';
  readonly attributes: readonly MarkupAttribute[];
  /** Text children, for `script` and `style`; empty for others. */
  readonly text: string;
  /** `line:column`, or empty. */
  readonly place: string;
  /** From an XML parser, where `foreignObject` is active by itself. */
  readonly xml: boolean;
};

const valueIn = (element: MarkupElement, name: string): string | undefined =>
  element.attributes.find((attribute) => attribute.name === name && attribute.namespace !== 'other')?.value;

const judgeName = (element: MarkupElement, where: string, into: Collector): void => {
  const { name } = element;
  const value = () => valueIn(element, 'src') ?? valueIn(element, 'href') ?? valueIn(element, 'data') ?? element.text;
  if (vocabulary.ACTIVE_ELEMENTS.has(name)) into.indicate(name, where, value());
  if (name === 'foreignObject' && element.xml) into.indicate('foreign-object', where, '');
  if (name !== 'meta') return;
  const equivalent = valueIn(element, 'http-equiv')?.toLowerCase();
  const content = valueIn(element, 'content') ?? '';
  if (equivalent === 'refresh') into.indicate('meta-refresh', where, content);
  const inContent =
    equivalent === 'content-type' ? /charset\s{0,9}=\s{0,9}["']?([^"';\s]+)/i.exec(content)?.[1] : undefined;
  const charset = valueIn(element, 'charset') ?? inContent;
  if (charset !== undefined) into.declareCharset(charset);
};

const urlsOf = (element: MarkupElement, { name, value }: MarkupAttribute): readonly string[] => {
  if (vocabulary.SRCSET_ATTRIBUTES.has(name)) return srcsetUrls(value);
  if (vocabulary.URL_LIST_ATTRIBUTES.has(name)) return value.split(/[ \t\n\f\r]+/);
  if (vocabulary.ANIMATION_ELEMENTS.has(element.name) && vocabulary.ANIMATION_VALUES.has(name)) {
    return name === 'values' ? [value, ...value.split(';')] : [value];
  }
  return vocabulary.URL_ATTRIBUTES.has(name) ? [value] : [];
};

const loads = (element: MarkupElement, attribute: string): boolean => {
  if (vocabulary.ALWAYS_LOADING.has(attribute)) return true;
  if (element.name === 'link' && (attribute === 'href' || attribute === 'imagesrcset')) {
    const rels = (valueIn(element, 'rel') ?? '').toLowerCase().split(/[ \t\n\f\r]+/);
    return rels.some((rel) => vocabulary.LOADING_RELS.has(rel));
  }
  if (vocabulary.LOADING_ATTRIBUTES.get(element.name)?.includes(attribute)) {
    return element.name !== 'input' || valueIn(element, 'type')?.toLowerCase() === 'image';
  }
  // SVG 2 16.1: every href but a link's names something the renderer fetches.
  return element.namespace === 'svg' && attribute === 'href' && element.name !== 'a';
};

const judgeAttribute = (
  element: MarkupElement,
  attribute: MarkupAttribute,
  where: string,
  into: Collector,
  ownHost: string,
): void => {
  const { name, namespace, value } = attribute;
  if (namespace === 'other' || (namespace === 'xlink' && name !== 'href')) return;
  if (EVENT_HANDLERS.has(name)) into.indicate('event-handler', where, value);
  else if (/^on./i.test(name)) into.note('unknown-on-attribute', where, value);
  if (vocabulary.ACTIVE_ATTRIBUTES.has(name)) into.indicate(name, where, value);
  if (vocabulary.ANIMATION_ELEMENTS.has(element.name) && name === 'attributeName' && EVENT_HANDLERS.has(value.trim())) {
    into.indicate('animated-handler', where, value);
  }
  const asImage = vocabulary.IMAGE_ELEMENTS.has(element.name) || name === 'poster';
  const fetched = loads(element, name);
  for (const url of urlsOf(element, attribute)) {
    const kind = activeUrl(url, asImage);
    if (kind !== null) into.indicate(kind, where, url);
    if (fetched) recordLoad(url, where, into, ownHost);
  }
  if (vocabulary.CSS_ATTRIBUTES.has(name)) {
    for (const url of cssUrls(value)) recordLoad(url, where, into, ownHost);
  }
};

/** Records the fetch of `url` if it goes to another host than the artifact's. */
export const recordLoad = (url: string, where: string, into: Collector, ownHost: string): void => {
  const target = remoteTarget(url, ownHost);
  if (target !== null) into.load(target.host, target.url, where);
};

/** Writes every indicator, note and remote load of one element into the collector. */
export const judgeElement = (element: MarkupElement, into: Collector, ownHost: string): void => {
  const place = element.place === '' ? element.name : `${element.place} ${element.name}`;
  judgeName(element, place, into);
  for (const attribute of element.attributes) {
    judgeAttribute(element, attribute, `${place}@${attribute.name}`, into, ownHost);
  }
  if (element.name === 'style') {
    for (const url of cssUrls(element.text)) recordLoad(url, place, into, ownHost);
  }
};
