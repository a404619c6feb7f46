import { isWellFormed } from '../../base/utf8.ts';
import type { WireNode } from '../../base/wire-json.ts';
import type { WireText } from './text.ts';
import { isUriMember, scanUris, URI_LENGTH_LIMIT } from './uri-scan.ts';

/** A URI as written, and the RFC 6901 pointer of the string that holds it; null when that pointer is no text of a record. */
export type UriPlace = { readonly uri: string; readonly pointer: string | null };

/** At most so many URIs are taken from one text, so that a peer cannot fill the disk. */
export const URI_LIMIT = 1_000;

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

type Visit = (value: string, name: string | null, path: readonly string[]) => void;

/** Recursion is bounded by the depth of a wire text. */
const visitStrings = (node: WireNode, name: string | null, path: string[], visit: Visit): void => {
  if (node.kind === 'string') visit(node.value, name, path);
  const children =
    node.kind === 'object'
      ? node.members.map((member) => [member.name, member.name, member.value] as const)
      : node.kind === 'array'
        ? node.items.map((item, index) => [null, String(index), item] as const)
        : [];
  for (const [childName, segment, child] of children) {
    path.push(segment);
    visitStrings(child, childName, path, visit);
    path.pop();
  }
};

const pointerOf = (path: readonly string[]): string | null => {
  const pointer = path.map((segment) => `/${escaped(segment)}`).join('');
  return pointer.length <= URI_LENGTH_LIMIT && isWellFormed(pointer) ? pointer : null;
};

/**
 * The URIs in the strings of a JSON text, for a capture to record: the whole value of a member `url` or `uri` (a part, a push notification
 * configuration, a file), and every URI inside other strings. At most URI_LIMIT, each place once; `onMore` is called when there are more.
 */
export const urisIn = ({ root }: WireText, onMore: () => void): UriPlace[] => {
  const places: UriPlace[] = [];
  let hasMore = false;
  visitStrings(root, null, [], (value, name, path) => {
    const room = URI_LIMIT - places.length;
    const whole = isUriMember(name) && value !== '' && value.length <= URI_LENGTH_LIMIT && isWellFormed(value);
    const uris = whole ? [value] : scanUris(value, room + 1);
    hasMore ||= uris.length > room;
    if (uris.length === 0 || room === 0) return;
    const pointer = pointerOf(path);
    for (const uri of new Set(uris.slice(0, room))) places.push({ uri, pointer });
  });
  if (hasMore) onMore();
  return places;
};

/** The strings of one JSON text, to be asked for many references. */
export class TextStrings {
  private readonly wire: WireText;
  private readonly members = new WeakMap<WireNode, ReadonlyMap<string, readonly WireNode[]>>();
  private joined: string | null = null;

  constructor(wire: WireText) {
    this.wire = wire;
  }

  /** True when the string at the pointer contains the URI: with null any string of the text, or the text as it stands. A repeated name leads to each of its values. */
  hold(uri: string, pointer: string | null): boolean {
    if (pointer === null) return this.wire.text.includes(uri) || this.anyString().includes(uri);
    return this.at(pointer).some((node) => node.kind === 'string' && node.value.includes(uri));
  }

  private at(pointer: string): readonly WireNode[] {
    if (pointer !== '' && !pointer.startsWith('/')) return [];
    let nodes: readonly WireNode[] = [this.wire.root];
    for (const segment of pointer.split('/').slice(1)) {
      nodes = nodes.flatMap((node) => this.step(node, unescaped(segment)));
      if (nodes.length === 0) break;
    }
    return nodes;
  }

  private step(node: WireNode, name: string): readonly WireNode[] {
    if (node.kind === 'array') {
      const item = /^(?:0|[1-9][0-9]*)$/.test(name) ? node.items[Number(name)] : undefined;
      return item === undefined ? [] : [item];
    }
    return node.kind === 'object' ? (this.membersOf(node).get(name) ?? []) : [];
  }

  /** An index, so that many references into one wide object cost one pass over it. */
  private membersOf(node: WireNode & { readonly kind: 'object' }): ReadonlyMap<string, readonly WireNode[]> {
    const known = this.members.get(node);
    if (known !== undefined) return known;
    const index = new Map<string, WireNode[]>();
    for (const { name, value } of node.members) {
      const same = index.get(name);
      if (same === undefined) index.set(name, [value]);
      else same.push(value);
    }
    this.members.set(node, index);
    return index;
  }

  private anyString(): string {
    if (this.joined === null) {
      const strings: string[] = [];
      visitStrings(this.wire.root, null, [], (value) => strings.push(value));
      this.joined = strings.join('\n');
    }
    return this.joined;
  }
}
