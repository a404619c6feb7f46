import { generateKeyPairSync, sign } from 'node:crypto';
import { HostRecorder } from '../../src/capture/host/recorder.ts';
import { TestRecordings } from '../../src/capture/host/test-recordings.ts';
import { openWireRecording, type WireRecording } from '../../src/capture/host/wire-recording.ts';
import type { Bundle } from '../../src/evidence/bundle.ts';
import { packageFile } from '../../src/store/package-file.ts';
import { readInput } from '../../src/store/read.ts';
import { readProfile } from '../../src/verify/documents.ts';
import { tempFolder } from '../cli/run.ts';

export type Outcome = { readonly incident: string } & ({ readonly bundle: Bundle } | { readonly fault: unknown });
export type Call = {
  readonly side?: 'client' | 'server';
  readonly test?: string;
  readonly cause?: number;
  readonly url?: string;
  /** The text of a message to an agent; without one the call is no A2A. */
  readonly text?: string;
  /** Ports of the socket: that of the client, that of the server. */
  readonly ports?: readonly [number, number];
};

const read = readProfile(readInput(packageFile('profiles/general.json'), 'profile'));
if (!read.ok) throw new Error('the general profile is not in order');
const profile = read.value.document;
const { privateKey } = generateKeyPairSync('ed25519');
const signer = {
  signer_id: 'ci',
  key_id: `sha256:${'0'.repeat(64)}`,
  sign: (bytes: Uint8Array) => sign(null, bytes, privateKey),
};

const bodyOf = (text: string): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }] } },
  });

/** The recorder of a run, without processes: a test tells it what they would. */
export const openRun = () => {
  const dir = tempFolder();
  const tests = new TestRecordings<WireRecording, Outcome>({
    open: (incident_id) =>
      openWireRecording({
        dir,
        incident_id,
        profile_id: 'general',
        observer: 'process-hook',
        pinned: new Set(),
        trusted: [],
      }),
    drain: async () => {},
    seal: (recording, incident) => {
      recording.wire.finish();
      return { incident, bundle: recording.finish({ signer: () => signer, profile }).bundle };
    },
    failed: (incident, fault) => ({ incident, fault }),
  });
  const host = new HostRecorder(tests);
  const tell = (writer: string, told: object, body = ''): void =>
    host.message({ writer, head: JSON.stringify(told), body: Buffer.from(body) });
  const writers = new Map<string, number>();
  const from = (writer: string): void => {
    if (writers.has(writer)) return;
    writers.set(writer, writers.size);
    tell(writer, { t: 'hello', pid: writers.size, thread: 0, program: `${writer}.mjs`, node: '20' });
  };
  const calls = new Map<string, number>();
  const bundleOf = async (test: string): Promise<Bundle> => {
    const { sealed } = (await tests.seal(test))!;
    if ('fault' in sealed) throw sealed.fault;
    return sealed.bundle;
  };
  return {
    dir,
    tests,
    bundleOf,
    runsTests: (writer: string): void => {
      from(writer);
      tell(writer, { t: 'runs-tests' });
    },
    begin: (writer: string, test: string, name = test): void => {
      from(writer);
      tell(writer, { t: 'test-begin', test, name });
    },
    /** A call from its beginning to its end; returns its number. */
    call: (writer: string, call: Call): number => {
      from(writer);
      const [begun, end] = stepsOf(calls.get(writer) ?? 0, call);
      calls.set(writer, (calls.get(writer) ?? 0) + 1);
      for (const [told, body] of [...begun, ...end]) tell(writer, told, body);
      return calls.get(writer)! - 1;
    },
    /** A card that is served: the name of the agent at a URL. */
    serveCard: (writer: string, name: string, url: string): void => {
      from(writer);
      const call = calls.get(writer) ?? 0;
      calls.set(writer, call + 1);
      const start = {
        side: 'server',
        method: 'GET',
        url: `${url}/.well-known/agent-card.json`,
        headers: [],
        local: null,
        remote: null,
      };
      tell(writer, { t: 'call', call, cause: null, test: null, ...start });
      tell(writer, { t: 'request', call, last: true });
      tell(writer, { t: 'response', call, status: 200, headers: [] });
      tell(
        writer,
        { t: 'chunk', call },
        JSON.stringify({ name, supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC' }] }),
      );
      tell(writer, { t: 'end', call, ended: 'complete', error: null });
    },
  };
};

type Told = readonly [told: object, body?: string];

const stepsOf = (
  number: number,
  { side = 'client', test, cause, url, text, ports }: Call,
): readonly [Told[], Told[]] => {
  const [client, server] = ports?.map((port) => `127.0.0.1:${port}`) ?? [null, null];
  const [local, remote] = side === 'client' ? [null, null] : [server, client];
  const call = { call: number };
  const to = url ?? 'http://127.0.0.1:80/rpc';
  const start = {
    side,
    method: text === undefined ? 'GET' : 'POST',
    url: to,
    headers: [],
    cause: cause ?? null,
    test: test ?? null,
  };
  const seen = { local: client, remote: server, connected: null, resolved: null, dialled: null };
  return [
    [
      [{ t: 'call', ...call, ...start, local, remote }],
      ...(side === 'client' ? [[{ t: 'socket', ...call, ...seen }] as const] : []),
      [{ t: 'request', ...call, last: true }, text === undefined ? '' : bodyOf(text)],
    ],
    [[{ t: 'response', ...call, status: 200, headers: [] }], [{ t: 'end', ...call, ended: 'complete', error: null }]],
  ];
};

/** The texts of the messages in a bundle. */
export const textsOf = ({ exchanges }: Bundle): readonly string[] =>
  exchanges.map(({ request_body }) => /"text":"([^"]*)"/.exec(request_body?.text ?? '')?.[1] ?? '');
/** What a bundle knows that it missed. */
export const gapsOf = ({ trace_metadata }: Bundle): readonly string[] =>
  trace_metadata.flatMap(({ gaps }) => gaps.map(({ what }) => what));
