import { base64 } from '@scure/base';

/** Takes bytes; returns their RFC 4648 section 4 text, padded. */
export const encodeBase64 = (bytes: Uint8Array): string => base64.encode(bytes);

/**
 * Takes text; returns its bytes, or null unless it is the one padded RFC 4648 section 4 text of them: unused bits zero, no
 * white space. Two spellings of one signature would be two receipts.
 */
export const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return base64.decode(text) as Uint8Array<ArrayBuffer>;
  } catch {
    return null;
  }
};
