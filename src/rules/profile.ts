import * as z from 'zod';
import { FAMILIES } from '../base/reasons/entry.ts';
import { Id, Label, Text } from '../evidence/fields.ts';
import { AsrfPolicy } from './detectors/uri/policy.ts';

export const PROFILE_FORMAT = 'a2aft.profile.v1';

const Limit = z.int().min(0).nullable().meta({ title: 'integer ≥ 0 or null' });

const PinnedCard = z
  .strictObject({
    name: Label.describe("the trusted agent's name, against which other names are compared"),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}(?!\n)$/)
      .describe('digest of its card as received'),
    allowed_origins: z.array(Text).describe('origins under which a changed card of this agent is still trusted'),
  })
  .meta({ title: 'pinned card' });

/** A verification profile (`profiles/*.json`): what a verifier is told to allow. Every member is required. */
export const Profile = z.strictObject({
  format: z.literal(PROFILE_FORMAT),
  profile_id: Id.describe('name of this profile; receipt and trace name the same'),
  description: Text.describe('what the profile is for, in words'),
  required_families: z
    .array(z.enum(FAMILIES))
    .describe('families that may not be NOT_OBSERVED in a consistent verdict'),
  time_tolerance_ms: z.int().min(0).describe('by how many milliseconds observed_at may step back along the sequence'),
  as: z.strictObject({
    pinned_cards: z
      .array(PinnedCard)
      .describe("trusted cards; the bundle's trusted_cards must be exactly these; empty: AS is NOT_OBSERVED"),
    similarity_threshold_bp: z
      .int()
      .min(0)
      .max(10_000)
      .describe('similarity, in basis points, from which an untrusted card that was used is INDICATED'),
    unknown_card: z.enum(['observe', 'finding']).describe('how an untrusted card unlike any pinned one is reported'),
    changed_card: z
      .enum(['observe', 'strict'])
      .describe('how a changed card under an allowed origin is reported; strict: a finding'),
  }),
  cc: z.strictObject({
    aliases: z
      .array(z.strictObject({ capability: Label, skill_id: Label }))
      .describe('names under which a declared skill may be executed'),
    permissions: z
      .array(z.strictObject({ capability: Label, callers: z.array(Label) }))
      .describe(
        'capabilities that only these callers may use; a capability that is not listed is open to every caller',
      ),
  }),
  co: z.strictObject({
    max_cycle_repeats: z.int().min(0).describe('closures of one agent allowed in a stall segment'),
    max_hops: z.int().min(1).describe('steps allowed in a stall segment'),
  }),
  hotf: z.strictObject({
    awaiting_input_threshold: z.int().min(1).describe('half-open tasks from which a flood is suspected'),
    max_queue_depth: Limit.describe('queue depth above which service is degraded; null: not looked at'),
    max_latency_us: Limit.describe('latency above which service is degraded, whole microseconds; null: not looked at'),
    max_timeouts: Limit.describe('timeouts in a window above which service is degraded; null: not looked at'),
  }),
  asrf: AsrfPolicy,
  atsi: z.strictObject({
    sandboxed_renderers: z
      .array(Label)
      .describe('renderers whose frames are sandboxed: active content there is an observation'),
    inert_marker: Text.nullable().describe(
      'text that counts as one more indicator of active content (experiments only); null: none',
    ),
  }),
  pcm: z
    .strictObject({
      identities: z
        .array(z.strictObject({ agent: Label, identity: Text }))
        .describe('the identity to which proof-carrying messages for an agent of the trace are addressed'),
    })
    .optional()
    .describe('read when keys for proof-carrying messages are given; absent: whom such a message reached is not known'),
});
export type Profile = Readonly<z.infer<typeof Profile>>;
