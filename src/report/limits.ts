import type { Outcome, Stage } from '../verify/outcome.ts';

const CHECKED: Record<Stage, string> = {
  read: 'The inputs are restricted JSON of the expected formats (FORMAT.md section 1).',
  signature: 'The receipt is signed by a key that the trust store accepts for its signer and issue time.',
  commitments:
    'Every record and edge, their number, the incident root and the whole-capture digest are those that were signed.',
  identifiers: 'Every id, every record and the runtime order are well-formed and unique.',
  edges: 'The stored relationships are exactly those that follow from the records.',
  profile: 'The profile is the one that the receipt names.',
  admissibility: 'Typed fields agree with the wire text beside them, ids resolve, times follow the runtime order.',
  rules: 'The six rules judged every record they apply to.',
};

const PCM_CHECKED =
  'Each proof-carrying message of a request was verified under the keys and schemas given, at the time of its exchange.';

/** What no receipt can prove, whatever the verdict. */
export const NOT_PROVABLE: readonly string[] = [
  'Nothing is proven of what happened before signing: a record omitted or invented at capture is signed like any other.',
  'Nothing is proven of what happened after the last record.',
  "The issue time is the signer's claim; no clock outside vouches for it.",
  'Two receipts of one incident show only when both are held.',
  'A compromised capture process, signer or trust store is outside what a receipt can show.',
];

export const checkedBy = (outcome: Outcome, passed: readonly Stage[]): string[] =>
  passed.flatMap((stage) => {
    if (stage === 'rules' && outcome.pcmChecked) return [CHECKED.rules, PCM_CHECKED];
    if (stage !== 'profile') return [CHECKED[stage]];
    const documents = outcome.otherProfile ? [] : [CHECKED.profile];
    if (outcome.familiesChecked) documents.push('The family definitions are those that the receipt names.');
    if (outcome.settingsChecked) documents.push('The settings document is the one that the receipt names.');
    return documents;
  });

/** What this run left unchecked: nothing is skipped silently. */
export const uncheckedBy = (outcome: Outcome, missed: readonly Stage[]): string[] => {
  const lines = missed.length === 0 ? [] : [`Steps not reached, or not in this mode: ${missed.join(', ')}.`];
  if (outcome.otherProfile)
    lines.push('The profile was not compared with the one that the receipt names (--other-profile).');
  if (!outcome.familiesChecked)
    lines.push('Family definitions: stated by the receipt, not checked (give --families DIR).');
  if (!outcome.settingsChecked) lines.push('Settings: stated by the receipt, not checked (give --settings FILE).');
  if (!outcome.expectedIncidentChecked)
    lines.push('No expected incident was given (--incident ID): the receipt chose which incident this is.');
  if (outcome.mode === 'records-only') lines.push('Relationships were not used by the rules (records-only mode).');
  if (outcome.judgement?.families.some((family) => family.status === 'NOT_OBSERVED')) {
    lines.push(
      'Families marked NOT_OBSERVED were not watched for by the capture, or the profile gives no measure for them.',
    );
  }
  for (const line of uncheckedMessages(outcome)) lines.push(line);
  lines.push("Whether an agent card's prose is honest, and what any agent intended.");
  return lines;
};

const parts = (count: number, where: string): string => `${count} part${count === 1 ? '' : 's'} of ${where}`;

/** Messages of PCM that were seen and not verified. */
const uncheckedMessages = ({ pcmParts, pcmChecked }: Outcome): string[] => {
  const { requests, responses, grpc } = pcmParts ?? { requests: 0, responses: 0, grpc: 0 };
  return [
    ...(requests === 0 || pcmChecked
      ? []
      : [`Proof-carrying messages in ${parts(requests, 'requests')}: not checked (give --pcm-trust FILE).`]),
    ...(responses === 0 ? [] : [`Proof-carrying messages in ${parts(responses, 'responses')}: not checked.`]),
    ...(grpc === 0 ? [] : [`Proof-carrying messages in ${grpc} call${grpc === 1 ? '' : 's'} over gRPC: not checked.`]),
  ];
};
