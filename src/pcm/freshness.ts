import * as z from 'zod';
import { portableCrypto } from '../base/portable-crypto.ts';
import { HASH, Time } from './shapes.ts';
import { ageInSeconds } from './time.ts';

const Sent = z.object({ ts: Time });
const Backed = z.object({
  evidence: z.object({ records: z.array(z.object({ event: z.object({ ts: Time }) })).min(1) }),
});
const Written = z.object({ type: z.literal('file_written'), args: z.object({ digest: z.string().regex(HASH) }) });

/** As a message or a claim stands in parsed JSON: whatever it is, it is judged. */
type Parsed = Readonly<Record<string, unknown>>;

/**
 * Takes a message that verified and one of its claims; returns the seconds from the oldest record of the claim's evidence to the message, both by
 * the clock of the signer, or null where the claim has no evidence. A sender can add records, but not make evidence look newer. It says what had
 * happened, not that it still holds (PCM, wiki page, "Freshness").
 */
export const evidenceAge = (message: Parsed, claim: Parsed): number | null => {
  const [sent, backed] = [Sent.safeParse(message), Backed.safeParse(claim)];
  if (!sent.success || !backed.success) return null;
  const times = backed.data.evidence.records.map(({ event }) => event.ts);
  return ageInSeconds(times, sent.data.ts);
};

/**
 * Takes a proven `file_written` claim and the bytes that came as that file; true when the claim's digest is theirs. Act on these same bytes: a file
 * read again may be another. False for any other claim (PCM, wiki page, "Freshness").
 */
export const sameFile = (claim: Parsed, bytes: Uint8Array): boolean => {
  const written = Written.safeParse(claim);
  return written.success && written.data.args.digest === `sha256:${portableCrypto.sha256Hex(bytes)}`;
};
