import { AgentCard } from '@a2a-js/sdk';
import { type Client, ClientFactory } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import {
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from '@a2a-js/sdk/server';
import { A2AService, grpcService, UserBuilder } from '@a2a-js/sdk/server/grpc';
import {
  type CallOptions,
  type Interceptor,
  Server,
  ServerCredentials,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Capture } from '../../src/capture/index.ts';

export const grpcCard = (url: string): AgentCard =>
  AgentCard.fromJSON({
    name: 'Planner',
    description: 'plans',
    version: '1.0.0',
    provider: { organization: 'Example', url: 'https://example.test' },
    supportedInterfaces: [{ url, protocolBinding: 'GRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/html'],
    skills: [{ id: 'plan', name: 'plan', description: 'plan', tags: ['plan'] }],
  });

export type GrpcAgent = { readonly url: string; close(): void };

/** A gRPC server on loopback that serves A2A with this implementation. */
export const grpcServer = async (service: (url: string) => UntypedServiceImplementation): Promise<GrpcAgent> => {
  const server = new Server();
  // The card names the port, which is known once it is bound.
  let bound: UntypedServiceImplementation = {};
  const late = Object.fromEntries(
    Object.keys(A2AService).map((method) => [
      method,
      (...args: unknown[]) => (bound[method] as (...args: unknown[]) => unknown)(...args),
    ]),
  );
  server.addService(A2AService, late as UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, at) =>
      error ? reject(error) : resolve(at),
    );
  });
  const url = `127.0.0.1:${port}`;
  bound = service(url);
  return { url, close: () => server.forceShutdown() };
};

/** A real SDK agent that speaks gRPC; its event bus is tapped when a capture is given. */
export const grpcAgent = (executor: AgentExecutor, capture?: Capture): Promise<GrpcAgent> =>
  grpcServer((url) => {
    const card = grpcCard(url);
    const extended = AgentCard.fromJSON({
      ...(AgentCard.toJSON(card) as object),
      description: 'plans for those who are known',
    });
    const requestHandler = new DefaultRequestHandler(
      card,
      new InMemoryTaskStore(),
      executor,
      capture?.eventBus('Planner'),
      new InMemoryPushNotificationStore(),
      undefined,
      () => Promise.resolve(extended),
    );
    return grpcService({
      requestHandler,
      userBuilder: UserBuilder.noAuthentication,
    }) as unknown as UntypedServiceImplementation;
  });

export type CallsWith = Partial<CallOptions> & { readonly interceptors?: Interceptor[] };

/** A client of the SDK that speaks gRPC alone, watched when a capture is given. */
export const grpcClient = (url: string, capture: Capture | null, calls: CallsWith = {}): Promise<Client> => {
  const grpc = (interceptors: Interceptor[]) =>
    new GrpcTransportFactory({
      grpcCallOptions: { ...calls, interceptors: [...(calls.interceptors ?? []), ...interceptors] },
    });
  const options = capture === null ? { transports: [grpc([])] } : capture.client({ agent: 'coordinator', grpc });
  return new ClientFactory({ ...options, preferredTransports: ['GRPC'] }).createFromAgentCard(grpcCard(url));
};
