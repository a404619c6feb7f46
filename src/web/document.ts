import { el, type PageNode } from '../report/html/node.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** Writes a page node into the document: elements by name, text as text; nothing is ever parsed. */
const written = (node: PageNode, within: 'html' | 'svg' = 'html'): Node => {
  if (typeof node === 'string') return document.createTextNode(node);
  const space = node.tag === 'svg' ? 'svg' : within;
  const element = space === 'svg' ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
  for (const child of node.children) element.append(written(child, space));
  return element;
};

/** The element of that id, which every page has; throws where it has not. */
export const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
};

export const put = (id: string, nodes: readonly PageNode[]): void =>
  byId(id).replaceChildren(...nodes.map((node) => written(node)));

/** A button that does something. */
export const button = (label: string, act: () => void): HTMLButtonElement => {
  const made = written(el('button', { type: 'button' }, label)) as HTMLButtonElement;
  made.addEventListener('click', act);
  return made;
};

/** Hands the reader a file that is made here. */
export const save = (name: string, bytes: BlobPart): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  // Revoked later: the download begins after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
