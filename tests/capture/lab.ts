import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentCard, Role, TaskState } from '@a2a-js/sdk';
import { type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { type Capture, type CaptureOptions, startCapture } from '../../src/capture/index.ts';
import type { Records } from '../../src/evidence/bundle.ts';
import type { Profile } from '../../src/rules/profile.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { checkAdmissibility } from '../../src/verify/admissibility.ts';
import { asObject } from '../support/bundle.ts';
import { check, told } from '../support/check.ts';
import { testSigner } from '../support/seal.ts';

/** A folder that is gone after the test. */
export const folder = (): { readonly path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'capture-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

const now = (): string => new Date().toISOString();
const status = (state: TaskState, text?: string) => ({
  state,
  timestamp: now(),
  message:
    text === undefined
      ? undefined
      : {
          messageId: `m-${text.length}`,
          role: Role.ROLE_AGENT,
          parts: [
            {
              content: { $case: 'text' as const, value: text },
              mediaType: 'text/plain',
              filename: '',
              metadata: undefined,
            },
          ],
          taskId: '',
          contextId: '',
          extensions: [],
          metadata: undefined,
          referenceTaskIds: [],
        },
});

/** Submitted, working, one artifact in chunks, completed; `reply` makes the chunks of what the client wrote. */
export const executorOf = (reply: (text: string) => readonly string[]): AgentExecutor => ({
  execute: async ({ taskId, contextId, userMessage }, bus) => {
    const first = userMessage.parts[0]?.content;
    const chunks = reply(first?.$case === 'text' ? first.value : '');
    bus.publish({
      kind: 'task',
      data: {
        id: taskId,
        contextId,
        status: status(TaskState.TASK_STATE_SUBMITTED),
        artifacts: [],
        history: [userMessage],
        metadata: undefined,
      },
    });
    const update = (state: TaskState, text?: string) =>
      bus.publish({
        kind: 'statusUpdate',
        data: { taskId, contextId, status: status(state, text), metadata: undefined },
      });
    update(TaskState.TASK_STATE_WORKING);
    for (const [index, value] of chunks.entries()) {
      bus.publish({
        kind: 'artifactUpdate',
        data: {
          taskId,
          contextId,
          append: index > 0,
          lastChunk: index === chunks.length - 1,
          metadata: undefined,
          artifact: {
            artifactId: 'answer',
            name: 'answer',
            description: '',
            parts: [{ content: { $case: 'text', value }, mediaType: 'text/html', filename: '', metadata: undefined }],
            metadata: undefined,
            extensions: [],
          },
        },
      });
      await Promise.resolve();
    }
    update(TaskState.TASK_STATE_COMPLETED);
    bus.finished();
  },
  cancelTask: async () => undefined,
});

export type Server = { readonly origin: string; readonly app: express.Express; drop(): void; close(): Promise<void> };

export const listen = async (build: (app: express.Express, origin: string) => void): Promise<Server> => {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  build(app, origin);
  return {
    origin,
    app,
    drop: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

export const cardAt = (origin: string, legacy = false, name = 'Planner'): AgentCard =>
  AgentCard.fromJSON({
    name,
    description: 'plans',
    version: '1.0.0',
    provider: { organization: 'Example', url: 'https://example.test' },
    supportedInterfaces: [
      { url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: legacy ? '0.3' : '1.0' },
      { url: `${origin}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/html'],
    skills: [{ id: 'plan', name: 'plan', description: 'plan', tags: ['plan'] }],
  });

/** A real SDK agent, tapped on the server's side when a capture is given. */
export const agent = (executor: AgentExecutor, capture?: Capture, legacy = false): Promise<Server> =>
  listen((app, origin) => {
    const card = cardAt(origin, legacy);
    const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor, capture?.eventBus('planner'));
    const legacyCompat = legacy ? { legacyCompat: { enabled: true } } : {};
    app.get('/.well-known/agent-card.json', (_request, response) => void response.json(AgentCard.toJSON(card)));
    if (capture) app.use('/rpc', capture.middleware({ agent: 'planner', binding: 'JSONRPC' }));
    app.use(
      '/rpc',
      jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication, ...legacyCompat }),
    );
    if (capture) app.use('/rest', capture.middleware({ agent: 'planner', binding: 'HTTP+JSON' }));
    app.use('/rest', restHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
  });

const PROFILE = asObject(JSON.parse(readFileSync(new URL('../../profiles/experiment.json', import.meta.url), 'utf8')));

export const capture = (dir: string, options: Partial<CaptureOptions> = {}): Capture =>
  startCapture({ dir, incident_id: 'incident-1', profile_id: PROFILE.profile_id as string, ...options });

/** Finishes, reads bundle and receipt back from disk, and has them verified up to admissibility: what was refused, and the records. */
export const finish = (running: Capture): { readonly refusals: readonly string[]; readonly records: Records } => {
  const { bundlePath, receiptPath } = running.finish({ signer: () => testSigner(), profile: PROFILE });
  return verified(bundlePath, receiptPath);
};

export const verified = (bundlePath: string, receiptPath: string) => {
  const read = (path: string) => asObject(JSON.parse(readFileSync(path, 'utf8')));
  const bundle = read(bundlePath);
  const checked = check(bundle, read(receiptPath));
  const records = bundle as unknown as Records;
  const profile = { ...PROFILE, as: { ...(PROFILE.as as object), pinned_cards: [] } } as unknown as Profile;
  const inadmissible = checked.intact ? checkAdmissibility(records, profile, nativeCrypto) : [];
  return {
    refusals: [
      ...told(checked),
      ...inadmissible.map(({ reason, at, detail }) => `${reason} ${at.id} ${at.pointer ?? ''} ${detail}`),
    ],
    records,
  };
};

export const userMessage = (text: string) => ({
  tenant: '',
  message: {
    messageId: 'm-1',
    role: Role.ROLE_USER,
    parts: [
      { content: { $case: 'text' as const, value: text }, mediaType: 'text/plain', filename: '', metadata: undefined },
    ],
    taskId: '',
    contextId: '',
    extensions: [],
    metadata: undefined,
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
});
