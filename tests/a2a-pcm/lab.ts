import { Role, type SendMessageRequest } from '@a2a-js/sdk';
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { createPcmGuard, type GuardOptions } from '../../src/a2a-pcm/guard.ts';
import type { IntentPolicy } from '../../src/a2a-pcm/intent-policy.ts';
import { type AcceptedMessage, createPcmReceiver, type ReceiverOptions } from '../../src/a2a-pcm/receiver.ts';
import { A2A_REASONS } from '../../src/pcm/reasons-a2a.ts';
import { createReplay } from '../../src/pcm/replay.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { cardAt, listen } from '../capture/lab.ts';
import { bytesOf, type Members, messageOf, receiverOf, SCHEMA, TS } from '../pcm/lab.ts';

const NOW = Date.parse(TS);
const STARTED = '2026-11-30T11:59:00.000000Z';

/** B, with this policy for its one intent. */
export const receiverB = (
  policy: Omit<IntentPolicy, 'schema'> = {},
  schema: Members = SCHEMA,
  options: Partial<ReceiverOptions> = {},
) => {
  const { trust, schemas, me } = receiverOf(schema);
  return createPcmReceiver({
    trust,
    me,
    intents: [{ schema: schemas[0]!, ...policy }],
    replay: createReplay(STARTED),
    crypto: nativeCrypto,
    now: () => NOW,
    ...options,
  });
};

let sent = 0;
/** A message of A's with a nonce of its own. */
export const fresh = (body: Members = {}, schema: Members = SCHEMA): Members =>
  messageOf({ nonce: (++sent).toString(16).padStart(32, '0'), ...body }, schema);
export const textOf = (message: Members): string => new TextDecoder().decode(bytesOf(message));

/** An agent of the SDK that answers with what it was given to act on; `ran` counts its runs. */
export const guarded = async (receiver = receiverB(), options: GuardOptions = {}) => {
  const guard = createPcmGuard(receiver, options);
  const ran: (readonly AcceptedMessage[])[] = [];
  const executor: AgentExecutor = {
    execute: async ({ contextId }, bus) => {
      ran.push(guard.accepted());
      const value = JSON.stringify(guard.accepted().map(({ message }) => message.nonce));
      bus.publish({
        kind: 'message',
        data: {
          messageId: 'answer',
          role: Role.ROLE_AGENT,
          parts: [{ content: { $case: 'text', value }, mediaType: 'text/plain', filename: '', metadata: undefined }],
          taskId: '',
          contextId,
          extensions: [],
          metadata: undefined,
          referenceTaskIds: [],
        },
      });
      bus.finished();
    },
    cancelTask: async () => undefined,
  };
  const server = await listen((app, origin) => {
    const card = cardAt(origin);
    for (const binding of card.supportedInterfaces.slice())
      card.supportedInterfaces.push({ ...binding, protocolVersion: '0.3' });
    const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
    const sdk = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } };
    app.use('/rpc', guard.before('JSONRPC'), jsonRpcHandler(sdk));
    app.use('/rest', guard.before('HTTP+JSON'), restHandler(sdk));
    app.use('/bare', jsonRpcHandler(sdk));
  });
  return { ...server, ran };
};
export type Guarded = Awaited<ReturnType<typeof guarded>>;

export type Wire = 'JSONRPC 1.0' | 'HTTP+JSON 1.0' | 'JSONRPC 0.3' | 'HTTP+JSON 0.3';

/** A client of the SDK that speaks one binding of one version. */
export const clientOf = async ({ origin }: { readonly origin: string }, wire: Wire, path?: string) => {
  const [binding, version] = wire.split(' ') as ['JSONRPC' | 'HTTP+JSON', string];
  const card = cardAt(origin);
  const url = `${origin}${path ?? (binding === 'JSONRPC' ? '/rpc' : '/rest')}`;
  card.supportedInterfaces = [{ url, protocolBinding: binding, protocolVersion: version, tenant: '' }];
  const options = version === '0.3' ? { legacyCompat: { enabled: true } } : {};
  const transports = [new JsonRpcTransportFactory(options), new RestTransportFactory(options)];
  return new ClientFactory({ transports, cardResolver: new DefaultAgentCardResolver() }).createFromAgentCard(card);
};

/** What A sends. */
export const requestOf = (...parts: NonNullable<SendMessageRequest['message']>['parts']): SendMessageRequest => ({
  tenant: '',
  message: {
    messageId: 'm-1',
    role: Role.ROLE_USER,
    parts,
    taskId: '',
    contextId: '',
    extensions: [],
    metadata: undefined,
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
});

/** Throws where a reason of a receiver or its guard stands in a refusal that is not of its level. */
export const requireLevel = (reason: string, verdict: string): void => {
  const entry = (A2A_REASONS as Readonly<Record<string, { readonly level: string }>>)[reason];
  if (entry !== undefined && entry.level !== verdict) throw new Error(`${reason} in a refusal of ${verdict}`);
};
