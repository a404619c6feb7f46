import { addressOf } from './addresses.ts';

/** The host of a URL or a name, in the one form in which hosts are compared; none (the URL reaches no host); or why it cannot be told. */
export type HostReading = { readonly host: string } | { readonly host: null } | { readonly untold: string };

const untold = (why: string): HostReading => ({ untold: why });
const NOT_ASCII =
  'is not printable ASCII: send it without spaces or control characters, with the host in xn-- form and anything else percent-encoded';
const NO_SCHEME = 'has no scheme, so a client may read it against a base URL: send the whole URL, scheme and host';
const PERCENT = 'has a % in its host: send the URL with the host as plain ASCII, not percent-encoded';
const NO_QUAD =
  'has an IPv4 address for a host that is not written as a dotted quad: send it as four decimal numbers 0-255 without leading zeros';
const BRACKETS = 'has brackets that are not one pair around an IPv6 address which is its host';
const TWO_READINGS = 'has a host that a browser and Python read apart';
const NO_HOST = 'has no host that can be told';
const INNER_URL = 'holds another URL, which some clients read';

const PRINTABLE = /^[!-~]*$/;
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const WITH_HOST = new Set(['http', 'https', 'ws', 'wss', 'ftp']);
const BRACKETED = /^(\[[^[\]]+\])(?::\d*)?$/;
const LABEL = /^[a-z0-9_-]{1,63}$/;
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/;
const QUAD = /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/;

/** Takes a host as written, with its brackets if it has them; returns the form in which it is compared (docs/PCM.md section 11, rule 5). */
const canonicalHost = (written: string): HostReading => {
  const host = written.toLowerCase();
  if (host.startsWith('[')) {
    const address = addressOf(host.slice(1, -1));
    return address === null ? untold(BRACKETS) : { host: address };
  }
  const labels = (host.endsWith('.') ? host.slice(0, -1) : host).split('.');
  if (NUMBER.test(labels.at(-1)!))
    return QUAD.test(host) && labels.every((label) => Number(label) <= 255) ? { host } : untold(NO_QUAD);
  return labels.every((label) => LABEL.test(label)) ? { host: labels.join('.') } : untold(NO_HOST);
};

const afterLastAt = (authority: string): string => authority.slice(authority.lastIndexOf('@') + 1);
const withoutPort = (host: string): string =>
  host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.split(':', 1)[0]!;

/** The authority as a browser cuts it out (WHATWG URL): a backslash is a slash, and slashes after the scheme are skipped. */
const browserHost = (rest: string): string =>
  withoutPort(afterLastAt(rest.replace(/^[\\/]+/, '').split(/[\\/?#]/, 1)[0]!));

/** The text between `//` and the next `/`, `?` or `#` (RFC 3986, and Python's urllib); empty without `//`. */
const authorityOf = (rest: string): string => (rest.startsWith('//') ? rest.slice(2).split(/[/?#]/, 1)[0]! : '');

const hasBrokenBrackets = (authority: string): boolean =>
  /[[\]]/.test(authority) &&
  (/[[\]]/.test(authority.slice(0, authority.lastIndexOf('@') + 1)) || !BRACKETED.test(afterLastAt(authority)));

/** Takes the URL of a call; returns its host as a browser and Python's urllib both read it (docs/PCM.md section 11). */
export const hostOfUrl = (url: string): HostReading => {
  if (!PRINTABLE.test(url)) return untold(NOT_ASCII);
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase();
  if (scheme === 'view-source' || scheme === 'blob') return untold(INNER_URL);
  if (scheme === undefined && !url.startsWith('//')) return untold(NO_SCHEME);
  if (scheme !== undefined && !WITH_HOST.has(scheme)) return { host: null };
  const rest = scheme === undefined ? url : url.slice(scheme.length + 1);
  const authority = authorityOf(rest);
  if (hasBrokenBrackets(authority)) return untold(BRACKETS);
  const [browser, urllib] = [browserHost(rest), withoutPort(afterLastAt(authority))];
  if (browser.includes('%') || urllib.includes('%')) return untold(PERCENT);
  return browser.toLowerCase() === urllib.toLowerCase() ? canonicalHost(urllib) : untold(TWO_READINGS);
};

/** Takes the host of a claim or an effect: a name or an address, a bare IPv6 address too, with or without a port of 1 to 5 digits. */
export const hostOfName = (name: string): HostReading => {
  if (!PRINTABLE.test(name)) return untold(NOT_ASCII);
  if (name.includes('%')) return untold(PERCENT);
  if (/^[^[]*:.*:/.test(name)) return canonicalHost(`[${name}]`);
  const [, host] = /^(\[[^[\]]+\]|[^:[\]/?#@\\]+)(?::\d{1,5})?$/.exec(name) ?? [];
  return host === undefined ? untold(NO_HOST) : canonicalHost(host);
};

/** A claim's host holds nothing but these characters. */
export const isClaimableHost = (host: string): boolean => /^[a-z0-9._:-]+$/.test(host);
