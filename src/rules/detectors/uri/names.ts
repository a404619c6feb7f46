import { readUrl } from '../../../base/url.ts';

/** Names under which clouds serve instance metadata inside a network. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.azure.com',
  'metadata.tencentyun.com',
  'metadata.oraclecloud.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
  'metadata.linode.com',
  'api.metadata.cloud.ibm.com',
  'rancher-metadata',
]);

/** Names that hosts files give to the loopback addresses. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'localhost4',
  'localhost4.localdomain4',
  'localhost6',
  'localhost6.localdomain6',
  'ip6-localhost',
  'ip6-loopback',
  'loopback',
]);

/** What would make the parser read something else as the host: delimiters, and what it drops before reading. */
const NOT_IN_A_HOST = /[/?#@\\\p{Cc} ]/u;

const dropTrailingDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);

/**
 * A host as the WHATWG host parser reads it for http: IDNA, percent-decoding, number forms of IPv4; one trailing dot (the
 * DNS root) dropped. Takes host text without port; returns lower-case text, or null where the parser refuses it.
 */
export const hostOf = (host: string): string | null => {
  const portless = host.startsWith('[') ? host.endsWith(']') : !host.includes(':');
  const url = portless && !NOT_IN_A_HOST.test(host) ? readUrl(`http://${host}/`) : null;
  return url === null ? null : dropTrailingDot(url.hostname);
};

let last = { host: '', canonical: '' };

/** The same, but a host that the parser refuses stays as it is, in lower case. */
export const canonicalHost = (host: string): string => {
  // Two parsers read the host of one URI, and many URIs are of one host.
  if (last.host !== host) last = { host, canonical: hostOf(host) ?? dropTrailingDot(host.toLowerCase()) };
  return last.canonical;
};

/** Takes a canonical host; returns what kind of internal name it is, or null. Everything under `.localhost` is loopback (RFC 6761 6.3). */
export const internalName = (host: string): 'metadata' | 'loopback' | null => {
  if (METADATA_NAMES.has(host)) return 'metadata';
  return LOOPBACK_NAMES.has(host) || host.endsWith('.localhost') ? 'loopback' : null;
};

/**
 * Whether a host is one a profile lists: an exact name, `*.suffix` for every name below the suffix, `*` for any.
 * Takes a canonical host and a pattern; both sides of an IDN compare equal however it is spelled.
 */
export const matchesHost = (host: string, pattern: string): boolean => {
  if (pattern === '*') return true;
  if (!pattern.startsWith('*.')) return host === canonicalHost(pattern);
  return host.endsWith(`.${canonicalHost(pattern.slice(2))}`);
};
