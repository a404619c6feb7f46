import { isIPv6 } from 'node:net';

/** Where a proxy listens, and the origin that it stands before. */
export type ProxyPair = { readonly host: string; readonly port: number; readonly target: URL };

const LISTEN = /^(?:(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):)?(\d{1,5})$/;
const DEFAULT_HOST = '127.0.0.1';
const MAX_PORT = 65_535;

const targetOf = (text: string): URL | string => {
  if (!URL.canParse(text)) return 'TARGET must be a URL, as http://127.0.0.1:9000';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'TARGET must be an http or https URL';
  if (url.username !== '' || url.password !== '') return 'TARGET must hold no credentials';
  // Of a card only scheme, host and port are rewritten, so a path stays as its client asks for it.
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return `TARGET must be an origin: ${url.origin}`;
  return url;
};

/** Reads `LISTEN=TARGET`, LISTEN being `port` or `host:port`; returns what is wrong with it, in words, when it is none. */
export const readPair = (text: string): ProxyPair | string => {
  const at = text.indexOf('=');
  if (at < 0) return 'LISTEN=TARGET is needed, as 8001=http://127.0.0.1:9000';
  const [, host = DEFAULT_HOST, digits = ''] = LISTEN.exec(text.slice(0, at)) ?? [];
  const port = Number(digits);
  if (digits === '' || port > MAX_PORT) return `LISTEN must be PORT or HOST:PORT, a port being 0 to ${MAX_PORT}`;
  const bare = host.replace(/^\[|\]$/g, '');
  if (host.startsWith('[') && !isIPv6(bare)) return `LISTEN: ${host} is no IPv6 address`;
  const target = targetOf(text.slice(at + 1));
  return typeof target === 'string' ? target : { host: bare, port, target };
};
