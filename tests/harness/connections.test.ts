import { once } from 'node:events';
import net from 'node:net';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { createDialer } from '../../src/capture/dialer.ts';
import { watchConnections } from './connections.ts';

/** A port of this host that nothing listens on. */
const closedPort = async (): Promise<number> => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

test('the watch sees connections and look-ups of sockets, of undici and of the dialer, and none after its end', async () => {
  const port = await closedPort();
  const watch = watchConnections();
  const socket = net.connect({ host: '127.0.0.1', port });
  await once(socket, 'error');
  expect(watch.peers).toEqual(['127.0.0.1']);
  await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow();
  expect(watch.peers).toEqual(['127.0.0.1', 'localhost']);
  expect(watch.lookups).toEqual(['localhost']);
  const dialer = createDialer([]);
  await expect(dialer.fetch(`http://localhost:${port}/`)).rejects.toThrow();
  await dialer.close();
  expect(watch.lookups).toEqual(['localhost', 'localhost']);
  watch.stop();
  await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow();
  expect(watch.lookups).toHaveLength(2);
});
