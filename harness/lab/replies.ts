import { randomUUID } from 'node:crypto';
import { Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { AgentEvent, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';

/** The states a scripted agent brings a task to, in the spelling of A2A 1.0. */
export type State = 'WORKING' | 'INPUT_REQUIRED' | 'COMPLETED';

/** What a scripted agent can say in one turn: the events that the A2A SDK server puts on its bus. */
export class Turn {
  readonly text: string;
  readonly taskId: string;
  readonly contextId: string;
  /** A2A's id of the message, as its sender gave it. */
  readonly messageId: string;
  /** Whether the message continues a task that the agent holds already. */
  readonly isFollowUp: boolean;
  readonly #bus: ExecutionEventBus;

  constructor({ userMessage, taskId, contextId, task }: RequestContext, bus: ExecutionEventBus) {
    this.text = userMessage.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('\n');
    this.taskId = taskId;
    this.contextId = contextId;
    this.messageId = userMessage.messageId;
    this.isFollowUp = task !== undefined;
    this.#bus = bus;
  }

  /** Answers without a task. */
  say(text: string): void {
    const message = { messageId: randomUUID(), contextId: this.contextId, role: 'ROLE_AGENT', parts: [{ text }] };
    this.#bus.publish(AgentEvent.message(Message.fromJSON(message)));
  }

  /** Opens the task of this turn. */
  open(): void {
    const status = { state: 'TASK_STATE_SUBMITTED' };
    this.#bus.publish(AgentEvent.task(Task.fromJSON({ id: this.taskId, contextId: this.contextId, status })));
  }

  enter(state: State): void {
    const status = { state: `TASK_STATE_${state}` };
    const update = { taskId: this.taskId, contextId: this.contextId, status };
    this.#bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(update)));
  }

  /** Adds an artifact of one text part. */
  produce(name: string, text: string, mediaType: string): void {
    const artifact = { artifactId: randomUUID(), name, parts: [{ text, mediaType }] };
    const update = { taskId: this.taskId, contextId: this.contextId, artifact, lastChunk: true };
    this.#bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(update)));
  }

  finish(): void {
    this.#bus.finished();
  }
}
