import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { Network } from './network.ts';

/** One page as the renderer itself logged it. */
export type RenderedPage = {
  /** Whether the renderer interpreted what it received, or showed it as text. */
  readonly mode: 'interpreted' | 'source';
  readonly mediaType: string;
  readonly inputSha256: string;
  /** Names of the elements in the page, in document order; an element the parser adds itself included. */
  readonly elements: readonly string[];
  readonly text: string;
  /** What stood inside script elements; nothing runs it. */
  readonly script: string;
};

/** Interprets HTML as a browser's parser does, and runs nothing. */
export const interpret = (html: string): Pick<RenderedPage, 'elements' | 'text' | 'script'> => {
  const page = { elements: [] as string[], text: '', script: '' };
  const open: DefaultTreeAdapterTypes.Node[] = [parse(html)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('tagName' in node) page.elements.push(node.tagName);
    if (node.nodeName === '#text' && 'value' in node) {
      const isScript = node.parentNode?.nodeName === 'script';
      page[isScript ? 'script' : 'text'] += node.value;
    }
    if ('childNodes' in node) open.push(...[...node.childNodes].reverse());
  }
  return page;
};

/** Starts a renderer: what is posted to it becomes a page, and at `/source` a view of its source. Returns its own log of pages. */
export const startRenderer = async (network: Network, host: string): Promise<readonly RenderedPage[]> => {
  const pages: RenderedPage[] = [];
  await network.serve(host, (request, response) => {
    void text(request).then((html) => {
      const mode = request.url === '/source' ? 'source' : 'interpreted';
      const mediaType = request.headers['content-type'] ?? '';
      const inputSha256 = createHash('sha256').update(html).digest('hex');
      const page = mode === 'source' ? { elements: [], text: html, script: '' } : interpret(html);
      pages.push({ mode, mediaType, inputSha256, ...page });
      response.writeHead(204).end();
    });
  });
  return pages;
};
