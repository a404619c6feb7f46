import { isIPv6 } from 'node:net';
import { Recent } from '../wire/recent.ts';
import type { ProxyPair } from './pair.ts';

/** A pair whose proxy listens; `address` and `port` are those it is bound to. */
export type Standing = ProxyPair & { readonly address: string; readonly port: number };
/** How much of a URL is replaced, and by what. */
export type Head = { readonly length: number; readonly by: string };

const UNSPECIFIED: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
/** Which addresses a proxy may be bound to for a name of this machine to lead to it. */
const LEADS_TO: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['localhost', new Set(['127.0.0.1', '::1', '0.0.0.0', '::'])],
  ['127.0.0.1', new Set(['127.0.0.1', '0.0.0.0', '::'])],
  ['[::1]', new Set(['::1', '::'])],
]);
/** Hosts of one machine as cards spell them; one that is unspecified is where its server listens. */
const LOOPBACK: ReadonlySet<string> = new Set([...LEADS_TO.keys(), '0.0.0.0', '[::]']);
const HEAD = /^https?:\/\/([^/?#@\\]*@)?(\[[^\]]*\]|[^/?#@\\:]+)(?::\d*)?(?=[/?#]|$)/i;

const urlOf = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);
const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

export const listenOf = ({ host, port }: Standing): string => `${bracketed(host)}:${port}`;

/** Whether a URL leads to a target, however it spells a loopback host. */
const isUnder = ({ protocol, hostname, port }: URL, { target }: ProxyPair): boolean =>
  protocol === target.protocol &&
  port === target.port &&
  (hostname === target.hostname || (LOOPBACK.has(hostname) && LOOPBACK.has(target.hostname)));

/** The hosts by which a proxy can be asked for, as far as it can know. */
const hostsOf = ({ host, address }: Standing): readonly string[] => [
  bracketed(host),
  ...[...LEADS_TO].filter(([, bound]) => bound.has(address)).map(([name]) => name),
];

const originsOf = (standing: Standing): readonly string[] =>
  hostsOf(standing).flatMap((host) => urlOf(`http://${host}:${standing.port}`)?.origin ?? []);

/** The map LISTEN=TARGET: by which URL a request is known upstream, and which one leads a client back through the proxy. */
export class ProxyOrigins {
  readonly #standing: readonly Standing[];
  readonly #listening: ReadonlySet<string>;
  /** Of each proxy, by the origin that a forwarded card names: how the card itself spelled it. */
  readonly #spelled = new Map<ProxyPair, Recent<string>>();

  constructor(standing: readonly Standing[]) {
    this.#standing = standing;
    this.#listening = new Set(standing.flatMap(originsOf));
    for (const each of standing) this.#spelled.set(each, new Recent());
  }

  /** Whether a request to a URL goes through a proxy. */
  passes(url: string): boolean {
    return this.#listening.has(urlOf(url)?.origin ?? '');
  }

  /**
   * The URL of a request as it is without the proxy, so as the card spells it that was forwarded, and the other names that a text may
   * give it: first that which its client asked for. `path` is with the query.
   */
  named(
    standing: Standing,
    host: string | undefined,
    path: string,
  ): { readonly url: string; readonly names: readonly string[] } {
    const { target } = standing;
    const asked = urlOf(`http://${host ?? listenOf(standing)}`)?.origin ?? `http://${listenOf(standing)}`;
    const spelled = this.#spelled.get(standing)?.get(asked) ?? target.origin;
    const upstream = LOOPBACK.has(target.hostname)
      ? [...LEADS_TO.keys()].flatMap(
          (name) => urlOf(`${target.protocol}//${name}:${target.port || defaultPort(target)}`)?.origin ?? [],
        )
      : [];
    const names = new Set([asked, ...originsOf(standing), target.origin, ...upstream]);
    return { url: `${spelled}${path}`, names: [...names].map((origin) => `${origin}${path}`) };
  }

  /** What has to be replaced in an interface URL of a card for its traffic to pass a proxy; null when it leads to no target. `host`: that which the client asked for. */
  forwarded(text: string, host: string | undefined): Head | null {
    const url = urlOf(text);
    const head = HEAD.exec(text);
    const standing = url === null ? undefined : this.#standing.find((pair) => isUnder(url, pair));
    if (url === null || head === null || standing === undefined) return null;
    const [{ length }, userinfo = '', written = ''] = head;
    const leads = LEADS_TO.get(url.hostname)?.has(standing.address) === true;
    const by = `http://${userinfo}${leads ? written : hostFor(standing, host)}:${standing.port}`;
    this.#spelled.get(standing)?.set(new URL(by).origin, url.origin);
    return { length, by };
  }
}

const defaultPort = ({ protocol }: URL): string => (protocol === 'https:' ? '443' : '80');

/** A proxy that listens on every address is named as its client named it. */
const hostFor = ({ host, address }: Standing, asked: string | undefined): string =>
  UNSPECIFIED.has(address) ? (urlOf(`http://${asked ?? 'localhost'}`)?.hostname ?? 'localhost') : bracketed(host);
