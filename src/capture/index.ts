import {
  type AgentCardResolver,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type TransportFactory,
} from '@a2a-js/sdk/client';
import type { ExecutionEventBusManager, PushNotificationSender } from '@a2a-js/sdk/server';
import type { RecordOf } from '../evidence/bundle.ts';
import { tapBusManager } from './bus-tap.ts';
import { tapCards } from './card-tap.ts';
import type { CaptureContext } from './context.ts';
import { type Fetch, tapExchanges } from './fetch-tap.ts';
import { type MakeGrpcFactory, tapGrpc } from './grpc-tap.ts';
import { type Observers, observersOf } from './observers.ts';
import { observedPushSender, type PushOptions } from './push-tap.ts';
import { type Finished, type FinishOptions, openRecording, type RecordingOptions } from './recording.ts';
import { type Middleware, type ServerOptions, tapServer } from './server-tap.ts';
import { type NameAgent, tapResolver, tapTransport } from './transport-tap.ts';
import { observedUriFetch, type UriFetchOptions, type UriRequest } from './uri-fetch.ts';

export type CaptureOptions = RecordingOptions;

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

/**
 * Starts a capture. Nothing it does changes what the watched programs see. Throws EnvironmentFault when the folder or the
 * journal cannot be made, or a capture of that name is there already, and RangeError for a body limit over 12 MiB or an id outside the grammar of FORMAT.md section 3.
 */
export const startCapture = (options: CaptureOptions): Capture => {
  const { context, ...recording } = openRecording(options);
  return {
    ...recording,
    client: (client) => clientTaps(context, client),
    fetch: ({ agent, binding, fetch: send = globalThis.fetch }) => tapExchanges(send, context, binding, { agent }),
    middleware: (server) => tapServer(context, server),
    eventBus: (agent, inner) => tapBusManager(context, agent, inner),
    pushSender: (push) => observedPushSender(context, push),
    observe: observersOf(context),
    uriFetch: (fetcher) => observedUriFetch(context, fetcher),
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
