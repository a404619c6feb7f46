import { decodeBase64 } from '../base/base64.ts';
import { encodeUtf8, isWellFormed } from '../base/utf8.ts';
import type { WireNode } from '../base/wire-json.ts';
import { escapePointer, type Finding, finding } from './finding.ts';

/** The media type of a part that carries a message of PCM. */
export const PCM_MEDIA_TYPE = 'application/vnd.pcm+json';

/** True for the media type of a message, whatever its case and parameters (RFC 9110 section 8.3.1). */
export const isPcmMediaType = (type: string): boolean =>
  type.length >= PCM_MEDIA_TYPE.length && type.split(';', 1)[0]!.trim().toLowerCase() === PCM_MEDIA_TYPE;

/** The bindings of A2A whose requests are JSON text. */
export type JsonBinding = 'JSONRPC' | 'HTTP+JSON';

/** A part that says it carries a message: the bytes of the message, or why there are none to read; `at` is its RFC 6901 pointer in the request. */
export type PcmPart =
  | { readonly at: string; readonly bytes: Uint8Array }
  | { readonly at: string; readonly refused: Finding };

/** `ambiguous`: where an object on the way to a part names a member twice, so that two readers may see two requests. */
export type PcmParts = { readonly parts: readonly PcmPart[]; readonly ambiguous: string | null };

/** A value and its place. */
type Placed = { readonly node: WireNode; readonly at: string };

// Each name in every spelling that a reader of A2A 1.0 or 0.3 takes.
const PARTS = ['parts', 'content'];
const TYPES = ['mediaType', 'media_type', 'mimeType', 'mime_type'];
const TEXT = ['text'];
const RAW = ['raw'];
const FILE_RAW = ['bytes', 'fileWithBytes', 'file_with_bytes'];
const REST = ['url', 'data'];
const FILE_REST = ['uri', 'fileWithUri', 'file_with_uri'];

/** Walks one request; every reading of a member that stands twice is followed, so that none passes unseen. */
class Walk {
  ambiguous: string | null = null;

  /** The members of these names that are not null. */
  under({ node, at }: Placed, names: readonly string[]): Placed[] {
    if (node.kind !== 'object') return [];
    if (new Set(node.members.map(({ name }) => name)).size < node.members.length) this.ambiguous ??= at;
    return node.members
      .filter(({ name, value }) => names.includes(name) && value.kind !== 'null')
      .map(({ name, value }) => ({ node: value, at: `${at}/${escapePointer(name)}` }));
  }

  items({ node, at }: Placed): Placed[] {
    return node.kind === 'array' ? node.items.map((item, i) => ({ node: item, at: `${at}/${i}` })) : [];
  }

  /** A text part of 0.3 has no media type of its own: its metadata says it. */
  isPcm(part: Placed): boolean {
    const holders = [part, ...this.under(part, ['file']), ...this.under(part, ['metadata'])];
    return holders
      .flatMap((holder) => this.under(holder, TYPES))
      .some(({ node }) => node.kind === 'string' && isPcmMediaType(node.value));
  }

  read(part: Placed): PcmPart {
    const { at } = part;
    const files = this.under(part, ['file']);
    const inFile = (names: readonly string[]) => files.flatMap((file) => this.under(file, names));
    const text = this.under(part, TEXT);
    const raw = [...this.under(part, RAW), ...inFile(FILE_RAW)];
    const rest = [...this.under(part, REST), ...inFile(FILE_REST)];
    const [content] = [...text, ...raw];
    if (content?.node.kind !== 'string' || text.length + raw.length + rest.length > 1)
      return { at, refused: finding('PCM_A2A_PART', at, 'a message travels as text, and this part has none, or more') };
    const { value } = content.node;
    if (!isWellFormed(value))
      return { at, refused: finding('PCM_READ_SURROGATE', content.at, 'an escape names half a surrogate pair') };
    const bytes = text.length > 0 ? encodeUtf8(value) : decodeBase64(value);
    return bytes === null
      ? { at, refused: finding('PCM_A2A_PART', content.at, 'the bytes of the part are not canonical base64') }
      : { at, bytes };
  }
}

/** From the outermost object to the message, by binding; 0.3 over HTTP+JSON may call it `request`. */
const MESSAGE_PATHS: Readonly<Record<JsonBinding, readonly (readonly string[])[]>> = {
  JSONRPC: [['params'], ['message']],
  'HTTP+JSON': [['message', 'request']],
};

/**
 * Takes the tree of a request that sends a message, of A2A 1.0 or 0.3 and its binding; returns its parts of the media type of PCM, in order. Whoever
 * parsed the request before has lost repeated names.
 */
export const pcmPartsOf = (root: WireNode, binding: JsonBinding): PcmParts => {
  const walk = new Walk();
  const messages = MESSAGE_PATHS[binding].reduce<Placed[]>(
    (placed, names) => placed.flatMap((one) => walk.under(one, names)),
    [{ node: root, at: '' }],
  );
  const parts = messages
    .flatMap((message) => walk.under(message, PARTS))
    .flatMap((list) => walk.items(list))
    .filter((part) => walk.isPcm(part))
    .map((part) => walk.read(part));
  return { parts, ambiguous: walk.ambiguous };
};
