import { makeBody } from '../../src/evidence/body.ts';
import type { RecordOf, Records } from '../../src/evidence/bundle.ts';
import { COLLECTIONS } from '../../src/evidence/collections.ts';
import { exchangeFields } from '../../src/evidence/wire/exchange.ts';
import { PCM_MEDIA_TYPE } from '../../src/pcm/a2a-parts.ts';
import type { Report } from '../../src/report/model.ts';
import { reportOf } from '../../src/report/report.ts';
import type { Profile } from '../../src/rules/profile.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { judge } from '../../src/verify/judge.ts';
import type { Mode } from '../../src/verify/outcome.ts';
import { type PcmFiles, readPcmDocuments } from '../../src/verify/pcm-documents.ts';
import { pcmRule } from '../../src/verify/pcm-stage.ts';
import { verify } from '../../src/verify/verify.ts';
import { bytesOf, LOG, type Members, messageOf, SCHEMA } from '../pcm/lab.ts';
import { asObject, buildBundle, bundleOf } from '../support/bundle.ts';
import { pinningProfile, sealedFiles, testProfile } from '../support/pair.ts';
import { common, sha256 } from '../support/records.ts';

const ANSWER =
  '{"jsonrpc":"2.0","id":9,"result":{"task":{"id":"task-9","contextId":"c-9","status":{"state":"TASK_STATE_COMPLETED"}}}}';
export const body = (text: string) => ({
  text,
  encoding: 'utf8' as const,
  size: Buffer.byteLength(text),
  sha256: sha256(text),
  truncated: null,
});

/** The second of the trace at which an exchange of this sequence is observed, as a time of PCM. */
export const timeOf = (sequence: number): string => common('', sequence).observed_at.replace('Z', '000Z');

/** A message of A's to B, signed a moment before the exchange of that sequence; its nonce is the sequence. */
export const messageAt = (sequence: number, more: Members = {}, schema: Members = SCHEMA): string =>
  new TextDecoder().decode(
    bytesOf(messageOf({ ts: timeOf(sequence - 1), nonce: sequence.toString(16).padStart(32, '0'), ...more }, schema)),
  );

export type Sent = {
  readonly sequence: number;
  /** Text of a message, in a part of its media type; or the parts as they stand in the request. */
  readonly text?: string;
  readonly parts?: string;
  /** The whole request instead. */
  readonly request?: string;
  readonly truncated?: boolean;
  /** The bytes of the request instead; null: none were seen. */
  readonly bytes?: Uint8Array | null;
  readonly binding?: 'JSONRPC' | 'GRPC';
  readonly observer?: string;
  readonly server_agent?: string | null;
  readonly answer?: string;
  readonly url?: string;
};

/** An exchange whose request carries a message. */
const carrying = (sent: Sent) => {
  const { sequence, text = '', observer = 'sdk-server', server_agent = 'Worker', answer = ANSWER } = sent;
  const { parts = JSON.stringify({ text, mediaType: PCM_MEDIA_TYPE }) } = sent;
  const {
    request = `{"jsonrpc":"2.0","id":9,"method":"SendMessage","params":{"message":{"messageId":"m","parts":[${parts}]}}}`,
  } = sent;
  const { bytes = Buffer.from(request), binding = 'JSONRPC' } = sent;
  const kept = bytes === null ? null : makeBody(bytes, bytes.length, nativeCrypto);
  const wire = {
    binding,
    request_headers: [['a2a-version', '1.0'] as ['a2a-version', string]],
    response_headers: [],
    request_body: sent.truncated && kept !== null ? { ...kept, size: kept.size + 1, truncated: kept.size } : kept,
    response_body: body(answer),
  };
  return {
    exchange_id: `pcm-${sequence}`,
    ...common(`pcm-${sequence}`, sequence, observer),
    endpoint_id: null,
    client_agent: null,
    server_agent,
    method: 'POST',
    url: sent.url ?? 'https://worker.example/a2a',
    status: 200,
    ended: 'complete',
    ...wire,
    ...exchangeFields(wire),
  };
};

const IDENTITIES: Identities = { identities: [{ agent: 'Worker', identity: 'uid:2' }] };
export const FILES: PcmFiles = {
  trust: bytesOf({ logs: [LOG.vkey] }),
  schemas: [{ name: 'pay.json', bytes: bytesOf(SCHEMA) }],
};

type Identities = { readonly identities: readonly { readonly agent: string; readonly identity: string }[] };
type With = { readonly pcm?: PcmFiles; readonly identities?: Identities | null };

const TRACE = buildBundle().trace_metadata as unknown as RecordOf<'trace_metadata'>[];
const NONE = Object.fromEntries(COLLECTIONS.map((name) => [name, []])) as unknown as Records;

/** What is said of the messages of a trace, as `REASON exchange`, with the family; with null for `identities` the profile maps nobody. */
export const traceOf = (sent: readonly Sent[], { pcm = FILES, identities = IDENTITIES }: With = {}) => {
  const documents = readPcmDocuments(pcm, nativeCrypto);
  if (!documents.ok) throw new Error(documents.refusals[0]!.detail);
  const records = { ...NONE, trace_metadata: TRACE, exchanges: sent.map(carrying) } as unknown as Records;
  const profile = { ...testProfile(), ...(identities === null ? {} : { pcm: identities }) } as unknown as Profile;
  const rule = { family: 'PCM' as const, rule: pcmRule(documents.value, nativeCrypto) };
  const judgement = judge(records, [], profile, [rule]);
  const statements = judgement.statements.filter(({ family }) => family === 'PCM');
  return {
    said: statements.map(({ reason, affected }) => `${reason} ${affected.id}`),
    statements,
    family: judgement.families.find(({ family }) => family === 'PCM')!,
    verdict: judgement.verdict,
  };
};

type Whole = { readonly pcm?: PcmFiles | null; readonly mode?: Mode; readonly artifacts?: readonly object[] };

/** The built bundle with these exchanges more, sealed and verified; with null for `pcm` no keys are given. */
const verifiedTrace = (sent: readonly Sent[], { pcm = FILES, mode = 'full', artifacts = [] }: Whole = {}) => {
  const bundle = buildBundle() as unknown as Record<string, object[]>;
  const lists = Object.fromEntries(COLLECTIONS.map((name) => [name, bundle[name]!]));
  const whole = bundleOf(
    asObject({
      ...lists,
      exchanges: [...lists.exchanges!, ...sent.map(carrying)],
      artifacts: [...lists.artifacts!, ...artifacts],
    }),
  );
  const files = sealedFiles(whole, asObject({ ...pinningProfile(whole), pcm: IDENTITIES }));
  const input = { ...files, mode, otherProfile: false, ...(pcm === null ? {} : { pcm }) };
  return { files, outcome: verify(input, nativeCrypto) };
};
export const reportOfTrace = (...given: Parameters<typeof verifiedTrace>): Report =>
  reportOf(verifiedTrace(...given).outcome);

/** A trace with one message that its key did not sign. */
export const forgedTrace = () =>
  verifiedTrace([{ sequence: 120, text: messageAt(120).replace('"amount":5', '"amount":6') }]);
