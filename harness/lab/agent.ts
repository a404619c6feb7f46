import { AgentCard, type Task } from '@a2a-js/sdk';
import {
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBusManager,
  InMemoryTaskStore,
  type ServerCallContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express, { type RequestHandler } from 'express';
import type { AgentIdentity } from './cards.ts';
import type { Network } from './network.ts';
import { Turn } from './replies.ts';

/** What the agent's task store was asked to keep, in order: the store's own account, apart from any capture. */
export type SavedTask = { readonly taskId: string; readonly state: number; readonly artifacts: readonly string[] };

class LoggedTaskStore extends InMemoryTaskStore {
  readonly saved: SavedTask[] = [];

  override async save(task: Task, context: ServerCallContext): Promise<void> {
    this.saved.push({
      taskId: task.id,
      state: task.status?.state ?? 0,
      artifacts: task.artifacts.map(({ artifactId }) => artifactId),
    });
    await super.save(task, context);
  }
}

/** What an agent does with one message. */
export type Behaviour = (turn: Turn) => void | Promise<void>;

/** The seams at which a capture watches a server. */
export type ServerSeams = {
  readonly middleware: RequestHandler;
  readonly eventBusManager: ExecutionEventBusManager;
};

/** Starts an A2A SDK server for an agent at its host: card and JSON-RPC. Returns its task store's own log. */
export const startAgent = async (
  network: Network,
  identity: AgentIdentity,
  behaviour: Behaviour,
  { middleware, eventBusManager }: ServerSeams,
): Promise<readonly SavedTask[]> => {
  const { host, card } = identity;
  const store = new LoggedTaskStore();
  const executor: AgentExecutor = {
    execute: async (request, bus) => {
      const turn = new Turn(request, bus);
      await behaviour(turn);
      turn.finish();
    },
    // Nothing is published: the SDK answers that the task cannot be canceled.
    cancelTask: async () => {},
  };
  const requestHandler = new DefaultRequestHandler(card, store, executor, eventBusManager);
  // The SDK's own serialisation of a typed card loses members (a2a-js#663); the codec's does not.
  const agentCardProvider = async () => AgentCard.toJSON(card) as AgentCard;
  const app = express();
  app.use(middleware);
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider }));
  app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  await network.serve(host, app);
  return store.saved;
};
