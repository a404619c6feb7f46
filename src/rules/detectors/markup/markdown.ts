/** Markdown, by mdast: destinations are URL attributes, HTML nodes go to parse5, each alone and all joined. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { Collector } from './detection.ts';
import { judgeElement, recordLoad } from './element.ts';
import { fromParse5, judgeHtml } from './html.ts';
import { elementsOf, parseHtml } from './html-parser.ts';
import { exceededMarkdownBound } from './markdown-bounds.ts';
import { joinedHtml } from './markdown-join.ts';
import { tableCells } from './markdown-table.ts';
import { activeUrl } from './url.ts';

type Root = ReturnType<typeof fromMarkdown>;
export type MarkdownNode = Root | Root['children'][number];

const placeOf = (node: MarkdownNode): string =>
  node.position === undefined ? node.type : `${node.position.start.line}:${node.position.start.column} ${node.type}`;

/** All nodes in document order; iterative, for any depth. */
const nodesOf = (root: Root): readonly MarkdownNode[] => {
  const nodes: MarkdownNode[] = [];
  const waiting: MarkdownNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    nodes.push(node);
    if ('children' in node) for (let at = node.children.length - 1; at >= 0; at--) waiting.push(node.children[at]!);
  }
  return nodes;
};

/** An element name that the text cannot hold, to see whether markup put behind the text is still markup. */
const probeFor = (text: string): string => {
  let probe = 'x-end';
  while (text.includes(probe)) probe += `-${text.length}`;
  return probe;
};

const judgeHtmlNode = (value: string, where: string, into: Collector, ownHost: string): void => {
  const probe = probeFor(value.toLowerCase());
  const { root, exceeded } = parseHtml(`${value}<${probe}>`, {
    context: 'div',
    scripting: true,
    keepSelect: true,
    located: false,
  });
  if (exceeded !== null) {
    into.inconclusive(exceeded);
    return;
  }
  let open = true;
  for (const element of elementsOf(root)) {
    if (element.tagName === probe) open = false;
    else judgeElement(fromParse5(element, where), into, ownHost);
  }
  if (open) into.inconclusive(`HTML that ends inside a tag, comment or raw-text element at ${where}`);
};

const judgeDestination = (url: string, asImage: boolean, where: string, into: Collector): void => {
  const kind = activeUrl(url, asImage);
  if (kind !== null) into.indicate(kind, where, url);
};

/** Judges Markdown text (CommonMark). Emphasis is not parsed: it moves no destination, and is quadratic. */
export const judgeMarkdown = (text: string, into: Collector, ownHost: string): void => {
  const exceeded = exceededMarkdownBound(text);
  if (exceeded !== null) {
    into.inconclusive(exceeded);
    return;
  }
  const root = parse(text);
  judgeCommonMark(root, into, ownHost);
  if (into.indicators.length === 0) judgeTables(text, root, into, ownHost);
};

const parse = (text: string): Root => fromMarkdown(text, { extensions: [{ disable: { null: ['attention'] } }] });

const judgeCommonMark = (root: Root, into: Collector, ownHost: string): void => {
  const nodes = nodesOf(root);
  const linked = new Set(nodes.flatMap((node) => (node.type === 'linkReference' ? [node.identifier] : [])));
  const shown = new Set(nodes.flatMap((node) => (node.type === 'imageReference' ? [node.identifier] : [])));
  const loaded = new Set<string>();
  for (const node of nodes) {
    const where = placeOf(node);
    if (node.type === 'html') judgeHtmlNode(node.value, where, into, ownHost);
    else if (node.type === 'link') judgeDestination(node.url, false, where, into);
    else if (node.type === 'image') {
      judgeDestination(node.url, true, where, into);
      recordLoad(node.url, where, into, ownHost);
    } else if (node.type === 'definition') {
      const onlyShown = shown.has(node.identifier) && !linked.has(node.identifier);
      judgeDestination(node.url, onlyShown, where, into);
      // CommonMark 4.7: the first of several definitions takes precedence.
      if (shown.has(node.identifier) && !loaded.has(node.identifier)) recordLoad(node.url, where, into, ownHost);
      loaded.add(node.identifier);
    }
  }
  if (!nodes.some((node) => node.type === 'html')) return;
  for (const blocks of [true, false]) {
    const joined = new Collector();
    judgeHtml(joinedHtml(root, blocks), joined, ownHost, 'joined');
    if (into.indicators.length > 0) return;
    into.absorb(joined);
  }
};

/** Renderers that know tables (GFM 4.10) tear at pipes and line ends what CommonMark holds together: then neither reading is the one. */
const judgeTables = (text: string, root: Root, into: Collector, ownHost: string): void => {
  const cells = nodesOf(root).flatMap(({ type, position }) =>
    type === 'paragraph' ? tableCells(text.slice(position?.start.offset, position?.end.offset)) : [],
  );
  if (cells.length === 0) return;
  const asTable = new Collector();
  // A cell holds inline content alone: text before it keeps every block construct from starting.
  judgeCommonMark(parse(cells.map((cell) => `x ${cell}`).join('\n\n')), asTable, ownHost);
  for (const { kind, value } of asTable.indicators) into.note(`as-table:${kind}`, 'table', value);
  const kinds = new Set(asTable.indicators.map(({ kind }) => kind));
  if (kinds.size > 0) into.inconclusive(`as a table of GitHub Flavored Markdown it holds ${[...kinds].join(', ')}`);
};
