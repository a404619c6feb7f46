import { AgentCard, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory } from '@a2a-js/sdk/client';
import {
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  type PushNotificationSender,
  type PushNotificationStore,
} from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import type { Capture } from '../../src/capture/index.ts';
import { listen, type Server } from './lab.ts';

/** Binding and version that a client speaks with an agent. */
export const LANES = [
  ['JSONRPC', '1.0'],
  ['HTTP+JSON', '1.0'],
  ['JSONRPC', '0.3'],
  ['HTTP+JSON', '0.3'],
] as const;
export type Lane = (typeof LANES)[number];

const COMPAT = { legacyCompat: { enabled: true } };

const cardAt = (origin: string, [binding, protocolVersion]: Lane): AgentCard =>
  AgentCard.fromJSON({
    name: 'Planner',
    description: 'plans',
    version: '1.0.0',
    supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: binding, protocolVersion }],
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  });

type Push = (store: PushNotificationStore) => PushNotificationSender;

/** A real SDK agent that serves one lane, tapped on the server's side. */
export const laneAgent = (lane: Lane, executor: AgentExecutor, capture: Capture, push?: Push): Promise<Server> =>
  listen((app, origin) => {
    const store = new InMemoryPushNotificationStore();
    const card = cardAt(origin, lane);
    const requestHandler = new DefaultRequestHandler(
      card,
      new InMemoryTaskStore(),
      executor,
      capture.eventBus('Planner'),
      store,
      push?.(store) ?? { send: () => Promise.resolve() },
    );
    const [binding] = lane;
    const handler = binding === 'JSONRPC' ? jsonRpcHandler : restHandler;
    app.use('/a2a', capture.middleware({ agent: 'Planner', binding }));
    app.use('/a2a', handler({ requestHandler, userBuilder: UserBuilder.noAuthentication, ...COMPAT }));
  });

/** A watched client of the SDK that speaks this lane. */
export const laneClient = (lane: Lane, origin: string, capture: Capture): Promise<Client> =>
  new ClientFactory({
    ...capture.client({ agent: 'coordinator', ...COMPAT }),
    preferredTransports: [lane[0]],
  }).createFromAgentCard(cardAt(origin, lane));

const at = (state: TaskState) => ({ state, timestamp: undefined, message: undefined });

type Busy = {
  readonly executor: AgentExecutor;
  readonly bus: Promise<{ readonly bus: ExecutionEventBus; readonly taskId: string }>;
};

/** An agent that says it is working, and then whatever the test has its bus say; a cancel cancels. */
export const busyAgent = (): Busy => {
  let started: (value: Awaited<Busy['bus']>) => void = () => undefined;
  const bus = new Promise<Awaited<Busy['bus']>>((resolve) => {
    started = resolve;
  });
  const executor: AgentExecutor = {
    execute: async ({ taskId, contextId }, running) => {
      const task = { id: taskId, contextId, status: at(TaskState.TASK_STATE_WORKING), artifacts: [], history: [] };
      running.publish({ kind: 'task', data: { ...task, metadata: undefined } });
      await new Promise<void>((resolve) => {
        running.on('finished', () => resolve());
        started({ bus: running, taskId });
      });
    },
    cancelTask: async (taskId, running) => {
      const status = at(TaskState.TASK_STATE_CANCELED);
      running.publish({ kind: 'statusUpdate', data: { taskId, contextId: '', status, metadata: undefined } });
      running.finished();
    },
  };
  return { executor, bus };
};
