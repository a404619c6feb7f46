import { Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  type AgentExecutionEvent,
  DefaultExecutionEventBusManager,
  type ExecutionEventBus,
  type ExecutionEventBusManager,
} from '@a2a-js/sdk/server';
import type { CaptureContext } from './context.ts';
import { eventJson } from './event-json.ts';
import { recordEvent } from './observations.ts';

const codecs = { Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent };

/**
 * Wraps an event bus manager (fourth argument of DefaultRequestHandler): every event an executor publishes is recorded before anybody
 * else sees it, those too that no client ever gets. Events are live objects, so each is serialised at once.
 */
export const tapBusManager = (
  context: CaptureContext,
  agent: string | null,
  inner: ExecutionEventBusManager = new DefaultExecutionEventBusManager(),
): ExecutionEventBusManager => {
  context.session.note('event bus: a cancel of a task that no executor works on changes its state unseen');
  const tapped = new WeakSet<ExecutionEventBus>();
  const onEvent = (event: AgentExecutionEvent): void => {
    // A throw from a listener of this bus would be an uncaught exception of the agent.
    context.session.attempt('record an event of the server', () => {
      const exchange_id = context.scope.getStore()?.serving ?? null;
      const sighting = { observer: 'sdk-server', agent, exchange_id, wire_event: null } as const;
      recordEvent(context, sighting, context.redactor.json(eventJson(event, codecs)), false);
    });
  };
  const tap = <B extends ExecutionEventBus | undefined>(bus: B): B => {
    if (bus !== undefined && !tapped.has(bus)) {
      tapped.add(bus);
      bus.on('event', onEvent);
    }
    return bus;
  };
  return new Proxy(inner, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
      if (name !== 'createOrGetByTaskId' && name !== 'getByTaskId') return call;
      return (...args: unknown[]) => tap(call(...args) as ExecutionEventBus | undefined);
    },
  });
};
