import { neutralise } from '../../base/terminal.ts';

/** A page as data: whoever writes it, as text or into a document, takes a string for text and for nothing else. */
export type PageNode = string | PageElement;
export type PageElement = {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly PageNode[];
};
export type Content = PageNode | null | readonly Content[];
type Attributes = Readonly<Record<string, string | number | boolean | null>>;

const flat = (content: readonly Content[]): PageNode[] =>
  content.flatMap((item): PageNode[] => {
    if (item === null) return [];
    if (typeof item === 'string') return [neutralise(item)];
    return 'tag' in item ? [item] : flat(item);
  });

/**
 * An element. Attributes that are null or false are left out, true is an attribute without value. No character that hides or reorders text gets
 * past this function: whatever a stranger wrote is neutralised.
 */
export const el = (tag: string, attributes: Attributes = {}, ...content: readonly Content[]): PageElement => ({
  tag,
  attributes: Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === null || value === false ? [] : [[name, value === true ? '' : neutralise(String(value))]],
    ),
  ),
  children: flat(content),
});

const VOID = new Set(['br', 'input', 'meta', 'wbr']);
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeText = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

/** The text of a node in HTML. */
export const htmlText = (node: PageNode): string => {
  if (typeof node === 'string') return escapeText(node);
  const { tag, attributes, children } = node;
  const names = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeText(value)}"`);
  const start = `<${tag}${names.join('')}>`;
  return VOID.has(tag) ? start : `${start}${children.map(htmlText).join('')}</${tag}>`;
};
