import { createServer, type IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
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
  readonly #servers: Pick<Server, 'close' | 'closeAllConnections'>[] = [];

  /** Starts the server of a host. `addresses`: what its name stands for in the scenario. */
  async serve(host: string, handler: RequestListener, addresses: readonly string[] = []): Promise<void> {
    const server = createServer({ ServerResponse: LoggedResponse }, (request, response) => {
      this.#log(host, request, response);
      handler(request, response);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, LOOPBACK, resolve);
    });
    this.#servers.push(server);
    const to = { address: LOOPBACK, port: (server.address() as AddressInfo).port };
    this.places.set(host, { ...to, addresses });
    this.overrides.push({ host, to, ...(addresses.length > 0 && { resolves_to: addresses }) });
  }

  /** Stops every server and cuts what is still connected. */
  async close(): Promise<void> {
    await Promise.all(
      this.#servers.map((server) => {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        return closed;
      }),
    );
  }

  #log(host: string, request: IncomingMessage, response: LoggedResponse): void {
    const received: Buffer[] = [];
    request.on('data', (chunk: Buffer) => received.push(chunk));
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
        response: Buffer.concat(response.sent).toString(),
      });
    });
  }
}

/** A response that keeps what was written to it. */
class LoggedResponse extends ServerResponse {
  readonly sent: Buffer[] = [];

  override write(...args: unknown[]): boolean {
    this.#keep(args[0]);
    return super.write(...(args as Parameters<ServerResponse['write']>));
  }

  override end(...args: unknown[]): this {
    this.#keep(args[0]);
    return super.end(...(args as Parameters<ServerResponse['end']>));
  }

  #keep(chunk: unknown): void {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.sent.push(Buffer.from(chunk));
  }
}
