/** Some bytes of a file, and where in it they start. */
export type Stretch = { readonly bytes: Uint8Array; readonly base: number };

/**
 * The bytes of a file, in memory or not. Whoever implements it answers for this: what it gives for a position is the same at every asking.
 */
export type ByteSource = {
  readonly size: number;
  /** All of them, where they are in memory. */
  readonly whole: Uint8Array | null;
  /** A stretch that holds the position `from`, and `least` bytes from it on as far as the file has them; good until the next call. */
  stretch(from: number, least: number): Stretch;
};

/** The source of bytes that are in memory. */
export const inMemory = (bytes: Uint8Array): ByteSource => {
  // A Buffer makes its views in JavaScript: they cost five times as much.
  const whole = { bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), base: 0 };
  return { size: bytes.length, whole: bytes, stretch: () => whole };
};
