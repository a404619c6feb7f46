import type { WireIssue } from '../../base/wire-fields.ts';
import { parseWire, type WireNode } from '../../base/wire-json.ts';
import { bodyBytes } from '../body.ts';
import type { Body } from '../fields.ts';

/** A text whose outermost value is a JSON object, with its tree. */
export type WireText = { readonly text: string; readonly root: WireNode };

/**
 * What a text gave: an object, nothing to read, or the issue of the whole of it. `peers_read`: software less strict, or with the whole of a cut text,
 * may have read it all the same.
 */
export type Whole =
  | { readonly read: WireText }
  | { readonly empty: true }
  | { readonly issue: WireIssue; readonly peers_read: boolean };

export const EMPTY: Whole = { empty: true };

/** Takes the text of a body, a stream event or a card. An empty one has nothing to read; one that is no object is `wrong_type`. */
export const readText = (text: string): Whole => {
  if (text === '') return EMPTY;
  const root = parseWire(text);
  if (root === null) return { issue: 'unparsable', peers_read: isJson(text) };
  return root.kind === 'object' ? { read: { text, root } } : { issue: 'wrong_type', peers_read: false };
};

/** Takes a body as kept: a missing or empty one has nothing to read, a cut one is `truncated`, bytes that are no UTF-8 are `unparsable`. */
export const readBody = (body: Body | null): Whole => {
  if (body === null || body.size === 0) return EMPTY;
  if (body.truncated !== null) return { issue: 'truncated', peers_read: /^\ufeff?\s*\{/.test(body.text) };
  return body.encoding === 'base64' ? readInvalidUtf8(bodyBytes(body)) : readText(body.text);
};

/** Bytes that are no UTF-8: JSON readers of the web replace what is invalid and go on. */
export const readInvalidUtf8 = (bytes: Uint8Array): Whole => ({
  issue: 'unparsable',
  peers_read: isJson(new TextDecoder('utf-8').decode(bytes)),
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return true;
  } catch {
    return false;
  }
};
