import { readUrl, type Url } from '../../../base/url.ts';

export type Binding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

/** Takes a parsed URL; returns its origin (RFC 6454 4, also for schemes the WHATWG parser calls opaque), or null without a host. */
export const originOfUrl = (url: Url): string | null =>
  url.hostname === '' ? null : `${url.protocol}//${url.host.toLowerCase()}`;

/** Takes a URL text; returns its origin, the default port left out, or null where it is no URL or names no host. */
export const originOf = (url: string): string | null => {
  const parsed = readUrl(url);
  return parsed === null ? null : originOfUrl(parsed);
};

/** A gRPC target may be `host:port`, which the WHATWG parser takes for a scheme. */
const withScheme = (target: string, other: string): string => {
  if (target.includes('://')) return target;
  const schemeEnd = other.indexOf('://');
  return `${schemeEnd < 0 ? 'https' : other.slice(0, schemeEnd)}://${target}`;
};

const isAtOrBelow = (path: string, interfacePath: string): boolean =>
  path === interfacePath || path.startsWith(interfacePath.endsWith('/') ? interfacePath : `${interfacePath}/`);

/**
 * Whether an exchange went to an interface of an Agent Card (RULES, AS): same origin; the path equal (JSONRPC), or equal
 * or below it at a slash (HTTP+JSON), since that binding appends paths; for GRPC the origin alone. The query must be equal unless
 * the interface has none. Takes two URLs (for GRPC also `host:port`); what cannot be parsed is at no interface.
 */
export const isAtInterface = (exchangeUrl: string, interfaceUrl: string, binding: Binding): boolean => {
  const isGrpc = binding === 'GRPC';
  const exchange = readUrl(isGrpc ? withScheme(exchangeUrl, interfaceUrl) : exchangeUrl);
  const declared = readUrl(isGrpc ? withScheme(interfaceUrl, exchangeUrl) : interfaceUrl);
  if (exchange === null || declared === null) return false;
  const origin = originOfUrl(declared);
  if (origin === null || originOfUrl(exchange) !== origin) return false;
  if (isGrpc) return true;
  if (declared.search !== '' && declared.search !== exchange.search) return false;
  return binding === 'JSONRPC'
    ? exchange.pathname === declared.pathname
    : isAtOrBelow(exchange.pathname, declared.pathname);
};
