import type { PcmJudged } from '../../src/pcm/result.ts';
import { verifyMessage } from '../../src/pcm/verify.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { bytesOf, type evidenceOf, type Members, messageOf, receiverOf, SCHEMA } from './lab.ts';

/** What B says of a message of A's. */
export const judge = (body: Members, schema: Members = SCHEMA): PcmJudged => {
  const outcome = verifyMessage(bytesOf(messageOf(body, schema)), receiverOf(schema), null, nativeCrypto);
  if (outcome.verdict === 'bad-input') throw new Error(outcome.reasons[0]);
  return outcome;
};
export type Evidence = ReturnType<typeof evidenceOf> | null | undefined;

/** The result and the reason of a message's one claim. */
export const claimOf = (
  type: string,
  args: Members,
  evidence: Evidence,
  more: Members = {},
  schema: Members = SCHEMA,
) => {
  const claim = { type, args, ...(evidence === undefined ? {} : { evidence }) };
  const { claims } = judge({ claims: [claim], ...more }, schema);
  return [claims[0]!.result, claims[0]!.reason.replace(/^PCM_(?:CLAIM_)?/, '')];
};
