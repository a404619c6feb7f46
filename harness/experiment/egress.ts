import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Capture, Dialer, DialOverride } from '../../src/index.ts';

const LOOPBACK = '127.0.0.1';
const PASSED_ON = ['content-type', 'accept', 'a2a-version', 'a2a-extensions'];

/** What agents send and read leaves by here, as by a proxy of their house; the capture stands at it. */
export type Egress = {
  readonly origin: string;
  /** The exchanges that agents have sent so far, by the ids of the capture. */
  readonly sent: readonly string[];
  close(): Promise<void>;
};

type Out = { readonly capture: Capture; readonly dialer: Dialer; readonly overrides: readonly DialOverride[] };

/** Starts the egress of one run: `POST /send` is an A2A request, `GET /card` fetches a card, `GET /read` dereferences a URI. */
export const startEgress = async ({ capture, dialer, overrides }: Out): Promise<Egress> => {
  const sent: string[] = [];
  const pass = async (request: IncomingMessage): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url ?? '', `http://${LOOPBACK}`);
    const [agent, uri] = [searchParams.get('by') ?? '', searchParams.get('uri') ?? ''];
    if (pathname === '/read') return capture.uriFetch({ agent, dial: overrides })(uri);
    if (pathname === '/card') return dialer.fetch(uri);
    const headers = PASSED_ON.flatMap((name): [string, string][] => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    const init = { method: 'POST', headers, body: await text(request) };
    const { value, exchange_ids } = await capture.observe.sending(() =>
      capture.fetch({ agent, binding: 'JSONRPC', fetch: dialer.fetch })(uri, init),
    );
    sent.push(...exchange_ids);
    return value;
  };
  const server = createServer((request, response) => {
    pass(request)
      .then(async (passed) => {
        const type = passed.headers.get('content-type');
        response.writeHead(passed.status, type === null ? {} : { 'content-type': type });
        response.end(await passed.text());
      })
      .catch((error: unknown) => response.writeHead(502).end((error as Error).message));
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  return {
    origin: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
