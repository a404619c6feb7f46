/** The Ed25519 key of a log: 32 public bytes, and what makes 64 bytes of signature over a message (RFC 8032). */
export type LogKey = {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
};

/**
 * The log of an attesting signer, open for this process alone. What it holds is *published*: on the disk, and under a signed checkpoint. Bytes of a
 * record are its canonical text (RFC 8785); the log does not read them.
 */
export type Log = {
  /** How many records are published. */
  readonly size: number;
  /** The index that the next append gives, hence the `seq` of its event: read it in the same turn of the event loop as the append. */
  readonly next: number;
  /**
   * Takes a record of at most 1 MiB without a line feed; resolves to its index once it is published. Appends made meanwhile share what is written.
   * Rejects with EnvironmentFault when the disk fails: the log then takes no more until it is opened again, which keeps what the disk kept.
   */
  append(record: Uint8Array): Promise<{ readonly index: number }>;
  /** The bytes of a published record; RangeError for another index. */
  record(index: number): Uint8Array;
  /** The checkpoint of all that is published: a signed note of this log's key alone (C2SP tlog-checkpoint). */
  checkpoint(): string;
  /** The inclusion proof of a record in the tree of the first `size` records (default: all), 32 bytes each (RFC 9162 section 2.1.3.1), from tiles alone. */
  proof(index: number, size?: number): readonly Uint8Array[];
  /** Waits for what was appended, then lets another signer have the log. */
  close(): Promise<void>;
};
