import type { ReasonEntries } from './entry.ts';

const pcm = { family: 'PCM', techniques: [] } as const;
const FORGED = ['AML.T0073', 'ASI03', 'ASI07', 'CWE-345', 'CWE-347'];
const READ_APART = ['ASI07', 'CWE-436', 'CWE-694'];
const SENDER_OR_CAPTURE =
  'A capture that redacted a secret inside the message, that began after the message was signed, or whose clock is minutes from that of the signer; a trust document without a key that was in force at the time.';
const SAME_KEYS = 'Verify under the trust and schema documents that the receiver had at the time of the exchange.';

/** Proof-carrying messages in the requests of a trace (docs/PCM-A2A.md). */
export const PCM_REASONS_OF_TRACES = {
  PCM_TRACE_REJECTED: {
    ...pcm,
    techniques: FORGED,
    level: 'finding',
    title: 'A proof-carrying message that its receiver must refuse was sent to it',
    means:
      'A request carries a message of PCM that a verifier rejects with the given keys and schemas, at the time of the exchange: signature, recipient, replay, schema, grants or a claim fails, as the detail says.',
    not: 'It does not say that the receiver acted on the message, nor who altered or repeated it.',
    next: 'Look at the answer of the exchange and at what the receiver did after it. Explain the codes of the detail with forensictrace explain.',
    falsePositives: SENDER_OR_CAPTURE,
  },
  PCM_TRACE_BAD_INPUT: {
    ...pcm,
    techniques: READ_APART,
    level: 'finding',
    title: 'A part of the media type of PCM holds no message that can be read without doubt',
    means:
      'A part of a request says that it carries a message of PCM. What it holds is refused before any check: it is no text, no strict JSON, or two readers may see two messages in it.',
    not: 'It does not say that anybody meant to deceive: a sender that puts the message into a data part gives the same.',
    next: 'Compare the stored text of the request with what the receiver made of it.',
    falsePositives: SENDER_OR_CAPTURE,
  },
  PCM_TRACE_UNPROVEN: {
    ...pcm,
    level: 'warning',
    title: 'A proof-carrying message was sent of which not every claim is proven',
    means: 'The message verifies, but a claim, or a type of claim that its schema lists, is not proven.',
    not: 'It does not say that the claim is false, nor that the receiver relied on it.',
    next: 'Find out whether the receiver acted on the claim, and ask the sender for its evidence.',
    falsePositives: 'A schema whose claims are meant as the word of the sender.',
  },
  PCM_TRACE_SCHEMA_NOT_GIVEN: {
    ...pcm,
    level: 'inconclusive',
    title: 'The schema of a proof-carrying message was not given',
    means:
      'The message is signed by a pinned key, and its intent names a schema document that the verifier does not have.',
    not: 'It says nothing of the args, the grants and the claims of the message.',
    next: 'Give the schema document of the receiver with --pcm-schema.',
    falsePositives: 'None: the schema was given or not.',
  },
  PCM_TRACE_RECEIVER_NOT_KNOWN: {
    ...pcm,
    level: 'inconclusive',
    title: 'It is not known whom a proof-carrying message reached',
    means:
      'The message verifies, but the agent that served the exchange has no name in the trace, or the profile gives it no identity. Whether the message was for it cannot be told.',
    not: 'It does not say that the message was for another.',
    next: 'Name the identity of the serving agent under pcm.identities of the profile.',
    falsePositives: 'None: the identity was given or not.',
  },
  PCM_TRACE_NOT_READ: {
    ...pcm,
    level: 'inconclusive',
    title: 'A request that may carry a proof-carrying message could not be read',
    means:
      'The stored request names the media type of PCM, and is cut at the capture limit or no JSON, so that its parts cannot be told.',
    not: 'It does not say that the receiver could not read it.',
    next: 'Capture again with a larger body limit, or ask the receiver for its copy.',
    falsePositives: 'A text that mentions the media type without carrying a message.',
  },
  PCM_DOCUMENT_REFUSED: {
    ...pcm,
    level: 'read',
    title: 'A trust or schema document for proof-carrying messages is refused',
    means:
      'The document that was given with --pcm-trust or --pcm-schema is not one that PCM 0.1 takes, as the detail says.',
    not: 'It says nothing of the evidence.',
    next: `Mend the document; forensictrace pcm verify refuses it too. ${SAME_KEYS}`,
    falsePositives: 'None: the document obeys docs/PCM.md sections 5 and 6 or does not.',
  },
} as const satisfies ReasonEntries;
