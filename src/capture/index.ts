import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AgentCardResolver,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type TransportFactory,
} from '@a2a-js/sdk/client';
import type { ExecutionEventBusManager, PushNotificationSender } from '@a2a-js/sdk/server';
import { isId } from '../base/grammar.ts';
import type { JsonObject } from '../base/json-value.ts';
import { VERSION } from '../base/version.ts';
import { MAX_BODY_LIMIT } from '../evidence/body.ts';
import type { RecordOf } from '../evidence/bundle.ts';
import { COVERAGE_SUBJECTS, type CoverageSubject } from '../evidence/records/trace.ts';
import { deriveEdges } from '../relate/derive.ts';
import { familiesDigest, profileDigest, settingsDigest } from '../seal/digests.ts';
import type { Signer } from '../seal/receipt.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { finalize, type Sealed } from '../store/finalize.ts';
import { createJournal, type Journal } from '../store/journal.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { tapBusManager } from './bus-tap.ts';
import { CardBook } from './card-book.ts';
import { tapCards } from './card-tap.ts';
import type { CaptureContext } from './context.ts';
import { type Fetch, tapExchanges } from './fetch-tap.ts';
import { type MakeGrpcFactory, tapGrpc } from './grpc-tap.ts';
import { type Observers, observersOf } from './observers.ts';
import { observedPushSender, type PushOptions } from './push-tap.ts';
import { Redactor } from './redact.ts';
import { type Middleware, type ServerOptions, tapServer } from './server-tap.ts';
import { Session } from './session.ts';
import { Trail } from './trail.ts';
import { type NameAgent, tapResolver, tapTransport } from './transport-tap.ts';
import { observedUriFetch, type UriFetchOptions, type UriRequest } from './uri-fetch.ts';

const DEFAULT_BODY_LIMIT = 4 * 1024 * 1024;

export type CaptureOptions = {
  /** Folder for journal, bundle and receipt; made when it is not there. */
  readonly dir: string;
  /** Names the files as well: `<incident_id>.journal`, `.bundle.json`, `.receipt.json`. */
  readonly incident_id: string;
  readonly profile_id: string;
  /** Bytes kept of one body, at most 12 MiB. */
  readonly bodyLimit?: number;
  /** Software that took part, beside this library and Node. */
  readonly versions?: readonly { readonly name: string; readonly version: string }[];
  /** What the application reports by observers, also where nothing happens: else a subject counts as watched from its first report on. */
  readonly watches?: readonly CoverageSubject[];
  /** What this capture cannot see, in words. */
  readonly notes?: readonly string[];
  /** Values that must never be written down. */
  readonly secrets?: readonly string[];
};

type Sender = {
  /** The agent that sends, by the name this trace uses for it. */
  readonly agent: string | null;
  /** What really sends; by default the fetch of the runtime. */
  readonly fetch?: Fetch;
};
type FetchTapOptions = Sender & Pick<RecordOf<'exchanges'>, 'binding'>;
export type ClientTapOptions = Sender & {
  readonly nameAgent?: NameAgent;
  /** As for the factories of the SDK: speak A2A 0.3 where a card asks for it. */
  readonly legacyCompat?: { readonly enabled: boolean };
  /** Adds gRPC: the factory of `@a2a-js/sdk/client/grpc`, made with these interceptors last; asked once for each endpoint. */
  readonly grpc?: MakeGrpcFactory;
};

/** What a receipt is made from. */
export type FinishOptions = {
  readonly signer: () => Signer;
  readonly profile: JsonObject;
  readonly families?: readonly JsonObject[];
  readonly settings?: JsonObject;
};
export type Finished = Sealed & { readonly bundlePath: string; readonly receiptPath: string };

export type Capture = {
  readonly journalPath: string;
  /** Options for `new ClientFactory(…)`: card resolver, JSON-RPC, HTTP+JSON, and gRPC if asked for, all tapped. */
  client(options: ClientTapOptions): { transports: TransportFactory[]; cardResolver: AgentCardResolver };
  /** A fetch for transport factories of one's own; each of its calls is an exchange. */
  fetch(options: FetchTapOptions): Fetch;
  /** A middleware to mount before a handler of the SDK. */
  middleware(options: ServerOptions): Middleware;
  /** The fourth argument of DefaultRequestHandler. */
  eventBus(agent: string | null, inner?: ExecutionEventBusManager): ExecutionEventBusManager;
  /** The sixth argument of DefaultRequestHandler: each push notification is a dereference. */
  pushSender(options: PushOptions): PushNotificationSender;
  readonly observe: Observers;
  /** A fetcher for URIs that an agent was sent; every hop is evidence. */
  uriFetch(options: UriFetchOptions): (uri: string, request?: UriRequest) => Promise<Response>;
  /** Ends the capture, writes bundle and receipt. Throws what signer and file system throw; the journal is kept, and it may be called again. */
  finish(options: FinishOptions): Finished;
  /** Ends the capture without sealing it: the journal can be sealed later, where the key is. */
  stop(): void;
};

const beginJournal = ({ dir, incident_id }: CaptureOptions, path: string, results: readonly string[]): Journal => {
  const taken = `capture ${incident_id} exists already in ${join(dir, '/')}: choose another incident_id or dir`;
  if (results.some((file) => existsSync(file))) throw new EnvironmentFault(taken);
  try {
    mkdirSync(dir, { recursive: true });
    return createJournal(path, nativeCrypto);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(path)) throw new EnvironmentFault(taken);
    throw EnvironmentFault.of(error, `cannot begin the capture ${path}`);
  }
};

/**
 * Starts a capture. Nothing it does changes what the watched programs see. Throws EnvironmentFault when the folder or the
 * journal cannot be made, or a capture of that name is there already, and RangeError for a body limit over 12 MiB or an id outside the grammar of FORMAT.md section 3.
 */
export const startCapture = (options: CaptureOptions): Capture => {
  const { dir, incident_id, profile_id, bodyLimit = DEFAULT_BODY_LIMIT } = options;
  if (bodyLimit > MAX_BODY_LIMIT) throw new RangeError(`a body limit of ${bodyLimit} bytes is over ${MAX_BODY_LIMIT}`);
  if (!isId(incident_id) || !isId(profile_id))
    throw new RangeError('incident_id and profile_id are 1..128 of [A-Za-z0-9._:-]');
  const pathOf = (ending: string): string => join(dir, `${incident_id}.${ending}`);
  const journalPath = pathOf('journal');
  const journal = beginJournal(options, journalPath, [pathOf('bundle.json'), pathOf('receipt.json')]);
  const session: Session = new Session({
    incident_id,
    profile_id,
    capture_backend: `forensictrace-${VERSION}`,
    versions: [
      { name: 'forensictrace', version: VERSION },
      { name: 'node', version: process.versions.node },
      ...(options.versions ?? []),
    ],
    coverage: Object.fromEntries(
      COVERAGE_SUBJECTS.map((subject) => [subject, options.watches?.includes(subject) ?? false]),
    ) as Record<CoverageSubject, boolean>,
    coverage_notes: options.notes ?? [],
    clock: Date.now,
    random: randomBytes,
    sink: journal.append,
  });
  const context: CaptureContext = {
    session,
    redactor: new Redactor((what, count) => session.redacted(what, count), options.secrets),
    crypto: nativeCrypto,
    bodyLimit,
    trail: new Trail(),
    cards: new CardBook(),
    scope: new AsyncLocalStorage(),
  };
  let stopped = false;
  const stop = (): void => {
    if (stopped) return;
    session.end();
    journal.close();
    stopped = true;
  };
  return {
    journalPath,
    client: (client) => clientTaps(context, client),
    fetch: ({ agent, binding, fetch: send = globalThis.fetch }) => tapExchanges(send, context, binding, { agent }),
    middleware: (server) => tapServer(context, server),
    eventBus: (agent, inner) => tapBusManager(context, agent, inner),
    pushSender: (push) => observedPushSender(context, push),
    observe: observersOf(context),
    uriFetch: (fetcher) => observedUriFetch(context, fetcher),
    stop,
    finish: ({ signer, profile, families = [], settings = {} }) => {
      if (profile.profile_id !== profile_id) throw new RangeError(`the capture was made for profile ${profile_id}`);
      stop();
      const [bundlePath, receiptPath] = [pathOf('bundle.json'), pathOf('receipt.json')];
      const sealed = finalize({
        journal: journalPath,
        bundle: bundlePath,
        receipt: receiptPath,
        signer,
        statement: {
          profile_digest: profileDigest(profile, nativeCrypto),
          families_digest: familiesDigest(families, nativeCrypto),
          settings_digest: settingsDigest(settings, nativeCrypto),
        },
        clock: Date.now,
        derive: deriveEdges,
        crypto: nativeCrypto,
      });
      return { ...sealed, bundlePath, receiptPath };
    },
  };
};

const clientTaps = (
  context: CaptureContext,
  { agent, nameAgent, legacyCompat, grpc, fetch: send = globalThis.fetch }: ClientTapOptions,
): ReturnType<Capture['client']> => {
  const compat = legacyCompat === undefined ? {} : { legacyCompat };
  const fetchOf = (binding: 'JSONRPC' | 'HTTP+JSON'): Fetch => tapExchanges(send, context, binding, { agent });
  return {
    transports: [
      new JsonRpcTransportFactory({ fetchImpl: fetchOf('JSONRPC'), ...compat }),
      new RestTransportFactory({ fetchImpl: fetchOf('HTTP+JSON'), ...compat }),
      ...(grpc === undefined ? [] : [tapGrpc(context, agent, grpc)]),
    ].map((factory) => tapTransport(factory, context, nameAgent)),
    cardResolver: tapResolver(new DefaultAgentCardResolver({ fetchImpl: tapCards(send, context), ...compat }), context),
  };
};
