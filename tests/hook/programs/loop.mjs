// Three agents hand a task around; nothing on the wire joins the hops: each hop mints its own message, task and context.
// node loop.mjs           all three in this process
// node loop.mjs spread    each in a process of its own
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { ClientFactory } from '@a2a-js/sdk/client';
import { message, startAgent } from './agent.mjs';

const HOPS = 12;
const peers = {};
const serve = (name) =>
  startAgent(name, async (text) => {
    const left = Number(text.split(' ').at(-1));
    if (left === 0) return 'nobody knows';
    const next = { a: 'b', b: 'c', c: 'a' }[name];
    const client = await new ClientFactory().createFromUrl(peers[next]);
    await client.sendMessage({ message: message(`m-${name}-${left}`, `please do this ${left - 1}`) });
    return 'the other one did not know';
  });

if (process.argv[2] === 'agent') {
  const agent = await serve(process.argv[3]);
  process.on('message', (urls) => Object.assign(peers, urls));
  process.on('disconnect', () => process.exit());
  process.send(agent.url);
} else {
  const spread = process.argv[2] === 'spread';
  const children = [];
  const agents = [];
  for (const name of ['a', 'b', 'c']) {
    if (spread) {
      const child = fork(import.meta.filename, ['agent', name]);
      children.push(child);
      [peers[name]] = await once(child, 'message');
    } else {
      const agent = await serve(name);
      agents.push(agent);
      peers[name] = agent.url;
    }
  }
  for (const child of children) child.send(peers);
  const client = await new ClientFactory().createFromUrl(peers.a);
  await client.sendMessage({ message: message('m-0', `please do this ${HOPS}`) });
  for (const child of children) child.disconnect();
  for (const agent of agents) agent.close();
}
