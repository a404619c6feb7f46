import { createRequire } from 'node:module';
import type { AgentExecutionEvent } from '@a2a-js/sdk/server';
import type { EventCodecs } from '../event-json.ts';
import { eventJson } from '../event-json.ts';
import type { Reporter } from './reporter.ts';

const KINDS = new Set(['message', 'task', 'statusUpdate', 'artifactUpdate']);

type Bus = EventTarget & { readonly publish?: unknown; readonly finished?: unknown };

const isBus = (target: Bus): boolean => typeof target.publish === 'function' && typeof target.finished === 'function';

const eventOf = (event: Event): AgentExecutionEvent | null => {
  if (!(event instanceof CustomEvent)) return null;
  const { type, detail } = event;
  return type === 'event' && KINDS.has(detail?.kind) ? (detail as AgentExecutionEvent) : null;
};

/**
 * Taps the event bus of `@a2a-js/sdk` 1.x by what it is, an EventTarget with `publish` and `finished`: no loader hook is needed, and a bundled SDK is seen as
 * well. Events are live objects, so each is serialised at once, by the codecs of the SDK.
 */
export const tapEventBus = (reporter: Reporter): void => {
  const proto: { dispatchEvent: (this: EventTarget, event: Event) => boolean } = EventTarget.prototype;
  const dispatch = proto.dispatchEvent;
  let codecs: EventCodecs | null = null;
  proto.dispatchEvent = function (event) {
    reporter.attempt('record an event of the server', () => {
      // The event first: what a target of the program computes when it is asked is not for a hook to ask.
      const published = eventOf(event);
      if (published === null || !isBus(this)) return;
      codecs ??= createRequire(import.meta.url)('@a2a-js/sdk') as EventCodecs;
      reporter.event(eventJson(published, codecs));
    });
    return Reflect.apply(dispatch, this, [event]);
  };
};
