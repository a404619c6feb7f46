import { readUrl } from '../../../base/url.ts';
import { originOfUrl } from './endpoint.ts';
import { canonicalHost } from './names.ts';

/** What one parser reads in a URI text. */
export type Reading = {
  readonly parser: 'WHATWG URL' | 'RFC 3986';
  /** Lower case, without colon. */
  readonly scheme: string;
  /** Canonical host, null where there is none. */
  readonly host: string | null;
  /** The port written, else the default of the scheme, else null. */
  readonly port: number | null;
  readonly origin: string | null;
};

const DEFAULT_PORT: ReadonlyMap<string, number> = new Map([
  ['ftp', 21],
  ['http', 80],
  ['ws', 80],
  ['https', 443],
  ['wss', 443],
]);

const portOf = (scheme: string, port: string): number | null =>
  /^[0-9]{1,5}$/.test(port) ? Number(port) : (DEFAULT_PORT.get(scheme) ?? null);

const readByWhatwg = (text: string, base: string | null): Reading | null => {
  const url = readUrl(text, base);
  if (url === null) return null;
  const scheme = url.protocol.slice(0, -1);
  const host = url.hostname === '' ? null : canonicalHost(url.hostname);
  const port = host === null ? null : portOf(scheme, url.port);
  return { parser: 'WHATWG URL', scheme, host, port, origin: originOfUrl(url) };
};

/** RFC 3986 appendix C: white space and controls delimit a URI, they are never part of it. */
const delimited = (text: string): string => {
  const isDelimiter = (index: number): boolean => text.charCodeAt(index) <= 0x20 || text.charCodeAt(index) === 0x7f;
  let start = 0;
  while (start < text.length && isDelimiter(start)) start++;
  let end = start;
  while (end < text.length && !isDelimiter(end)) end++;
  return text.slice(start, end);
};

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;

/** RFC 3986 section 3.2; the last `@` ends the user information, as clients of the lenient kind have it. */
const readAuthority = (scheme: string, afterSlashes: string): Reading | null => {
  const end = afterSlashes.search(/[/?#]/);
  const authority = end < 0 ? afterSlashes : afterSlashes.slice(0, end);
  const hostPort = authority.slice(authority.lastIndexOf('@') + 1);
  const literalEnd = hostPort.startsWith('[') ? hostPort.indexOf(']') + 1 : 0;
  const colon = hostPort.indexOf(':', literalEnd);
  const host = canonicalHost(colon < 0 ? hostPort : hostPort.slice(0, colon));
  if (host === '') return null;
  const port = portOf(scheme, colon < 0 ? '' : hostPort.slice(colon + 1));
  const isDefault = port === (DEFAULT_PORT.get(scheme) ?? null);
  return { parser: 'RFC 3986', scheme, host, port, origin: `${scheme}://${host}${isDefault ? '' : `:${port}`}` };
};

const readByRfc3986 = (text: string, base: string | null): Reading | null => {
  const reference = delimited(text);
  const scheme = SCHEME.exec(reference)?.[1];
  if (scheme !== undefined) {
    const rest = reference.slice(scheme.length + 1);
    return rest.startsWith('//') ? readAuthority(scheme.toLowerCase(), rest.slice(2)) : null;
  }
  const baseReading = base === null ? null : readByRfc3986(base, null);
  if (baseReading === null || !reference.startsWith('//')) return baseReading;
  return readAuthority(baseReading.scheme, reference.slice(2));
};

export type Readings =
  | { readonly state: 'read'; readonly readings: readonly [Reading, ...Reading[]] }
  | { readonly state: 'unparsable' | 'relative' };

/** Any absolute URL tells whether a text that cannot stand alone could stand with one. */
const SOME_BASE = 'http://base.invalid/';

/**
 * What clients read in a URI text: the WHATWG URL parser, then RFC 3986 where that reads another host or port (a backslash or a
 * control character in the authority). A text the WHATWG parser refuses is `unparsable`; a relative reference whose base is null or not absolute is `relative`.
 * Takes the text as it stood and the absolute URI it is relative to.
 */
export const readUri = (text: string, base: string | null): Readings => {
  const usableBase = base !== null && readUrl(base) !== null ? base : null;
  const whatwg = readByWhatwg(text, usableBase);
  if (whatwg === null)
    return { state: usableBase === null && readUrl(text, SOME_BASE) !== null ? 'relative' : 'unparsable' };
  const rfc3986 = readByRfc3986(text, usableBase);
  const agrees = rfc3986 === null || (rfc3986.host === whatwg.host && rfc3986.port === whatwg.port);
  return { state: 'read', readings: agrees ? [whatwg] : [whatwg, rfc3986] };
};

/** Takes a `Location` and its hop's URI; returns the absolute URL it names, or null where none can be read (RFC 9110 10.2.2). */
export const resolveLocation = (location: string, hopUri: string): string | null =>
  readUrl(location, hopUri)?.href ?? null;

/** The statuses on which a client follows `Location` (RFC 9110 15.4, the Fetch standard's redirect status). */
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Takes the status of a response; returns whether its client goes on to the place that it names. */
export const isRedirect = (status: number): boolean => REDIRECT_STATUSES.has(status);

/**
 * The URI that a response sends its client to. Takes the hop's URI, the status and the `Location` field or null;
 * returns the absolute URL, the text as it stood where it cannot be resolved, and null where the response is no redirect.
 */
export const redirectTarget = (hopUri: string, status: number, location: string | null): string | null =>
  location === null || !isRedirect(status) ? null : (resolveLocation(location, hopUri) ?? location);
