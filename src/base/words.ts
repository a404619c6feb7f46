import type { ReportFamily } from './reasons/entry.ts';

/** The families as people say them (RULES.md). */
export const FAMILY_NAMES = {
  AS: 'agent-card spoofing',
  CC: 'capability cloaking',
  CO: 'cycle overflow',
  HOTF: 'half-open task flooding',
  ASRF: 'agent-side request forgery',
  ATSI: 'artifact-triggered script injection',
  PCM: 'proof-carrying messages',
} as const satisfies Record<ReportFamily, string>;

/** The words of a report that are no reason codes: what each says, and what it does not say. */
export const WORDS = {
  AS: 'Agent-card spoofing: an agent used the endpoint of a card that is not trusted and looks like a trusted one, or an endpoint that its card does not have.',
  CC: 'Capability cloaking: an agent executed a capability that none of its cards had declared before, or that the caller may not use.',
  CO: 'Cycle overflow: agents handed a task around without progress, past the limits of the profile.',
  HOTF: 'Half-open task flooding: tasks kept waiting for input reached a threshold, and service degraded after that.',
  ASRF: 'Agent-side request forgery: an agent requested a URI that it was sent, and the URI or the address connected is outside the policy of the profile.',
  ATSI: 'Artifact-triggered script injection: a renderer interpreted an artifact that holds active content, such as a script.',
  PCM: 'Proof-carrying messages: a request carried a message of PCM that its receiver must refuse. Judged only when keys for such messages are given (--pcm-trust).',
  FORENSICALLY_CONSISTENT:
    'The evidence is what a trusted key signed, and every rule that had something to judge found it in order. It says nothing of families that were not observed.',
  FORENSICALLY_INDICATED:
    'The evidence is what a trusted key signed, and a rule names a record that fits its condition. It says what is recorded, not what anybody intended.',
  INCONCLUSIVE:
    'A fact or a relationship that a rule needs is missing, or there is nothing to judge. It is neither a pass nor a finding.',
  INTEGRITY_REFUSED:
    'The evidence is not what was signed, or it was not signed by a key that the trust store accepts. No rule was asked.',
  NOT_PROFILE_ADMISSIBLE:
    'The evidence is what a trusted key signed, but this profile cannot judge it: another profile was named, or the records contradict each other or their own wire text.',
  COULD_NOT_CHECK:
    'A file could not be read as what it should be. It says nothing of the evidence, which was not checked.',
  INTEGRITY_VERIFIED:
    'The evidence is what a trusted key signed. The rules were not asked (mode root-only), so it says nothing of what happened.',
  INDICATED: 'Of a family: a rule names at least one record that fits its condition.',
  CONSISTENT:
    'Of a family: the rule judged every record it applies to and found them in order, or the capture watched for such records and none came.',
  NOT_OBSERVED:
    'Of a family: no record to judge, and the capture did not watch for one, or the profile gives no measure. It does not say that nothing happened.',
  RECORD:
    'One thing that the capture saw, such as an exchange, a card, or a request for a URI; it has a type and an id.',
  EDGE: 'A relationship between two records. Edges follow from the records alone and are computed again at verification.',
  WIRE_TEXT: 'What went over the network, as received. Typed fields are read off it, and read again at verification.',
  HOP: 'One request for a URI: hop 0 is the first, each redirect that was followed is one more.',
  BASIS_POINT: 'A hundredth of a percent: 10000 are 100 %.',
  PROFILE:
    "The verifier's instructions: what is trusted, allowed and limited. The receipt names the one in force at capture.",
  RECEIPT:
    'What was signed: digests of the evidence, the incident, the profile, the signer and a time that the signer claims.',
} as const;
