const failed = (means: string, next: string) => ({ level: 'failed', means, next }) as const;
const unproven = (means: string, next: string) => ({ level: 'unproven', means, next }) as const;

const SHOW = 'Ask the sender for the records of the call that it claims.';
const ALTERED = 'Treat the evidence as altered.';

/** The reasons of a claim's result. */
export const CLAIM_REASONS = {
  PCM_EVIDENCE_SHAPE: failed(
    'A member of the evidence is missing, unknown or malformed, or there are too many records.',
    SHOW,
  ),
  PCM_EVIDENCE_CHECKPOINT: failed('The checkpoint is no note that the pinned key of its log signed.', ALTERED),
  PCM_EVIDENCE_OTHER_LOG: failed(
    'The checkpoint is of another log than that whose key signed the message.',
    'Ask for evidence of the run itself.',
  ),
  PCM_EVIDENCE_WITNESSES: failed(
    'Fewer witnesses cosigned the checkpoint than the receiver requires.',
    'Ask again once the witnesses have cosigned.',
  ),
  PCM_EVIDENCE_EVENT: failed('A record holds no event that can be read.', SHOW),
  PCM_EVIDENCE_HASH: failed('The hash of a record is not that of its event.', ALTERED),
  PCM_EVIDENCE_PROOF: failed('The inclusion proof of a record does not lead to the checkpoint.', ALTERED),
  PCM_EVIDENCE_OTHER_RUN: failed(
    "A record is not of the sender's run and tenant.",
    'Ask for evidence of the run itself.',
  ),
  PCM_EVIDENCE_REPEATED: failed('One record is listed twice.', 'Ask for each record once.'),
  PCM_EVIDENCE_OPENING: failed('Salt and args do not open the commitment of a decision.', ALTERED),

  PCM_CLAIM_UNKNOWN_TYPE: failed('PCM 0.1 has no such claim type.', 'Ask for a claim of the vocabulary.'),
  PCM_CLAIM_MALFORMED: failed(
    'The args of the claim are not what its type takes.',
    'Ask the sender to claim it as its type asks.',
  ),
  PCM_CLAIM_NOT_SAID: failed('The evidence holds, and no record of it says what the claim says.', SHOW),
  PCM_APPROVAL_NONE: failed('No record is an approval of that call by that person.', 'Do not take it as approved.'),
  PCM_APPROVAL_UNLINKED: failed(
    'The approval comes without the request and the decision that say what was approved.',
    SHOW,
  ),
  PCM_APPROVAL_AMBIGUOUS: failed(
    'The records name more than one thing as approved.',
    'Ask for the records of one approval.',
  ),
  PCM_APPROVAL_OTHER_GRANT: failed(
    "The approval is of a grant that is not this message's root grant.",
    'Do not take the request as approved.',
  ),
  PCM_APPROVAL_OTHER_TOOL: failed(
    "The approval is of another tool than the schema's.",
    'Do not take the request as approved.',
  ),
  PCM_APPROVAL_OTHER_ARGS: failed(
    'The approval is of other args than the request has.',
    'Do not take the request as approved.',
  ),

  PCM_CLAIM_NO_EVIDENCE: unproven('The claim carries no evidence.', "Treat it as the sender's word."),
  PCM_CLAIM_LEVEL_1: unproven('The verifier reads no evidence at level 1.', 'Verify at level 2.'),
  PCM_CLAIM_AGENT_WORD: unproven(
    "Only the agent's own process reported the result (T1).",
    "Treat it as the sender's word, or ask for a call through an executor.",
  ),
  PCM_CLAIM_UNPLACED_TOOL: unproven(
    'PCM 0.1 does not place the tool in the class that the claim needs.',
    'Ask for a call of a placed tool.',
  ),
  PCM_CLAIM_HOST_UNTOLD: unproven(
    'A host is written so that readers may differ about it.',
    'Ask for the host in the plain form that the detail names.',
  ),
  PCM_CLAIM_PATH_UNTOLD: unproven(
    'The path of the call may or may not be the claimed one.',
    'Ask for a call with the absolute path.',
  ),
  PCM_CLAIM_ATTEMPT: unproven(
    'A sensor saw an attempt to connect, not a connection.',
    'Ask for the record of a connection.',
  ),
  PCM_CLAIM_NO_CONNECTION: unproven(
    'An observer watched the host, and no connection opened.',
    'Do not take it as reached.',
  ),
  PCM_APPROVAL_NO_TOOL: unproven(
    'The schema names no tool, so nothing ties the approval to the request.',
    'Name the tool in the schema document, or require a grant.',
  ),
  PCM_APPROVAL_NOT_OPENED: unproven(
    'The decision is not opened, so its args cannot be compared.',
    'Ask the sender to open the decision.',
  ),
  PCM_CLAIM_REQUIRED: unproven(
    'The schema lists a claim type that no proven claim meets; under strict this rejects.',
    'Ask for the claim with its evidence; approved_by with covers true.',
  ),

  PCM_CLAIM_PROVEN: {
    level: 'proven',
    means: 'Records that the agent cannot write say what the claim says.',
    next: 'Compare what it names with what you accept, and its age with your measure.',
  },
} as const;
