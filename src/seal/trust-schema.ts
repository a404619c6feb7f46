import * as z from 'zod';
import { Id, Timestamp } from '../evidence/fields.ts';
import { KeyId } from './receipt.ts';

export const TRUST_FORMAT = 'a2aft.trust.v1';

/** One key of a signer (FORMAT.md section 7). */
const TrustKey = z.strictObject({
  key_id: KeyId.describe('of public_key'),
  public_key: z.string().describe('32 bytes in RFC 4648 section 4 base64'),
  status: z.enum(['active', 'retired', 'revoked']),
  valid_from: Timestamp.describe('receipts issued from then on are accepted'),
  valid_until: Timestamp.optional().describe('and before then; required when retired'),
  revoked_at: Timestamp.optional().describe('required when revoked, else absent'),
  revocation_reason: z
    .enum(['compromise', 'superseded', 'cessation'])
    .optional()
    .describe('required when revoked, else absent'),
});

/** The trust store of FORMAT.md section 7. */
export const TrustDocument = z.strictObject({
  format: z.literal(TRUST_FORMAT),
  signers: z.array(z.strictObject({ signer_id: Id, keys: z.array(TrustKey) })),
});
export type TrustDocument = Readonly<z.infer<typeof TrustDocument>>;
export type TrustKey = Readonly<z.infer<typeof TrustKey>>;
