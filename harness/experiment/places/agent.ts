import { createHash } from 'node:crypto';
import { TaskState } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { DefaultExecutionEventBusManager } from '@a2a-js/sdk/server';
import { startAgent } from '../../lab/agent.ts';
import { Network, type ServedRequest } from '../../lab/network.ts';
import { Remote } from '../../lab/remote.ts';
import { AGENTS } from './agents.ts';
import { type Onward, type Tools, work } from './behaviour.ts';
import type { Entry, Place, Surroundings } from './protocol.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

type SentMessage = { readonly params?: { readonly message?: { messageId?: string; parts?: { text?: string }[] } } };

/** What the agent's own server received, as it logs it. */
const entryOf = ({ method, body, peer, response }: ServedRequest): Entry => {
  if (method === 'GET') return { what: 'card_served', sha256: sha256(response), peer };
  const { messageId, parts = [] } = (JSON.parse(body) as SentMessage).params?.message ?? {};
  return { what: 'message', message_id: messageId, text: parts.map(({ text }) => text).join('\n'), peer };
};

/** An agent: an A2A SDK server with card, task store and behaviour, and an A2A SDK client for what it hands on. */
export const openAgent =
  (agent: string) =>
  async ({ egress, queue }: Surroundings): Promise<Place> => {
    const identity = AGENTS.find((one) => one.agent === agent)!;
    const did: Entry[] = [];
    const network = new Network();
    const onward: Onward[] = [];
    const post = async (url: string): Promise<string> => {
      const response = await fetch(url, { method: 'POST' });
      if (!response.ok) throw new Error(`the queue answered ${response.status}`);
      return response.text();
    };
    const tools: Tools = {
      agent,
      onward,
      log: (entry) => did.push(entry),
      read: async (uri) => (await fetch(`${egress}/read?by=${agent}&uri=${encodeURIComponent(uri)}`)).text(),
      takeWorker: () => post(`${queue}/take`),
      releaseWorker: async (ticket) => void (await post(`${queue}/release/${ticket}`)),
    };
    const saved = await startAgent(network, identity, work(tools), {
      middleware: (_request, _response, next) => next(),
      eventBusManager: new DefaultExecutionEventBusManager(),
    });
    const through =
      (path: string): typeof globalThis.fetch =>
      (input, init) =>
        fetch(
          `${egress}/${path}?by=${agent}&uri=${encodeURIComponent(input instanceof Request ? input.url : input.toString())}`,
          init,
        );
    const clients = new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl: through('send') })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: through('card') }),
    });
    const awaiting = (): number => {
      const states = new Map(saved.map(({ taskId, state }) => [taskId, state]));
      return [...states.values()].filter((state) => state === TaskState.TASK_STATE_INPUT_REQUIRED).length;
    };
    return {
      port: network.places.get(identity.host)!.port,
      get log() {
        const kept = saved.map(({ taskId, state, artifacts }) => ({
          what: 'task_saved',
          task_id: taskId,
          state: TaskState[state],
          artifacts: artifacts.length,
        }));
        return [...network.served.map(entryOf), ...did, ...kept];
      },
      orders: {
        awaiting: async () => {
          const count = awaiting();
          did.push({ what: 'awaiting_counted', count });
          return count;
        },
        last_skill: async () => did.findLast(({ what }) => what === 'skill_ran')?.skill ?? null,
        deliver: async () => {
          const next = onward.shift();
          if (next === undefined) return null;
          const client = await clients.createFromUrl(`http://${next.to.host}`);
          const { taskId, contextId, artifactIds } = await new Remote(client, null).send(next.text);
          return { to: next.to.agent, task_id: taskId, context_id: contextId, artifact_id: artifactIds[0] ?? null };
        },
      },
      close: () => network.close(),
    };
  };
