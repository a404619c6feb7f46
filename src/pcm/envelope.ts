import * as z from 'zod';
import { accepted, type PcmResult, refusedBy } from './finding.ts';
import { PCM_LIMITS } from './limits.ts';
import { AnyValue, IntentType, Members, misshapen, Name, Signature, Time } from './shapes.ts';
import type { PcmValue } from './value.ts';

const Token = z.string().regex(/^[0-9a-f]{32}$/, '32 lower-case hex digits are expected');

/** A claim as it stands in a message: what its args and its evidence must be is judged with the claim. */
export const Claim = z.strictObject({ type: z.string(), args: Members, evidence: AnyValue.optional() });
export type Claim = Readonly<z.infer<typeof Claim>>;

/** The envelope of a message (docs/PCM.md section 3). Members it does not list refuse it. */
const Envelope = z.strictObject({
  pcm: z.literal(0),
  id: Token,
  ts: Time,
  nonce: Token,
  from: z.strictObject({ agent: Name, run: Name, tenant: Name }),
  to: z.strictObject({ agent: Name }),
  intent: z.strictObject({ type: IntentType, args: Members }),
  claims: z.array(Claim).max(PCM_LIMITS.claims).optional(),
  grants: z.array(AnyValue).optional(),
  payload: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('text'), text: z.string() }),
      z.strictObject({ kind: z.literal('data'), data: AnyValue }),
    ])
    .optional(),
  sig: Signature,
});
export type Envelope = Readonly<z.infer<typeof Envelope>>;

/** Takes what was read; returns it as a message, or the first member that does not fit. */
export const envelopeOf = (value: PcmValue): PcmResult<Envelope> => {
  const fault = misshapen(Envelope, value, 'PCM_ENVELOPE');
  return fault === null ? accepted(value as unknown as Envelope) : refusedBy(fault);
};
