import { parseWire, type WireNode } from '../../base/wire-json.ts';
import type { Head } from './origins.ts';

export type ForwardedCard = {
  readonly text: string;
  /** How many interface URLs were rewritten. */
  readonly rewritten: number;
  /** Whether a signature kept it from being rewritten. */
  readonly isSigned: boolean;
};

const INTERFACE_LISTS: ReadonlySet<string> = new Set([
  'supportedInterfaces',
  'supported_interfaces',
  'additionalInterfaces',
  'additional_interfaces',
]);

type Edit = { readonly start: number; readonly end: number; readonly by: string };

const valuesOf = (node: WireNode, names: ReadonlySet<string>): readonly WireNode[] =>
  node.kind === 'object' ? node.members.filter(({ name }) => names.has(name)).map(({ value }) => value) : [];

const itemsOf = (node: WireNode): readonly WireNode[] => (node.kind === 'array' ? node.items : []);

const URL_MEMBER: ReadonlySet<string> = new Set(['url']);
const SIGNATURES: ReadonlySet<string> = new Set(['signatures']);

/** Where in a string token its value has had so many UTF-16 units: an escape is one of them. */
const offsetIn = (token: string, units: number): number => {
  let at = 1;
  for (let left = units; left > 0; left--) at += token[at] !== '\\' ? 1 : token[at + 1] === 'u' ? 6 : 2;
  return at;
};

/**
 * An Agent Card (A2A 1.0 section 4.4.1, 0.3 section 5.5) as a client behind the proxy gets it: of its interface URLs the head is replaced as `forward`
 * says, nothing else is touched. Of a repeated name each value is an interface, as readers differ. A signed card stays as it is, since it would
 * no longer verify. Null when the text is no JSON.
 */
export const forwardedCard = (text: string, forward: (url: string) => Head | null): ForwardedCard | null => {
  const root = parseWire(text);
  if (root === null) return null;
  const holders = [root, ...valuesOf(root, INTERFACE_LISTS).flatMap(itemsOf)];
  const edits: Edit[] = [];
  for (const node of holders.flatMap((holder) => valuesOf(holder, URL_MEMBER))) {
    const head = node.kind === 'string' ? forward(node.value) : null;
    if (head === null) continue;
    const token = text.slice(node.start, node.end);
    edits.push({ start: node.start + 1, end: node.start + offsetIn(token, head.length), by: head.by });
  }
  const isSigned = edits.length > 0 && valuesOf(root, SIGNATURES).some((node) => itemsOf(node).length > 0);
  if (isSigned) return { text, rewritten: 0, isSigned };
  let out = '';
  let done = 0;
  for (const { start, end, by } of edits.sort((a, b) => a.start - b.start)) {
    out += text.slice(done, start) + by;
    done = end;
  }
  return { text: out + text.slice(done), rewritten: edits.length, isSigned };
};
