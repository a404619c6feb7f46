import type { ReasonEntries } from './entry.ts';

const KEEP = 'Keep the exchange in the file of the case and read its stored text.';

/** Reasons that belong to no condition family: what a rule lacks, and observations on exchanges, cards and streams as such. */
export const COMMON_REASONS = {
  ANCHOR_MISSING: {
    family: null,
    level: 'inconclusive',
    title: 'A record is not linked to what it must be judged with',
    means:
      'The rule may judge this record only together with other records, and an edge that would join them is not there: the capture did not see the link, or left the joining field empty. The relations are named. Nothing in the record was read.',
    not: 'It does not say that the record is harmless, nor that it is harmful, nor that an edge was removed: stored edges were already compared with those that the records give.',
    next: 'Look at the named relations in the format page, find which joining field is null, and look for another capture (of the other agent, a proxy or the application) that saw it.',
    falsePositives: 'None: it says what is missing, and draws no conclusion.',
    techniques: [],
  },
  FACT_MISSING: {
    family: null,
    level: 'inconclusive',
    title: 'A fact that the judgement needs was not seen',
    means:
      'The links are there, but a field that decides between finding and no finding is null: the wire text could not be read without doubt (its wire_issue says why), or the capture did not see it. The fields are named.',
    not: 'It does not say that the fact would have been harmful. A sender can cause it on purpose by sending text that has no single reading.',
    next: 'Read the stored text of the record, if any, and look for another capture that saw the fact.',
    falsePositives: 'None: it says what is missing, and draws no conclusion.',
    techniques: [],
  },
  EXCHANGE_NOT_COMPLETE: {
    family: null,
    level: 'warning',
    title: 'An exchange did not come to its end',
    means:
      'The connection was aborted, timed out or was reset before the response was whole. What came before that was kept.',
    not: 'It does not say who ended it: the client, the server or something between them. It does not make the capture incomplete.',
    next: `${KEEP} Compare with the logs of both agents and of any proxy at that time.`,
    falsePositives: 'A client that cancels a stream it no longer needs ends the exchange in the same way.',
    techniques: [],
  },
  STREAM_WITHOUT_FINAL_STATE: {
    family: null,
    level: 'warning',
    title: 'A stream ended quietly before its task had come to rest',
    means:
      'The event stream ended as a complete response does, but the last state it gave of a task is neither terminal (completed, canceled, failed, rejected) nor interrupted (input-required, auth-required), or it held no event at all.',
    not: 'It does not prove that events were lost: an agent may close a stream early and finish the task later.',
    next: 'Ask for the state of the task, or look for a later exchange on it; ask whether a proxy in front of the agent cuts long responses.',
    falsePositives: 'Agents that acknowledge a long task and report its end by push notification.',
    techniques: [],
  },
  RESPONSE_ID_DIFFERS: {
    family: null,
    level: 'warning',
    title: 'A response carries another id than its request',
    means:
      'The JSON-RPC id of the response is not that of the request (JSON-RPC 2.0, section 5): another string, another number, or the same digits as the other type. Strings are compared after unescaping, other tokens as written.',
    not: 'It does not prove that responses were exchanged or forged; libraries that turn numbers into strings do this too.',
    next: `${KEEP} If the same id belongs to another exchange of the trace, compare both responses.`,
    falsePositives: 'Servers that echo a numeric id as a string, or write 1.0 as 1.',
    techniques: [],
  },
  RESPONSE_ID_ABSENT: {
    family: null,
    level: 'note',
    title: 'A response carries no id',
    means: 'The request has a JSON-RPC id, and the response holds none or null.',
    not: 'It does not say that the response is false: JSON-RPC allows null where the server could not read the id of the request.',
    next: KEEP,
    falsePositives: 'Errors that a gateway answers without reading the request.',
    techniques: [],
  },
  EXCHANGE_WIRE_ISSUE: {
    family: null,
    level: 'note',
    title: 'Text of an exchange could not be read without doubt',
    means:
      'A field was left null because its text is not JSON, was cut, names a member twice, holds a value that programs read differently, or is of another type than A2A states. The fields and issues are named.',
    not: 'It does not make the evidence inadmissible: the text itself is kept and committed.',
    next: `${KEEP} A rule that needed one of the named fields says so in a statement of its own.`,
    falsePositives: 'Plain text or HTML error pages of a gateway.',
    techniques: ['CWE-436'],
  },
  CARD_INTERFACES_DISAGREE: {
    family: null,
    level: 'warning',
    title: 'One Agent Card states two different endpoints',
    means:
      'The card states interfaces both in the form of A2A 1.0 (supportedInterfaces) and in that of 0.3 (url, additionalInterfaces), and one stated in the older form is not among the newer ones. Clients of different versions would therefore contact different endpoints.',
    not: 'It does not say which endpoint is the right one.',
    next: 'Ask the operator of the agent which endpoint is theirs, and who controls the other one.',
    falsePositives: 'A card that keeps an old endpoint for old clients.',
    techniques: ['CWE-436'],
  },
  ARTIFACT_UPDATE_AFTER_LAST_CHUNK: {
    family: null,
    level: 'note',
    title: 'An artifact was changed after its last chunk',
    means:
      'An update of an artifact came after one that said lastChunk. The update was kept and is part of the content that the rules judge. A client that stops at lastChunk never saw it.',
    not: 'It does not say that the later content is harmful.',
    next: 'Compare the content up to lastChunk with the content after it.',
    falsePositives: 'Agents that mark every chunk as the last one.',
    techniques: [],
  },
} as const satisfies ReasonEntries;
