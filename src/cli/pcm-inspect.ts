import type { Envelope } from '../pcm/envelope.ts';
import { envelopeOf } from '../pcm/envelope.ts';
import type { PcmResult } from '../pcm/finding.ts';
import { jcs } from '../pcm/jcs.ts';
import { PCM_LIMITS } from '../pcm/limits.ts';
import { readStrict } from '../pcm/strict-json.ts';
import { escapeLine } from '../pcm/text.ts';
import { isPcmObject, type PcmObject, type PcmValue, plainOf } from '../pcm/value.ts';
import { readInput } from '../store/read.ts';
import { emit, json } from './output.ts';
import { PCM_EXIT, placed } from './pcm.ts';

const open = (bytes: Uint8Array): PcmResult<Envelope> => {
  const read = readStrict(bytes, { what: 'message', maxBytes: PCM_LIMITS.messageBytes });
  return read.ok ? envelopeOf(read.value) : read;
};

/** A member of something that was not checked, or `?`. */
const shown = (value: PcmValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '?' : jcs(value);
const objectAt = (value: PcmValue | undefined, name: string): PcmObject => {
  const member = isPcmObject(value) ? value[name] : undefined;
  return isPcmObject(member) ? member : {};
};
const listAt = (value: PcmValue | undefined, name: string): readonly PcmValue[] => {
  const member = isPcmObject(value) ? value[name] : undefined;
  return Array.isArray(member) ? member : [];
};

const WORDS = ['tool', 'decision', 'tool_use_id', 'ok', 'person', 'host'];

const recordLine = (record: PcmValue): string => {
  const { seq, ts, type, source, data } = objectAt(record, 'event');
  const told = isPcmObject(data)
    ? WORDS.filter((word) => word in data).map((word) => `${word} ${shown(data[word])}`)
    : [];
  const args = isPcmObject(record) && record.args !== undefined ? [`args ${jcs(record.args)}`] : [];
  return `      seq ${shown(seq)}  ${shown(ts)}  ${shown(type)} by ${shown(source)}  ${[...told, ...args].join(', ')}`;
};

const claimLines = ({ type, args, evidence }: NonNullable<Envelope['claims']>[number]): readonly string[] => [
  `  ${type} ${jcs(args)}`,
  ...(isPcmObject(evidence)
    ? [
        `    checkpoint of ${shown(evidence.checkpoint).split('\n').slice(0, 2).join(', size ')}`,
        ...listAt(evidence, 'records').map(recordLine),
      ]
    : ['    no evidence']),
];

const grantLines = (grant: PcmValue): readonly string[] => {
  const { kind, id, person } = objectAt(grant, 'issuer');
  const { subject, expires_at, delegable } = isPcmObject(grant) ? grant : {};
  const caveats = listAt(grant, 'caveats').map((caveat) =>
    isPcmObject(caveat) ? `${shown(caveat.field)} ${shown(caveat.op)} ${shown(caveat.value)}` : shown(caveat),
  );
  return [
    `  from ${shown(kind)} ${shown(id)}${person === undefined ? '' : ` (${shown(person)})`} to ${shown(subject)}, until ${shown(expires_at)}, can be passed on: ${delegable === true ? 'yes' : 'no'}`,
    ...caveats.map((caveat) => `    ${caveat}`),
  ];
};

const linesOf = ({ id, ts, from, to, intent, claims = [], grants = [], payload, sig }: Envelope): readonly string[] => [
  'nothing here was checked: neither signature, evidence nor grants',
  `message ${id}  ${ts}`,
  `from ${from.agent}  run ${from.run}  tenant ${from.tenant}`,
  `to ${to.agent}`,
  `signed by ${sig.key}`,
  `intent ${intent.type}`,
  `args ${jcs(intent.args)}`,
  `claims: ${claims.length}`,
  ...claims.flatMap(claimLines),
  `grants: ${grants.length}`,
  ...grants.flatMap(grantLines),
  ...(payload === undefined ? [] : [`payload ${payload.kind === 'text' ? payload.text : jcs(payload.data)}`]),
];

/** `forensictrace pcm inspect`: what is in a message, unjudged. Ends with 2 when the text is no message. */
export const runPcmInspect = (file: string, options: { readonly json?: boolean }): number => {
  const opened = open(readInput(file, 'message'));
  if (!opened.ok) {
    const told = `no message${placed(opened.findings[0])}`;
    emit(options.json ? json({ error: told, exit_code: PCM_EXIT['bad-input'] }) : `${escapeLine(told)}\n`);
    return PCM_EXIT['bad-input'];
  }
  emit(
    options.json
      ? json(plainOf(opened.value as unknown as PcmValue))
      : `${linesOf(opened.value).map(escapeLine).join('\n')}\n`,
  );
  return 0;
};
