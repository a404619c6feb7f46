/** The label of an edge: the hex digits of so many bytes of the digest of its payload (FORMAT.md section 4). */
export const LABEL_BYTES = 12;
