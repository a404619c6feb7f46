// node order.mjs: four places, this process, one below it, and two threads, each an agent that sends messages to each other one at the same time.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { send, serve } from './json-rpc.mjs';

const ROUNDS = 4;

const sendAll = async (from, urls) => {
  const others = Object.entries(urls).filter(([to]) => to !== from);
  for (let round = 0; round < ROUNDS; round++)
    await Promise.all(others.map(([to, url]) => send(url, `${from}-${to}-${round}`, 'hello')));
};

/** One place below the first: it tells its URL, is told all, and tells when it has the answer to each message. */
const place = async (name, port) => {
  const agent = await serve();
  port.send(agent.url);
  const [urls] = await port.message();
  await sendAll(name, urls);
  port.send('done');
  await port.message();
  agent.close();
};

if (!isMainThread) {
  const port = { send: (value) => parentPort.postMessage(value), message: () => once(parentPort, 'message') };
  await place(workerData, port);
  parentPort.close();
} else if (process.argv[2] === 'place') {
  await place('process', { send: (value) => process.send(value), message: () => once(process, 'message') });
  process.disconnect();
} else {
  const threadOf = (name) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: name });
    return { name, from: worker, send: (value) => worker.postMessage(value), end: once(worker, 'exit') };
  };
  const child = fork(process.argv[1], ['place']);
  const below = [
    { name: 'process', from: child, send: (value) => child.send(value), end: once(child, 'exit') },
    threadOf('thread-1'),
    threadOf('thread-2'),
  ];
  const agent = await serve();
  const urls = { main: agent.url };
  await Promise.all(below.map(async ({ name, from }) => ([urls[name]] = await once(from, 'message'))));
  const done = below.map(({ from }) => once(from, 'message'));
  for (const each of below) each.send(urls);
  await Promise.all([sendAll('main', urls), ...done]);
  for (const each of below) each.send('end');
  await Promise.all(below.map(({ end }) => end));
  agent.close();
  console.log('order passed');
}
