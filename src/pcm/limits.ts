/** The bounds of what is read from a stranger, as data. The sources name none but the depth: the others are ours (docs/PCM.md section 16). */
export const PCM_LIMITS = {
  /** Bytes of a message, and of a trust or schema document. Read, a message of many short values is a hundred times its size. */
  messageBytes: 1024 * 1024,
  documentBytes: 256 * 1024,
  /** Containers in containers; the outermost is 1. */
  depth: 128,
  /** UTF-16 code units of an identity, a run, a tenant, a name. */
  nameLength: 256,
  claims: 64,
  /** Grants in one chain, and caveats of one grant. */
  grants: 32,
  caveats: 256,
  /** Records of one claim's evidence, and hashes of one inclusion proof: a tree of 2^64 leaves needs 64. */
  records: 256,
  proof: 64,
  /** A checkpoint: characters, and signature lines. */
  noteLength: 64 * 1024,
  noteSignatures: 64,
  /** States of the automaton of one id pattern. */
  patternStates: 4096,
} as const;
