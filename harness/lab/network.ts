import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DialOverride } from '../../src/index.ts';

const LOOPBACK = '127.0.0.1';

/** Where a scenario's host really is, an ephemeral loopback port, and the addresses that its name stands for. */
export type Place = { readonly address: string; readonly port: number; readonly addresses: readonly string[] };
/** One request as the server's own socket saw it, apart from any capture. */
export type ServedRequest = {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  /** Address of the client's end of the connection. */
  readonly peer: string;
  readonly headers: readonly string[];
  readonly body: string;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, unknown>>;
  readonly response: string;
};

/**
 * The little internet of one scenario: fixed names, each a server on an ephemeral loopback port. Keeps its own log of every
 * request, which no capture writes or reads.
 */
export class Network {
  readonly served: ServedRequest[] = [];
  readonly places = new Map<string, Place>();
  /** How to reach what is served by now; the list grows with the servers. */
  readonly overrides: DialOverride[] = [];
  readonly #stops: (() => Promise<unknown>)[] = [];

  /** Starts the server of a host. `addresses`: what its name stands for in the scenario. */
  async serve(host: string, handler: RequestListener, addresses: readonly string[] = []): Promise<void> {
    const server = createServer((request, response) => {
      this.#log(host, request, response);
      handler(request, response);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, LOOPBACK, resolve);
    });
    this.#stops.push(() => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      return closed;
    });
    const to = { address: LOOPBACK, port: (server.address() as AddressInfo).port };
    this.places.set(host, { ...to, addresses });
    this.overrides.push({ host, to, ...(addresses.length > 0 && { resolves_to: addresses }) });
  }

  /** Stops every server and cuts what is still connected. */
  async close(): Promise<void> {
    await Promise.all(this.#stops.map((stop) => stop()));
  }

  #log(host: string, request: IncomingMessage, response: ServerResponse): void {
    const received: Buffer[] = [];
    request.on('data', (chunk: Buffer) => received.push(chunk));
    const sent = keepWritten(response);
    const { method = '', url: path = '' } = request;
    const peer = request.socket.remoteAddress ?? '';
    response.once('close', () => {
      this.served.push({
        host,
        method,
        path,
        peer,
        headers: request.rawHeaders,
        body: Buffer.concat(received).toString(),
        status: response.statusCode,
        responseHeaders: { ...response.getHeaders() },
        response: Buffer.concat(sent).toString(),
      });
    });
  }
}

/** Keeps what is written to a response. Express gives responses another prototype, so a subclass would not see it. */
const keepWritten = (response: ServerResponse): readonly Buffer[] => {
  const kept: Buffer[] = [];
  for (const name of ['write', 'end'] as const) {
    const original = response[name].bind(response) as (...args: unknown[]) => unknown;
    const keeping = (...args: unknown[]): unknown => {
      const [chunk] = args;
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) kept.push(Buffer.from(chunk));
      return original(...args);
    };
    Object.assign(response, { [name]: keeping });
  }
  return kept;
};
