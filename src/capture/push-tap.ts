import type { StreamResponse, TaskPushNotificationConfig } from '@a2a-js/sdk';
import {
  type PushNotificationSender,
  type PushNotificationStore,
  V1PushNotificationSerializer,
} from '@a2a-js/sdk/server';
import type { CaptureContext } from './context.ts';
import { observedUriFetch, type UriFetchOptions } from './uri-fetch.ts';

export type PushOptions = UriFetchOptions & {
  /** Where the handler keeps the configurations: its fifth argument. */
  readonly store: PushNotificationStore;
};

/** As the sender of the SDK waits. */
const TIMEOUT_MS = 5_000;

const taskIdOf = ({ payload }: StreamResponse): string =>
  payload?.$case === 'task' ? payload.value.id : (payload?.value.taskId ?? '');

const credentials = ({ authentication, token }: TaskPushNotificationConfig): Record<string, string> => {
  if (authentication?.scheme && authentication.credentials)
    return { authorization: `${authentication.scheme} ${authentication.credentials}` };
  return token === '' ? {} : { 'x-a2a-notification-token': token };
};

/**
 * A push notification sender (sixth argument of DefaultRequestHandler) that posts what that of the SDK posts, by the observed fetcher: each POST is a
 * dereference of the URL that a client gave. Its `send` throws what the fetcher throws, which the handler logs.
 */
export const observedPushSender = (
  context: CaptureContext,
  { store, ...fetcher }: PushOptions,
): PushNotificationSender => {
  const fetchUri = observedUriFetch(context, fetcher);
  const serializer = new V1PushNotificationSerializer();
  const queues = new Map<string, Promise<void>>();
  const post = async (event: StreamResponse, config: TaskPushNotificationConfig): Promise<void> => {
    const { body, contentType } = serializer.serialize(event);
    const response = await fetchUri(config.url, {
      method: 'POST',
      headers: { 'content-type': contentType, ...credentials(config) },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Read to its end, so that it is evidence whole, and thrown away as it comes: the receiver is a stranger.
    for await (const _ of response.body ?? []);
    if (!response.ok) throw new Error(`a push notification was answered with status ${response.status}`);
  };
  return {
    // Notifications of one task arrive in order.
    send: async (event, serverContext) => {
      const taskId = taskIdOf(event);
      const before = queues.get(taskId);
      const sent = (async () => {
        const configs = taskId === '' ? [] : await store.load(taskId, serverContext);
        await before?.catch(() => undefined);
        await Promise.all(configs.map((config) => post(event, config)));
      })();
      queues.set(taskId, sent);
      try {
        await sent;
      } finally {
        if (queues.get(taskId) === sent) queues.delete(taskId);
      }
    },
  };
};
