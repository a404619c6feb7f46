import { AgentCard } from '@a2a-js/sdk';
import { type Client, ClientFactory } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
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
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Capture } from '../../src/capture/index.ts';

type Version = '1.0' | '0.3';

const cardAt = (url: string, ...versions: readonly Version[]): AgentCard =>
  AgentCard.fromJSON({
    name: 'Planner',
    description: 'plans',
    version: '1.0.0',
    provider: { organization: 'Example', url: 'https://example.test' },
    supportedInterfaces: versions.map((protocolVersion) => ({ url, protocolBinding: 'GRPC', protocolVersion })),
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/html'],
    skills: [{ id: 'plan', name: 'plan', description: 'plan', tags: ['plan'] }],
  });

export type GrpcAgent = { readonly url: string; close(): void };

/** A gRPC server on loopback with these services. */
const serverOf = async (...services: readonly [ServiceDefinition, object][]): Promise<GrpcAgent> => {
  const server = new Server();
  for (const [definition, service] of services) server.addService(definition, service as UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, at) =>
      error ? reject(error) : resolve(at),
    );
  });
  return { url: `127.0.0.1:${port}`, close: () => server.forceShutdown() };
};

/** One that answers as the test says. */
export const grpcServer = (service: UntypedServiceImplementation): Promise<GrpcAgent> =>
  serverOf([A2AService, service]);

/** A real SDK agent that speaks gRPC of both versions; its event bus is tapped when a capture is given. */
export const grpcAgent = (executor: AgentExecutor, capture?: Capture): Promise<GrpcAgent> => {
  const card = cardAt('', '1.0', '0.3');
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    executor,
    capture?.eventBus('Planner'),
    new InMemoryPushNotificationStore(),
    undefined,
    { ...card, description: 'plans for those who are known' },
  );
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  return serverOf([A2AService, grpcService(options)], [LegacyA2AService, legacyGrpcService(options)]);
};

export type CallsWith = Partial<CallOptions> & { readonly interceptors?: Interceptor[] };

/** A client of the SDK that speaks gRPC alone, watched when a capture is given. */
export const grpcClient = (
  url: string,
  capture: Capture | null,
  calls: CallsWith = {},
  version: Version = '1.0',
): Promise<Client> => {
  const grpc = (interceptors: Interceptor[]) =>
    new GrpcTransportFactory({
      grpcCallOptions: { ...calls, interceptors: [...(calls.interceptors ?? []), ...interceptors] },
      legacyCompat: { enabled: true },
    });
  const options = capture === null ? { transports: [grpc([])] } : capture.client({ agent: 'coordinator', grpc });
  return new ClientFactory({ ...options, preferredTransports: ['GRPC'] }).createFromAgentCard(cardAt(url, version));
};
