// An agent as a user of @a2a-js/sdk would write it: it reads the page that a message names, and answers with its length.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

export const text = (value) => ({
  content: { $case: 'text', value },
  mediaType: 'text/plain',
  filename: '',
  metadata: undefined,
});
export const message = (messageId, value, more = {}) => ({
  messageId,
  role: 1,
  parts: [text(value)],
  taskId: '',
  contextId: '',
  extensions: [],
  metadata: undefined,
  referenceTaskIds: [],
  ...more,
});

const cardOf = (name, url) => ({
  name,
  description: `${name} of the tests`,
  supportedInterfaces: [
    { url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
    { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: '' },
  ],
  provider: { organization: 'Tests', url: 'https://tests.example' },
  version: '1.0.0',
  documentationUrl: '',
  capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [
    {
      id: 'read',
      name: 'read',
      description: 'reads',
      tags: [],
      examples: [],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    },
  ],
  signatures: [],
  iconUrl: '',
});

/** Starts an agent; `work(text)` makes its answer. */
export const startAgent = async (name, work) => {
  const app = express();
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const card = cardOf(name, url);
  const executor = {
    execute: async ({ taskId, contextId, userMessage }, bus) => {
      const now = () => new Date().toISOString();
      bus.publish({
        kind: 'task',
        data: {
          id: taskId,
          contextId,
          status: { state: 1, timestamp: now(), message: undefined },
          artifacts: [],
          history: [],
          metadata: undefined,
        },
      });
      const answer = await work(userMessage.parts[0].content.value, { contextId });
      bus.publish({
        kind: 'artifactUpdate',
        data: {
          taskId,
          contextId,
          artifact: {
            artifactId: 'answer',
            name: 'answer',
            description: '',
            parts: [text(answer)],
            metadata: undefined,
            extensions: [],
          },
          append: false,
          lastChunk: true,
          metadata: undefined,
        },
      });
      bus.publish({
        kind: 'statusUpdate',
        data: { taskId, contextId, status: { state: 3, timestamp: now(), message: undefined }, metadata: undefined },
      });
      bus.finished();
    },
    cancelTask: async () => {},
  };
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: async () => card }));
  app.use('/rpc', jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
  app.use('/rest', restHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
