// node agent-test.mjs redirect|allowed: a client asks an agent to read a page that the message names.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { ClientFactory } from '@a2a-js/sdk/client';
import { message, startAgent } from './agent.mjs';

const site = createServer((request, response) => {
  if (request.url === '/moved')
    response.writeHead(302, { location: `http://127.0.0.1:${internal.address().port}/secret` }).end();
  else response.end('a page');
}).listen(Number(process.env.SITE_PORT ?? 0), '127.0.0.1');
const internal = createServer((_, response) => response.end('internal')).listen(0, '127.0.0.1');
await Promise.all([once(site, 'listening'), once(internal, 'listening')]);

const agent = await startAgent('reader', async (url) => {
  const response = await fetch(url);
  return `${(await response.text()).length} characters`;
});
const client = await new ClientFactory().createFromUrl(agent.url);
const path = process.argv[2] === 'redirect' ? '/moved' : '/page';
const result = await client.sendMessage({ message: message('m-1', `http://127.0.0.1:${site.address().port}${path}`) });
const task = result.payload?.value ?? result;
assert.match(JSON.stringify(task), /\d characters/);
console.log('agent test passed');
agent.close();
site.close();
internal.close();
site.closeAllConnections();
internal.closeAllConnections();
