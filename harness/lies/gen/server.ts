import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server saw: the host that a client named, and the path it asked for. */
export type Seen = { readonly host: string; readonly path: string; readonly status: number };
export type LocalServer = {
  readonly port: number;
  /** A port of this machine at which nobody listens. */
  readonly closedPort: number;
  readonly seen: readonly Seen[];
  readonly close: () => Promise<void>;
};

const hostIn = (header: string): string => header.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');

const portOf = async (server: ReturnType<typeof createServer>): Promise<number> => {
  server.listen(0, '::');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** Serves on every address of the loopback; `/status/N` is answered with N. */
export const openServer = async (): Promise<LocalServer> => {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const path = request.url!;
    const status = Number(/^\/status\/(\d{3})/.exec(path)?.[1] ?? 200);
    seen.push({ host: hostIn(request.headers.host ?? ''), path, status });
    response.writeHead(status, { 'content-type': 'text/plain' }).end('ok\n');
  });
  const probe = createServer();
  const closedPort = await portOf(probe);
  probe.close();
  return {
    port: await portOf(server),
    closedPort,
    seen,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
