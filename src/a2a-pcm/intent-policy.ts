import type { Envelope } from '../pcm/envelope.ts';
import type { Extensions } from '../pcm/extensions/options.ts';
import { type Finding, finding } from '../pcm/finding.ts';
import type { PcmJudged } from '../pcm/result.ts';
import type { PcmSchema } from '../pcm/schema.ts';
import { isTestCommand } from '../pcm/test-command.ts';

/**
 * How much of a message must be proven. `all-proven`: every claim, and each type that the schema lists; `listed-proven`: each type that the
 * schema lists; `unproven`: nothing, claims are then the sender's word.
 */
export type Strictness = 'all-proven' | 'listed-proven' | 'unproven';

/** What a receiver accepts of one intent, beyond what verifies (docs/PCM-A2A.md). */
export type IntentPolicy = {
  readonly schema: PcmSchema;
  /** Persons whose grant is accepted; without one of them the message is refused. Absent: a grant is judged where there is one. */
  readonly root_persons?: readonly string[];
  /** Test commands of which a proven tests_passed must name one, exactly. Absent: any. */
  readonly suites?: readonly string[];
  /** Seconds from the oldest record of a proven claim's evidence to the message. Absent: any. */
  readonly max_age_s?: number;
  /** Claims of a state need fresh evidence, with a head at most so many seconds from the receiver's clock (docs/PCM-EXTENSIONS.md). Absent: 0.1 alone. */
  readonly fresh?: { readonly max_head_age_s: number };
  /** A host is reached when it answered, whatever it answered (docs/PCM-EXTENSIONS.md). Default: false. */
  readonly any_response?: boolean;
  /** A field of the schema on whose value the receiver acts once. */
  readonly once_field?: string;
  /** Default: `all-proven`. */
  readonly strictness?: Strictness;
};

/** Takes a policy; throws RangeError on one that could accept nothing, or that names a field which a message may leave out. */
export const requirePolicy = (policy: IntentPolicy): void => {
  const { schema, root_persons, suites, max_age_s, fresh, once_field } = policy;
  const refuse = (why: string) => {
    throw new RangeError(`the policy of ${schema.ref}: ${why}`);
  };
  if (root_persons?.length === 0) refuse('root_persons is empty');
  if (suites?.length === 0) refuse('suites is empty');
  const plain = suites?.find((suite) => !isTestCommand(suite));
  if (plain !== undefined) refuse(`${plain} is no test command, so no claim of it is ever proven`);
  if (max_age_s !== undefined && !(max_age_s >= 0)) refuse('max_age_s is a number of seconds');
  if (fresh !== undefined && !(fresh.max_head_age_s >= 0)) refuse('max_head_age_s is a number of seconds');
  if (once_field !== undefined && schema.fields.get(once_field)?.optional !== false)
    refuse(`once_field ${once_field} is no field that every message of it has`);
};

/** What a policy asks beyond PCM 0.1, at a time of PCM. */
export const extensionsOf = ({ fresh, any_response }: IntentPolicy, now: string): { extensions?: Extensions } => {
  if (fresh === undefined && any_response !== true) return {};
  const maxAge = fresh === undefined ? null : { seconds: fresh.max_head_age_s, now };
  return { extensions: { ...(maxAge === null ? {} : { fresh: { maxAge } }), anyResponse: any_response === true } };
};

/**
 * Takes a result; returns why nobody may act on it whatever the policy: the findings of bad input and of a reject, and a check that was skipped; else
 * nothing.
 */
export const neverActedOn = (outcome: PcmJudged): readonly Finding[] => {
  if (outcome.verdict === 'reject') return outcome.findings;
  return outcome.skipped.map((check) => finding('PCM_NOT_CHECKED', '', `${check} was not checked`));
};

const unprovenOf = ({ findings }: PcmJudged, strictness: Strictness): readonly Finding[] => {
  const short = strictness === 'unproven' ? [] : findings;
  return short
    .filter(({ reason }) => strictness === 'all-proven' || reason === 'PCM_CLAIM_REQUIRED')
    .map(({ at, detail }) => finding('PCM_POLICY_UNPROVEN', at, detail));
};

const rootOf = ({ grants }: PcmJudged, persons: readonly string[] | undefined): readonly Finding[] => {
  if (persons === undefined || (grants.root !== null && persons.includes(grants.root.person))) return [];
  const seen = grants.root === null ? 'no grant' : `a grant of ${grants.root.person}`;
  return [finding('PCM_POLICY_ROOT_PERSON', '/grants', `${seen}, whom this receiver does not accept for the intent`)];
};

const suiteOf = ({ claims }: PcmJudged, message: Envelope, suites: readonly string[] | undefined) => {
  const isAccepted = (suite: unknown): boolean => typeof suite === 'string' && (suites?.includes(suite) ?? true);
  const passed = claims.some(
    ({ type, result }, i) =>
      type === 'tests_passed' && result === 'proven' && isAccepted(message.claims![i]!.args.suite),
  );
  return suites === undefined || passed
    ? []
    : [finding('PCM_POLICY_SUITE', '/claims', 'no proven tests_passed of an accepted suite')];
};

const ageOf = ({ claims }: PcmJudged, maxAgeS = Number.POSITIVE_INFINITY): readonly Finding[] =>
  claims.flatMap(({ evidence_age_s: age, type }, i) =>
    age === undefined || age <= maxAgeS
      ? []
      : [finding('PCM_POLICY_AGE', `/claims/${i}`, `${type}: evidence ${age} s before the message, over ${maxAgeS} s`)],
  );

/** Takes a message that was not rejected, its result and the policy of its intent; returns what the policy does not accept. */
export const notAccepted = (
  message: Envelope,
  outcome: PcmJudged,
  { root_persons, suites, max_age_s, strictness = 'all-proven' }: IntentPolicy,
): readonly Finding[] => [
  ...unprovenOf(outcome, strictness),
  ...rootOf(outcome, root_persons),
  ...suiteOf(outcome, message, suites),
  ...ageOf(outcome, max_age_s),
];
