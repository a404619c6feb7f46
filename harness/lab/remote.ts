import { randomUUID } from 'node:crypto';
import { type Message, type Part, SendMessageRequest, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';

const textOf = (parts: readonly Part[]): string =>
  parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');

/** What an agent answered: a message, or a task with its artifacts. */
export type Reply = {
  readonly text: string;
  readonly taskId: string | null;
  readonly contextId: string;
  /** A2A's ids of the artifacts. */
  readonly artifactIds: readonly string[];
};

const replyOf = (result: Message | Task): Reply =>
  'artifacts' in result
    ? {
        text: textOf(result.artifacts.flatMap(({ parts }) => parts)),
        taskId: result.id,
        contextId: result.contextId,
        artifactIds: result.artifacts.map(({ artifactId }) => artifactId),
      }
    : { text: textOf(result.parts), taskId: null, contextId: result.contextId, artifactIds: [] };

/** An agent as its clients reach it, through the A2A SDK, and the endpoint in evidence that it is reached at. */
export class Remote {
  readonly endpointId: string | null;
  readonly #client: Client;

  constructor(client: Client, endpointId: string | null) {
    this.#client = client;
    this.endpointId = endpointId;
  }

  /** Sends a text, as a new request or to a task that waits for it; returns the answer. */
  async send(text: string, taskId = ''): Promise<Reply> {
    const message = { messageId: randomUUID(), role: 'ROLE_USER', taskId, parts: [{ text, mediaType: 'text/plain' }] };
    return replyOf(await this.#client.sendMessage(SendMessageRequest.fromJSON({ message, configuration: {} })));
  }

  /** Sends a text that the agent opens a task for; returns the id of the task. */
  async sendForTask(text: string): Promise<string> {
    const { taskId } = await this.send(text);
    if (taskId === null) throw new Error('the agent opened no task');
    return taskId;
  }
}
