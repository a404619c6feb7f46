/** One byte of a bundle, changed. */
export type Edit = { readonly bytes: Uint8Array; readonly offset: number; readonly from: string; readonly to: string };

/**
 * Changes the last byte of the first occurrence of a text within the record of an id. Throws when the bundle does not
 * hold that record, or the record not that text.
 */
export const editOneByte = (bundle: Uint8Array, idMember: string, id: string, text: string): Edit => {
  const line = Buffer.from(bundle)
    .toString()
    .split('\n')
    .find((row) => row.includes(`"${idMember}":"${id}"`) && row.includes(text));
  if (line === undefined) throw new Error(`no record with ${idMember} ${id} holds ${text}`);
  const bytes = Buffer.from(bundle);
  const offset = bytes.indexOf(line) + Buffer.from(line).indexOf(text) + Buffer.byteLength(text) - 1;
  const from = String.fromCharCode(bytes[offset]!);
  const to = from === '0' ? '1' : '0';
  bytes[offset] = to.charCodeAt(0);
  return { bytes, offset, from, to };
};
