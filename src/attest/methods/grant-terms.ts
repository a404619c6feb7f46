import * as z from 'zod';
import { PCM_LIMITS } from '../../pcm/limits.ts';
import { AnyValue, IntentType, Name, Time } from '../../pcm/shapes.ts';
import { microsOf } from '../../pcm/time.ts';
import type { PcmObject } from '../../pcm/value.ts';
import { requireCaveats } from '../caveats.ts';
import { invalid } from '../refused.ts';
import { shapeFault } from '../shape.ts';

const MAX_MICROS = 24n * 3_600_000_000n;

const Caveats = z.array(z.strictObject({ field: z.string(), op: z.string(), value: AnyValue })).max(PCM_LIMITS.caveats);

/** What an agent may say of a child; its intent is the parent's. */
export const ChildTerms = z.strictObject({
  subject: Name,
  caveats: Caveats,
  expires_at: Time,
  delegable: z.boolean(),
});

/** The args of a `pcm.grant` call: what the person is asked to grant. */
const RootTerms = ChildTerms.extend({ intent: IntentType });
export type RootTerms = Readonly<z.infer<typeof RootTerms>>;

/** Takes the args of a `pcm.grant` call; returns them as the terms of a grant, or refuses them. */
export const rootTermsOf = (args: PcmObject): RootTerms => {
  const fault = shapeFault(RootTerms, args);
  if (fault !== null) throw invalid(`/args${fault.at}: ${fault.detail}`);
  const terms = args as RootTerms;
  requireCaveats(terms.caveats);
  return terms;
};

/** Refuses an expiry that is not within the 24 hours from now: a grant cannot be revoked, so it lapses soon. */
export const requireWithinADay = (expiresAt: string, now: string): void => {
  const left = microsOf(expiresAt)! - microsOf(now)!;
  if (left <= 0n || left > MAX_MICROS)
    throw invalid(`expires_at ${expiresAt} is not within the next 24 hours (it is ${now})`);
};
