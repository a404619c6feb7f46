import { neutralise } from '../../src/index.ts';

/** An element of HTML or SVG. Strings among the children are text, never markup. */
export type Markup = {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (Markup | string)[];
};

export const element = (
  tag: string,
  attributes: Markup['attributes'] = {},
  ...children: readonly (Markup | string)[]
): Markup => ({ tag, attributes, children });

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => neutralise(text).replace(/[&<>"]/g, (character) => ENTITIES[character]!);

/** HTML elements that have no end tag. */
const VOID = new Set(['meta']);

/**
 * The text of an element, every value escaped and what could hide or reorder text made visible. Coordinates are told to a
 * hundredth, so that the same plot has the same bytes everywhere.
 */
export const markupText = ({ tag, attributes, children }: Markup): string => {
  const named = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? Math.round(value * 100) / 100 : escaped(value)}"`)
    .join('');
  if (VOID.has(tag)) return `<${tag}${named}>`;
  return `<${tag}${named}>${children.map((child) => (typeof child === 'string' ? escaped(child) : markupText(child))).join('')}</${tag}>`;
};
