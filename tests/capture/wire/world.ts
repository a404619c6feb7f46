import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/base/json-value.ts';
import { REASONS } from '../../../src/base/reasons.ts';
import { openWireRecording, type WireRecordingOptions } from '../../../src/capture/host/wire-recording.ts';
import type { Records } from '../../../src/evidence/bundle.ts';
import { nativeCrypto } from '../../../src/store/native-crypto.ts';
import type { Outcome } from '../../../src/verify/outcome.ts';
import { verify } from '../../../src/verify/verify.ts';
import { asObject, bytesOf } from '../../support/bundle.ts';
import { testSigner, trustDocument } from '../../support/seal.ts';

const GENERAL = asObject(JSON.parse(readFileSync('profiles/general.json', 'utf8')));

/** Lets a profile differ from the general one in some members. */
export const profileWith = (members: Record<string, object> = {}): JsonObject =>
  asObject({
    ...GENERAL,
    ...Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, { ...(GENERAL[name] as object), ...value }]),
    ),
  });

export type Judged = Pick<Outcome, 'verdict' | 'refusals'> & {
  readonly records: Records;
  readonly status: (family: string) => string | null;
  /** `REASON id` of the affected record. */
  readonly findings: readonly string[];
};

type Headers = readonly (readonly [string, string])[];
export type Call = {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Headers;
  readonly body?: unknown;
  /** Processes; null for one that is not watched. */
  readonly from?: string | null;
  readonly to?: string | null;
  /** The served call during which it is sent. */
  readonly cause?: string | null;
};
export type Answer = { readonly status?: number; readonly headers?: Headers; readonly body?: unknown };

const JSON_TYPE = ['content-type', 'application/json'] as const;
const asBytes = (body: unknown): Buffer =>
  body === undefined
    ? Buffer.alloc(0)
    : Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

/** Calls between processes as the hook would tell them, recorded and then verified. */
export const world = (profile = profileWith(), options: Partial<WireRecordingOptions> = {}) => {
  const dir = mkdtempSync(join(tmpdir(), 'wire-'));
  const recording = openWireRecording({
    dir,
    incident_id: 'incident-1',
    profile_id: 'general',
    observer: 'process-hook',
    pinned: new Set(),
    trusted: [],
    ...options,
  });
  const { wire } = recording;
  let count = 0;

  /** Begins a call; gives the keys of its two sides, and how it goes on. */
  const begin = ({ url, method, headers = [JSON_TYPE], body, from = 'client', to = 'agent', cause = null }: Call) => {
    const number = ++count;
    const bytes = asBytes(body);
    const ends = { local: `127.0.0.1:${40_000 + number}`, remote: `127.0.0.1:${new URL(url).port || 80}` };
    const verb = method ?? (body === undefined ? 'GET' : 'POST');
    const sent = `c${number}`;
    const served = `s${number}`;
    const common = { method: verb, url, headers };
    if (from !== null) {
      wire.call({ ...common, key: sent, side: 'client', process: from, cause, local: null, remote: null });
      wire.request(sent, bytes, true);
      wire.socket(sent, { ...ends, connected: '127.0.0.1', resolved: null, dialled: new URL(url).hostname });
    }
    if (to !== null) {
      const mirrored = { local: ends.remote, remote: `::ffff:${ends.local}` };
      wire.call({ ...common, key: served, side: 'server', process: to, cause: null, ...mirrored });
      wire.request(served, bytes, true);
    }
    const keys = [...(to === null ? [] : [served]), ...(from === null ? [] : [sent])];
    const answer = ({ status = 200, headers: answered = [JSON_TYPE], body: given }: Answer = {}) => {
      for (const key of keys) {
        wire.response(key, status, answered);
        wire.chunk(key, asBytes(given));
        wire.end(key, 'complete', null);
      }
    };
    return { sent, served, answer };
  };

  return {
    wire,
    begin,
    call: (call: Call, answer?: Answer) => begin(call).answer(answer),
    /** Seals and verifies; removes the folder. */
    judged: (): Judged => {
      wire.finish();
      const { bundlePath, receiptPath } = recording.finish({ signer: () => testSigner(), profile });
      const [bundle, receipt] = [readFileSync(bundlePath), readFileSync(receiptPath)];
      rmSync(dir, { recursive: true });
      const documents = { profile: bytesOf(profile), trust: bytesOf(trustDocument()) };
      const outcome = verify({ bundle, receipt, ...documents, mode: 'full', otherProfile: false }, nativeCrypto);
      const records = JSON.parse(bundle.toString()) as Records;
      const { families = [], statements = [] } = outcome.judgement ?? {};
      const findings = statements.filter(({ reason }) => REASONS[reason].level === 'finding');
      return {
        verdict: outcome.verdict,
        refusals: outcome.refusals,
        records,
        status: (family) => families.find((row) => row.family === family)?.status ?? null,
        findings: findings.map(({ reason, affected }) => `${reason} ${affected.id}`),
      };
    },
  };
};

let messages = 0;
export const rpc = (text: string, more: object = {}, method = 'SendMessage') => ({
  jsonrpc: '2.0',
  id: ++messages,
  method,
  params: { message: { messageId: `m-${messages}`, role: 'ROLE_USER', parts: [{ text }], ...more } },
});
export const task = (id: string, state: string, artifact?: string) => ({
  jsonrpc: '2.0',
  id: messages,
  result: {
    task: {
      id,
      contextId: `context of ${id}`,
      status: { state: `TASK_STATE_${state}` },
      ...(artifact !== undefined && { artifacts: [{ artifactId: 'a', parts: [{ text: artifact }] }] }),
    },
  },
});
export const cardOf = (name: string, url: string, more: object = {}) => ({
  name,
  description: 'of the tests',
  version: '1',
  provider: { organization: 'Example', url: 'https://example.test' },
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  skills: [{ id: 'plan', name: 'plan', description: 'plan', tags: [] }],
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  ...more,
});
export const CARD = '/.well-known/agent-card.json';
