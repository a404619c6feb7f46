/** The HTML of a Markdown document with its HTML nodes as they stand: only together may they open what a later one fills. */
import type { MarkdownNode } from './markdown.ts';

const BLOCKS: ReadonlyMap<string, string> = new Map([
  ['paragraph', 'p'],
  ['heading', 'h1'],
  ['blockquote', 'blockquote'],
  ['list', 'ul'],
  ['listItem', 'li'],
  ['link', 'a'],
  ['linkReference', 'a'],
]);

const escapeText = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&quot;'));

/**
 * @param blocks with the block elements of CommonMark's rendering, which close foreign content; without, as inline
 * renderers write
 */
export const joinedHtml = (root: MarkdownNode, blocks: boolean): string => {
  const parts: string[] = [];
  const waiting: (MarkdownNode | string)[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === 'string') parts.push(node);
    else if (node.type === 'html') parts.push(node.value);
    else if (node.type === 'text' || node.type === 'inlineCode' || node.type === 'code')
      parts.push(escapeText(node.value));
    else if ('children' in node) {
      const name = blocks ? BLOCKS.get(node.type) : undefined;
      if (name !== undefined) {
        parts.push(`<${name}>`);
        waiting.push(`</${name}>`);
      }
      const separator = node.type === 'root' ? '\n' : '';
      for (let at = node.children.length - 1; at >= 0; at--) waiting.push(separator, node.children[at]!);
    }
  }
  return parts.join('');
};
