const AS_TEXT = 'Ask the sender to put the text of the message, as its signer wrote it, into one text part.';
const input = (means: string, next: string) => ({ level: 'bad-input', means, next }) as const;
const reject = (means: string, next: string) => ({ level: 'reject', means, next }) as const;

/** Of a message that came in a part of A2A, and of what its receiver accepts of one that verifies (docs/PCM-A2A.md). */
export const A2A_REASONS = {
  PCM_A2A_BODY: input('The request is no JSON, or names a member twice on the way to its parts.', AS_TEXT),
  PCM_A2A_BODY_TOO_LONG: input('The request is longer than this guard reads.', 'Send fewer messages in one request.'),
  PCM_A2A_BATCH: input('A batch of calls carries a message.', 'Send each call in a request of its own.'),
  PCM_A2A_PART: input('A part of the media type of PCM does not hold its message as text.', AS_TEXT),
  PCM_A2A_PARTS: input(
    'The request carries more messages than this guard verifies.',
    'Send fewer messages in one request.',
  ),
  PCM_A2A_INTEGER: input(
    'An integer is written with a point or an exponent, which whoever parses it later cannot see.',
    'Ask the sender to write integers as integers.',
  ),
  PCM_NOT_CHECKED: reject(
    'The result is for audit: replay or the recipient was not checked.',
    'Verify it again with a replay state, a clock and your own identity.',
  ),
  PCM_POLICY_UNPROVEN: reject('A claim that the receiver wants proven is not.', 'Ask for the claim with its evidence.'),
  PCM_POLICY_ROOT_PERSON: reject(
    'No grant, or that of a person whom this receiver does not accept for the intent.',
    'Ask for a grant of a person that the receiver accepts.',
  ),
  PCM_POLICY_SUITE: reject(
    'No proven tests_passed names a suite that this receiver accepts for the intent.',
    'Ask the sender to run an accepted suite after your request.',
  ),
  PCM_POLICY_AGE: reject(
    'The evidence of a proven claim is older than this receiver accepts for the intent.',
    'Ask the sender to do it again and to send the claim right after.',
  ),
  PCM_POLICY_ONCE: reject('This receiver has already acted on this value of the field.', 'Do not act twice.'),
  PCM_POLICY_ONCE_FULL: reject(
    'The memory of values that were acted on is full, and forgetting one would let it come again.',
    'Give the receiver a state that holds more.',
  ),
} as const;
