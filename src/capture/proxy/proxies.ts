import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProxyServer } from 'httpxy';
import { EnvironmentFault } from '../../store/fault.ts';
import type { WireRecording } from '../host/wire-recording.ts';
import { rawPairs } from '../http-wire.ts';
import { faultName } from '../session.ts';
import { isCardRequest } from '../wire/recognise.ts';
import { forwardCard } from './card-response.ts';
import { cleanRequest, cleanResponse } from './headers.ts';
import { listenOf, ProxyOrigins, type Standing } from './origins.ts';
import type { ProxyPair } from './pair.ts';
import { ProxiedCall } from './proxied-call.ts';

export type ProxyOptions = {
  readonly pairs: readonly ProxyPair[];
  /** Do not verify the certificates of targets. */
  readonly insecure: boolean;
  /** Told what the user should know at once. */
  readonly warn: (text: string) => void;
};

/** How long requests that are under way may take to end when the capture does. */
const GRACE_MS = 2_000;
/** Who sends is not seen: to the recorder all clients are one. */
const CLIENTS = 'clients of the proxy';
const MAX_HEADER_BYTES = 65_536;

/** What a proxy cannot see; docs/CAPTURE.md says the same. */
const NOTES = [
  'proxy: who sends a request is not seen, nor what passes no proxy: cards that were fetched elsewhere, redirects and interfaces that lead past, gRPC, HTTP/2, upgraded connections',
  'proxy: exchange URLs and cards are those of the target; a card whose interfaces were rewritten is an attribute of its exchange as its client got it',
];

type Passing = { readonly standing: Standing; readonly call: ProxiedCall; readonly url: string };

const listen = async (server: Server, { host, port, target }: ProxyPair): Promise<Standing> => {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = `cannot listen on ${host}:${port} for ${target.origin}`;
    throw code === 'EADDRINUSE' ? new EnvironmentFault(`${what}: the port is taken`) : EnvironmentFault.of(error, what);
  }
  const bound = server.address() as AddressInfo;
  return { host, target, address: bound.address, port: bound.port };
};

/** Ends a request that the proxy itself answers. */
const answer = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`forensictrace proxy: ${text}\n`);
};

/** The reverse proxies of one capture: each forwards to its target as bytes come, and tells the recorder first. */
export class Proxies {
  readonly standing: readonly Standing[];
  readonly #servers: readonly Server[];
  readonly #options: ProxyOptions;
  readonly #origins: ProxyOrigins;
  readonly #forwarder = createProxyServer();
  readonly #passing = new Map<IncomingMessage, Passing>();
  #recording: WireRecording | null = null;
  #calls = 0;
  #onIdle: () => void = () => {};

  private constructor(servers: readonly Server[], standing: readonly Standing[], options: ProxyOptions) {
    this.standing = standing;
    this.#servers = servers;
    this.#options = options;
    this.#origins = new ProxyOrigins(standing);
    this.#forwarder.on('proxyReq', ({ socket }, request) => {
      const { call } = this.#passing.get(request) ?? {};
      if (socket !== null) call?.attempt('follow a socket', () => call.dialling(socket));
    });
    this.#forwarder.on('proxyRes', (upstream, request, response) => this.#answered(upstream, request, response));
    this.#forwarder.on('error', (error, request, response) => {
      if (request !== undefined && response instanceof ServerResponse) this.#failed(error, request, response);
    });
  }

  /** Binds every pair. Throws EnvironmentFault when one cannot be bound, or leads back to a proxy; requests are refused until `record`. */
  static async open(options: ProxyOptions): Promise<Proxies> {
    const servers = options.pairs.map(() =>
      createServer({ maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 0, keepAliveTimeout: 0 }),
    );
    try {
      const standing = await Promise.all(options.pairs.map((pair, at) => listen(servers[at]!, pair)));
      const proxies = new Proxies(servers, standing, options);
      const circular = standing.find(({ target }) => proxies.passes(target.href));
      if (circular !== undefined)
        throw new EnvironmentFault(`the target ${circular.target.origin} is a proxy of this capture`);
      for (const [at, server] of servers.entries())
        server.on('request', (...args) => proxies.#take(standing[at]!, ...args));
      return proxies;
    } catch (error) {
      for (const server of servers) server.close();
      throw error;
    }
  }

  /** Whether a request to a URL goes through one of them. */
  passes(url: string): boolean {
    return this.#origins.passes(url);
  }

  /** What the coverage notes say of them from the beginning, the map LISTEN=TARGET among it. */
  get notes(): readonly string[] {
    const map = this.standing.map((each) => `proxy: ${listenOf(each)} stands before ${each.target.origin}`);
    const insecure = this.#options.insecure ? ['proxy: the certificates of targets were not verified'] : [];
    return [...map, ...insecure, ...NOTES];
  }

  /** From now on requests are forwarded, and told to this recording. */
  record(recording: WireRecording): void {
    this.#recording = recording;
  }

  /** Takes no more requests; those under way have a while to end, then they are cut off, and are open when the capture ends. */
  async close(): Promise<void> {
    for (const server of this.#servers) server.close();
    if (this.#passing.size > 0) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((done) => {
        this.#onIdle = done;
        timer = setTimeout(done, GRACE_MS);
      });
      clearTimeout(timer);
    }
    this.#recording = null;
    for (const server of this.#servers) server.closeAllConnections();
  }

  #take(standing: Standing, request: IncomingMessage, response: ServerResponse): void {
    const { target } = standing;
    const path = request.url ?? '/';
    const recording = this.#recording;
    if (recording === null) {
      answer(response, 503, 'the capture is not running');
      return;
    }
    // Of an absolute form (RFC 9112 section 3.2.2) another server than the target may be meant.
    if (!path.startsWith('/')) {
      answer(response, 400, `this is a reverse proxy of ${target.origin}`);
      return;
    }
    const { url, names } = this.#origins.named(standing, request.headers.host, path);
    const via_proxy = listenOf(standing);
    const call = new ProxiedCall(
      recording,
      {
        key: `proxy:${this.#calls++}`,
        side: 'proxy',
        process: CLIENTS,
        method: request.method ?? '',
        url,
        behind: { target: target.origin, names },
        headers: [...rawPairs(request.rawHeaders)],
        cause: null,
        local: null,
        remote: null,
        attributes: { via_proxy },
      },
      via_proxy,
    );
    call.asked(request);
    this.#passing.set(request, { standing, call, url });
    response.once('close', () => {
      if (!response.writableFinished) call.end('aborted', null);
      this.#passing.delete(request);
      if (this.#passing.size === 0) this.#onIdle();
    });
    cleanRequest(request);
    const { protocol, host, hostname, port } = target;
    const forwarded = this.#forwarder.web(request, response, {
      // A detailed target: of a URL httpxy would dial an IPv6 address with its brackets.
      target: { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port },
      changeOrigin: true,
      secure: !this.#options.insecure,
      // One connection per request: its address is that of this request alone, and none is reused that the target is closing.
      agent: false,
      selfHandleResponse: isCardRequest({ method: request.method ?? '', url }),
    });
    // What goes wrong is told by the events.
    forwarded.catch(() => {});
  }

  #answered(upstream: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
    const passing = this.#passing.get(request);
    if (passing === undefined) return;
    const { call, url } = passing;
    const isCard = isCardRequest({ method: request.method ?? '', url });
    call.attempt('follow a response', () => call.answered(upstream, isCard));
    cleanResponse(upstream, response);
    if (!isCard) return;
    const forward = (text: string) => this.#origins.forwarded(text, request.headers.host);
    forwardCard(upstream, response, call, { forward, warn: (text) => this.#warn(text), url });
  }

  #failed(error: Error, request: IncomingMessage, response: ServerResponse): void {
    const { call, standing } = this.#passing.get(request) ?? {};
    call?.failed(error);
    if (response.headersSent || response.destroyed) return;
    answer(response, 502, `${standing?.target.origin} cannot be reached: ${faultName(error)}`);
  }

  #warn(text: string): void {
    this.#options.warn(text);
    this.#recording?.context.session.note(`proxy: ${text}`);
  }
}
