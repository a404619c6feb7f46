import {
  AgentCard,
  ListTaskPushNotificationConfigsResponse,
  type ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';

/** Takes a typed message; returns ProtoJSON values by the SDK's own codecs, each of which states one payload at most. */
type ToJson = (message: never) => readonly unknown[];
type Method = { readonly request: ToJson; readonly response: ToJson };

const SERVICE = '/lf.a2a.v1.A2AService/';

const by =
  <T>(codec: { toJSON(message: T): unknown }) =>
  (message: T): readonly unknown[] => [codec.toJSON(message)];
const nothing: ToJson = () => [];
const task = (message: Task): readonly unknown[] => [{ task: Task.toJSON(message) }];

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['SendMessage', { request: by(SendMessageRequest), response: by(SendMessageResponse) }],
  ['SendStreamingMessage', { request: by(SendMessageRequest), response: by(StreamResponse) }],
  ['GetTask', { request: nothing, response: task }],
  ['ListTasks', { request: nothing, response: ({ tasks }: ListTasksResponse) => tasks.flatMap(task) }],
  ['CancelTask', { request: nothing, response: task }],
  ['SubscribeToTask', { request: nothing, response: by(StreamResponse) }],
  [
    'CreateTaskPushNotificationConfig',
    { request: by(TaskPushNotificationConfig), response: by(TaskPushNotificationConfig) },
  ],
  ['GetTaskPushNotificationConfig', { request: nothing, response: by(TaskPushNotificationConfig) }],
  ['ListTaskPushNotificationConfigs', { request: nothing, response: by(ListTaskPushNotificationConfigsResponse) }],
  ['DeleteTaskPushNotificationConfig', { request: nothing, response: nothing }],
  ['GetExtendedAgentCard', { request: nothing, response: by(AgentCard) }],
]);

/** How the messages of a method are written as JSON (a2a.proto of A2A 1.0, A2AService); null for every other service. */
export const grpcMethod = (path: string): Method | null =>
  path.startsWith(SERVICE) ? (METHODS.get(path.slice(SERVICE.length)) ?? null) : null;

export const isExtendedCard = (path: string): boolean => path === `${SERVICE}GetExtendedAgentCard`;
