import type { TransportFactory } from '@a2a-js/sdk/client';
import type { CaptureContext } from './context.ts';
import { type GrpcMetadata, GrpcRecorder, type GrpcStatus } from './grpc-recorder.ts';

type Listener = {
  readonly onReceiveMetadata?: (metadata: GrpcMetadata) => void;
  readonly onReceiveMessage?: (message: unknown) => void;
  readonly onReceiveStatus?: (status: GrpcStatus) => void;
};
type CallOptions = { readonly method_definition: { readonly path: string; readonly responseStream: boolean } };

/**
 * Makes the factory whose transports carry the interceptors: `(interceptors) => new GrpcTransportFactory({ grpcCallOptions: { interceptors } })`.
 * Typed `never`, so that they fit the interceptors of a package that this library does not import.
 */
export type MakeGrpcFactory = (interceptors: never[]) => TransportFactory;

/** A transport factory that makes one of the user's for each endpoint, so that every call of it is known by its interface URL. */
export const tapGrpc = (context: CaptureContext, agent: string | null, make: MakeGrpcFactory): TransportFactory => {
  context.session.watches('client_wire');
  context.session.note(
    'gRPC: bytes were not seen, only the typed messages of A2A 1.0, without fields that the SDK does not know; URIs are looked for in their parts alone; of requests only sent messages are kept; no HTTP status, no metadata that call credentials add, and not who made a status',
  );
  return {
    protocolName: 'GRPC',
    create: (url, card) => make([interceptor(context, agent, url) as never]).create(url, card),
  };
};

const interceptor =
  (context: CaptureContext, agent: string | null, url: string) =>
  (options: CallOptions, nextCall: (options: CallOptions) => object): object => {
    const call = nextCall(options);
    const { path, responseStream: isStream } = options.method_definition;
    let recorder: GrpcRecorder | null = null;
    const start = (metadata: GrpcMetadata, listener: Listener = {}): [GrpcMetadata, Listener] => {
      recorder = context.session.attempt(
        'follow a gRPC call',
        () => new GrpcRecorder(context, { agent, url, path, isStream, metadata }),
      );
      return [metadata, recorder === null ? listener : tapListener(listener, recorder)];
    };
    return new Proxy(call, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          if (name === 'sendMessage') recorder?.request(args[0]);
          if (name === 'sendMessageWithContext') recorder?.request(args[1]);
          return Reflect.apply(
            member,
            target,
            name === 'start' ? start(...(args as [GrpcMetadata, Listener?])) : args,
          ) as unknown;
        };
      },
    });
  };

/** Each thing is recorded before anybody else sees it. A message of null says that a call which promised one brought none. */
const tapListener = (listener: Listener, recorder: GrpcRecorder): Listener => ({
  onReceiveMetadata: (metadata) => {
    recorder.response(metadata);
    listener.onReceiveMetadata?.(metadata);
  },
  onReceiveMessage: (message) => {
    if (message !== null) recorder.message(message);
    listener.onReceiveMessage?.(message);
  },
  onReceiveStatus: (status) => {
    recorder.end(status);
    listener.onReceiveStatus?.(status);
  },
});
