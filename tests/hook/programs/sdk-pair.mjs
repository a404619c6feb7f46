// node sdk-pair.mjs: an agent and a client of the SDK, over JSON-RPC and REST; prints what the client got, ids and times taken out.
import { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from '@a2a-js/sdk/client';
import { message, startAgent } from './agent.mjs';

/** Each id by the place where it first came up; ports and times are of one run alone. */
const withoutChance = (text) => {
  const ids = [];
  return text
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `id-${ids.indexOf(id)}`;
    })
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/127\.0\.0\.1:\d+/g, 'AGENT');
};

const talk = async (agent, binding, tell) => {
  const transports = [new JsonRpcTransportFactory(), new RestTransportFactory()];
  const client = await new ClientFactory({ transports, preferredTransports: [binding] }).createFromUrl(agent.url);
  tell('sent', await client.sendMessage({ message: message('m-1', 'hello') }));
  let task;
  for await (const event of client.sendMessageStream({ message: message('m-2', 'and again') })) {
    tell('event', event);
    task ??= event.payload.value.id;
  }
  tell('task', await client.getTask({ tenant: '', id: task }));
  await client.getTask({ tenant: '', id: 'none' }).catch((error) => tell('error', error.name, error.message));
  for await (const event of client.sendMessageStream({ message: message('m-3', 'stop') })) {
    tell('only', event);
    break;
  }
};

const main = async () => {
  const transcript = {};
  for (const binding of ['JSONRPC', 'HTTP+JSON']) {
    const agent = await startAgent('reader', async (text) => `you said ${text}`);
    transcript[binding] = [];
    await talk(agent, binding, (...step) => transcript[binding].push(step));
    agent.close();
  }
  process.stdout.write(withoutChance(JSON.stringify(transcript)));
};
void main();
