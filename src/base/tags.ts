/** Every domain tag of FORMAT section 2. A digest of one domain is never a digest of another. */
export const TAGS = {
  record: 'A2AFT.Record.v3',
  edge: 'A2AFT.Edge.v3',
  edgeId: 'A2AFT.EdgeId.v3',
  merkleNode: 'A2AFT.MerkleNode.v3',
  capture: 'A2AFT.Capture.v3',
  commitments: 'A2AFT.Commitments.v3',
  profile: 'A2AFT.Profile.v3',
  families: 'A2AFT.Families.v3',
  settings: 'A2AFT.Settings.v3',
  receipt: 'A2AFT.Receipt.v3',
} as const;

export type Domain = keyof typeof TAGS;
export type Tag = (typeof TAGS)[Domain];

/** The domain a tag stands for. */
export type DomainOf<T extends Tag> = { [D in Domain]: (typeof TAGS)[D] extends T ? D : never }[Domain];

/** The tags that are hashed under; the receipt's tagged bytes are an Ed25519 message instead. */
export type DigestTag = Exclude<Tag, typeof TAGS.receipt>;
