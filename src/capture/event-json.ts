import type { Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import type { AgentExecutionEvent } from '@a2a-js/sdk/server';

/** The codecs of `@a2a-js/sdk`, handed in: a hooked process loads them only when an agent runs in it. */
export type EventCodecs = {
  readonly Message: typeof Message;
  readonly Task: typeof Task;
  readonly TaskStatusUpdateEvent: typeof TaskStatusUpdateEvent;
  readonly TaskArtifactUpdateEvent: typeof TaskArtifactUpdateEvent;
};

/** ProtoJSON of an event by the SDK's own codecs: JSON.stringify would spell bytes and numbers otherwise. */
export const eventJson = (event: AgentExecutionEvent, codecs: EventCodecs): string => {
  switch (event.kind) {
    case 'message':
      return JSON.stringify({ message: codecs.Message.toJSON(event.data) });
    case 'task':
      return JSON.stringify({ task: codecs.Task.toJSON(event.data) });
    case 'statusUpdate':
      return JSON.stringify({ statusUpdate: codecs.TaskStatusUpdateEvent.toJSON(event.data) });
    case 'artifactUpdate':
      return JSON.stringify({ artifactUpdate: codecs.TaskArtifactUpdateEvent.toJSON(event.data) });
  }
};
