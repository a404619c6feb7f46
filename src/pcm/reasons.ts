import { A2A_REASONS } from './reasons-a2a.ts';
import { CLAIM_REASONS } from './reasons-claims.ts';
import { EXTENSION_REASONS } from './reasons-extensions.ts';

/**
 * What a reason decides. `bad-input` the text is refused before any check; `configuration` the receiver's own trust or schema document is refused;
 * `reject` the message; `failed`, `unproven` and `proven` a claim.
 */
export const PCM_LEVELS = ['bad-input', 'configuration', 'reject', 'failed', 'unproven', 'proven'] as const;
export type PcmLevel = (typeof PCM_LEVELS)[number];

/** One reason: its level, what it means, and what to do next. */
export type PcmReasonEntry = { readonly level: PcmLevel; readonly means: string; readonly next: string };

const at = (level: PcmLevel) => (means: string, next: string) => ({ level, means, next }) as const;
const input = (means: string) =>
  at('bad-input')(means, 'Ask the sender for the message as its signer wrote it, byte for byte.');
const configuration = at('configuration');
const reject = at('reject');

/** The vocabulary of a verifier of PCM; types, tests and the table of docs/PCM.md are read off it. */
export const PCM_REASONS = {
  PCM_READ_TOO_LONG: input('The text is longer than this verifier reads.'),
  PCM_READ_UTF8: input('The bytes are not UTF-8.'),
  PCM_READ_BYTE_ORDER_MARK: input('The text begins with a byte order mark.'),
  PCM_READ_SYNTAX: input('The text is no JSON (RFC 8259).'),
  PCM_READ_DEPTH: input('Containers are nested deeper than 128.'),
  PCM_READ_DUPLICATE: input('An object names a member twice, so two readers may see two messages.'),
  PCM_READ_SURROGATE: input('A string or a name holds half a surrogate pair.'),
  PCM_READ_NUMBER: input('An integer token is beyond 2^53 - 1, or a number overflows.'),

  PCM_TRUST_SHAPE: configuration(
    'The trust document has no logs, or a member of another type.',
    'Write {"logs": ["<vkey>"]}, or take the one that `forensictrace signer trust` writes.',
  ),
  PCM_TRUST_KEY: configuration(
    'A verifier key is malformed, not canonical, of another type, or weak.',
    'Copy the key again from the signer or the witness.',
  ),
  PCM_TRUST_LOG_TWO_KEYS: configuration(
    'Two keys are pinned for one log, and an old key may have leaked.',
    'Keep only the current key of the log.',
  ),
  PCM_TRUST_LOG_TWO_NAMES: configuration(
    'One key is pinned for two logs, and a message names its log by its key.',
    'Keep it under the name that its checkpoints carry.',
  ),
  PCM_TRUST_WITNESS_TWO_KEYS: configuration(
    'Two keys are pinned for one witness, which would count twice.',
    'Keep only the current key of the witness.',
  ),
  PCM_TRUST_WITNESS_TWO_NAMES: configuration(
    'One key is pinned for two witnesses, which would count twice.',
    'Keep it under the name it cosigns with.',
  ),
  PCM_SCHEMA_DOCUMENT: configuration(
    'The schema document has a member that is missing, unknown or of another type.',
    'Mend the document; its ref changes with it.',
  ),
  PCM_SCHEMA_PATTERN: configuration(
    'The pattern of an id field is outside the dialect.',
    'Write it with literals, sets, groups, | and counts alone.',
  ),

  PCM_ENVELOPE: reject(
    'A member of the envelope is missing, unknown or malformed.',
    'Ask the sender which signer made the message.',
  ),
  PCM_SIGNATURE_KEY: reject(
    'The key that the message names is not pinned.',
    'Pin the key only if you trust that signer, got from its operator and not from the sender.',
  ),
  PCM_SIGNATURE_ENCODING: reject('The signature is not 64 bytes of canonical base64.', 'Treat the message as forged.'),
  PCM_SIGNATURE: reject('The pinned key did not sign this message.', 'Treat the message as forged or altered.'),
  PCM_REPLAY_RECIPIENT: reject(
    'The message is addressed to another.',
    'Do not act on it; it may still pass where it belongs.',
  ),
  PCM_REPLAY_WINDOW: reject(
    'The message is more than 300 s from the clock of the receiver.',
    'Check the clock, and ask for the message again.',
  ),
  PCM_REPLAY_BEFORE_START: reject(
    'The message was signed before the receiver started, which keeps no older memory.',
    'Ask for it again.',
  ),
  PCM_REPLAY_SEEN: reject('A message of this nonce was already received from this sender.', 'Do not act twice.'),
  PCM_REPLAY_FLOOR: reject(
    'The message is no newer than what was dropped from memory, so it may be a replay.',
    'Ask for it again.',
  ),
  PCM_SCHEMA_UNKNOWN: reject(
    'The receiver has no schema document of this ref.',
    'Compare the documents of both sides: an edited one has another ref.',
  ),
  PCM_SCHEMA_ARGS: reject('An arg is missing, unlisted, or not of its field.', 'Ask the sender to keep to the schema.'),
  PCM_GRANT_MISSING: reject('The schema requires a grant, and there is none.', "Ask the sender for a person's grant."),
  PCM_GRANT_TOO_MANY: reject('The chain has more grants than this verifier reads.', 'Ask for a shorter chain.'),
  PCM_GRANT_SHAPE: reject(
    'A member of a grant is missing, unknown or malformed.',
    'Ask the sender which signer made the grant.',
  ),
  PCM_GRANT_SIGNATURE: reject(
    'A grant is not signed as a grant by the key of the message.',
    'Treat the grant as forged.',
  ),
  PCM_GRANT_ROOT: reject(
    'The first grant was issued by no person, to its issuer, or has a parent.',
    'Ask for the whole chain, root first.',
  ),
  PCM_GRANT_LINK: reject(
    'A grant does not follow from the one before it, or that one cannot be passed on.',
    'Ask for the whole chain, root first.',
  ),
  PCM_GRANT_INTENT: reject('A grant is for another intent.', 'Ask for a grant of this intent.'),
  PCM_GRANT_TENANT: reject("A grant was issued outside the sender's tenant.", 'Do not act on it.'),
  PCM_GRANT_CAVEAT: reject('A caveat does not fit the schema.', 'Ask which schema the grant was made for.'),
  PCM_GRANT_WIDER: reject('A grant allows more, or longer, than the one before it.', 'Do not act on it.'),
  PCM_GRANT_EXPIRED: reject('A grant had expired when the message was signed.', 'Ask for a new grant.'),
  PCM_GRANT_SUBJECT: reject('The last grant is for another agent than the sender.', 'Do not act on it.'),
  PCM_GRANT_ARGS: reject(
    'The request is outside a caveat of a grant.',
    'Do not act on it; ask the person who granted.',
  ),
  ...CLAIM_REASONS,
  ...EXTENSION_REASONS,
  ...A2A_REASONS,
} as const satisfies Readonly<Record<string, PcmReasonEntry>>;
export type PcmReason = keyof typeof PCM_REASONS;
