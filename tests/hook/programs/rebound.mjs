// node rebound.mjs hosts|lookup MANNER: an agent reads one page twice, whose name has two addresses; the first one stops listening in between.

import { once } from 'node:events';
import { createServer, get } from 'node:http';
import * as undici from 'undici';
import { ask, bodyOf, listening, startPlainAgent } from './plain-agent.mjs';

const [how, manner] = process.argv.slice(2);
const page = (text) => createServer((_, response) => response.writeHead(200, { connection: 'close' }).end(text));
const [first, second] = [page('the page'), page('another page')];
const port = await listening(first, '127.0.0.1');
await listening(second, '127.0.0.2', port);

const lookup = (_, { all }, done) =>
  all
    ? done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.2', family: 4 },
      ])
    : done(null, '127.0.0.1', 4);
const reads = {
  fetch: async (url) => (await fetch(url)).text(),
  undici: async (url) => {
    const dispatcher = new undici.Agent({ connect: how === 'lookup' ? { lookup } : {} });
    return (await undici.request(url, { dispatcher })).body.text();
  },
  http: async (url) => {
    const [response] = await once(
      get(url, { ...(how === 'lookup' && { lookup }), autoSelectFamily: true }),
      'response',
    );
    return bodyOf(response);
  },
};
const agent = await startPlainAgent(reads[manner]);
const url = `http://two.example:${port}/page`;
console.log(await ask(agent.url, url));
first.close();
await once(first, 'close');
console.log(await ask(agent.url, url));
agent.close();
second.close();
