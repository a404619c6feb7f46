// What an agent's page reader meets: a site, one page of which redirects to a service that is not for it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { ClientFactory } from '@a2a-js/sdk/client';
import { message, startAgent } from '../../hook/programs/agent.mjs';

const listening = async (host, handler) => {
  const server = createServer(handler).listen(0, host);
  await once(server, 'listening');
  return { url: `http://${host}:${server.address().port}`, close: () => server.close() };
};

export const startReader = () =>
  startAgent('reader', async (url) => `${(await (await fetch(url)).text()).length} characters`);

export const startSite = async () => {
  const internal = await listening('127.0.0.2', (_, response) => response.end('internal'));
  const site = await listening('127.0.0.1', (request, response) => {
    if (request.url.startsWith('/moved')) response.writeHead(302, { location: `${internal.url}/secret` }).end();
    else response.end('a page');
  });
  return {
    url: site.url,
    close: () => {
      site.close();
      internal.close();
    },
  };
};

let messages = 0;
/** Asks the agent to read a page; returns its answer as JSON. */
export const ask = async (client, url) =>
  JSON.stringify(await client.sendMessage({ message: message(`m-${messages++}`, url) }));
export const clientOf = (url) => new ClientFactory().createFromUrl(url);
