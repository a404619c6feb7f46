import type { URLRecord } from 'whatwg-url';
import { parseURL, serializeHost, serializePath, serializeURL } from 'whatwg-url/lib/url-state-machine.js';

/** A URL as the members of the WHATWG API show it (WHATWG URL 6.1). */
export type Url = {
  readonly href: string;
  /** With its colon. */
  readonly protocol: string;
  /** Host and port; the default port of the scheme is left out. */
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
};

/** A name of 253 octets (RFC 1035 2.3.4) needs no more, however it is encoded; IDNA takes quadratic time. */
const MAX_HOST_LENGTH = 4096;
/** What is not plain is read character by character, in some hundred bytes of memory for each. */
const MAX_ODD_LENGTH = 256 * 1024;

const WITH_IDNA: ReadonlySet<string> = new Set(['ftp:', 'file:', 'http:', 'https:', 'ws:', 'wss:']);

/** The C0 controls and the space, which the WHATWG parser strips from both ends. */
const isStripped = (character: string | undefined): boolean => character !== undefined && character <= ' ';

const hostIsTooLong = (text: string): boolean => {
  if (text.length <= MAX_HOST_LENGTH) return false;
  let start = 0;
  while (isStripped(text[start])) start++;
  const visible = text.slice(start).replace(/[\t\n\r]/g, '');
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(visible)?.[0] ?? '';
  if (scheme !== '' && !WITH_IDNA.has(scheme.toLowerCase())) return false;
  const rest = visible.slice(scheme.length);
  if (scheme === '' && !/^[/\\]{2}/.test(rest)) return false;
  const authority = /^[/\\]*([^/\\?#]*)/.exec(rest)![1]!;
  return authority.length - (authority.lastIndexOf('@') + 1) > MAX_HOST_LENGTH;
};

/** Scheme, host, port, path, query and fragment, of characters that the parser leaves as they are. */
const PLAIN =
  /^(https?:|wss?:|ftp:)\/\/([a-z0-9.-]+)(?::([1-9][0-9]{0,4}))?(\/[\w.~!$&()*+,;=:@%/-]*)?(\?[\w.~!$&()*+,;=:@%/?-]+)?(#[\w.~!$&()*+,;=:@%/?-]+)?$/;
const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ['http:', '80'],
  ['ws:', '80'],
  ['https:', '443'],
  ['wss:', '443'],
  ['ftp:', '21'],
]);
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

const isByte = (label: string): boolean => /^(?:0|[1-9][0-9]{0,2})$/.test(label) && Number(label) <= 255;

/** A name that ends in no number and has nothing to decode, or a dotted quad as the parser writes it. */
const isPlainHost = (host: string): boolean => {
  if (host.length > MAX_HOST_LENGTH) return false;
  const labels = host.split('.');
  if (labels.length === 4 && labels.every(isByte)) return true;
  return /^[a-z]/.test(labels.at(-1)!) && labels.every((label) => label !== '' && !label.startsWith('xn--'));
};

/** A scheme that has no hosts, and an opaque path: `data:`, `urn:`. */
const OPAQUE = /^([a-z][a-z0-9+.-]*:)([!-"$-.0->@-~][!-"$->@-~]*)$/;

const readOpaque = (text: string): Url | null => {
  const [, protocol = '', pathname = ''] = OPAQUE.exec(text) ?? [];
  if (protocol === '' || WITH_IDNA.has(protocol)) return null;
  return { href: text, protocol, host: '', hostname: '', port: '', pathname, search: '', hash: '' };
};

/** Reads a text that stands as the parser itself would write it: most do, and this takes a hundredth of the time. */
const readPlain = (text: string): Url | null => {
  const [, protocol = '', hostname = '', port = '', pathname = '/', search = '', hash = ''] = PLAIN.exec(text) ?? [];
  if (protocol === '') return readOpaque(text);
  if (!isPlainHost(hostname) || DOT_SEGMENT.test(pathname)) return null;
  if (Number(port) > 0xffff || port === DEFAULT_PORTS.get(protocol)) return null;
  const host = port === '' ? hostname : `${hostname}:${port}`;
  return {
    href: `${protocol}//${host}${pathname}${search}${hash}`,
    protocol,
    host,
    hostname,
    port,
    pathname,
    search,
    hash,
  };
};

const afterSign = (sign: string, text: string | null): string => (text ? sign + text : '');

const urlOf = (record: URLRecord): Url => {
  const hostname = record.host === null ? '' : serializeHost(record.host);
  return {
    href: serializeURL(record),
    protocol: `${record.scheme}:`,
    host: record.port === null ? hostname : `${hostname}:${record.port}`,
    hostname,
    port: record.port === null ? '' : String(record.port),
    pathname: serializePath(record),
    search: afterSign('?', record.query),
    hash: afterSign('#', record.fragment),
  };
};

/**
 * Reads text of strangers by the WHATWG URL standard, in time linear in its length. The parser is a library's and not the engine's, which
 * differ: Chromium reads a quad with a leading zero within an IPv6 address, each knows the names of its own version of Unicode, and a
 * verdict must not depend on where it is made.
 * Takes the text, and an absolute URL to resolve it against or null; returns the URL, or null where the parser refuses one of them, a host is longer
 * than any that a client can resolve, or a text that is not written as the parser would write it is longer than 256 KiB.
 */
export const readUrl = (text: string, base: string | null = null): Url | null => {
  if (hostIsTooLong(text)) return null;
  if (base === null) return readPlain(text) ?? readOdd(text);
  const plainBase = readPlain(base);
  if (plainBase === null && readUrl(base) === null) return null;
  return readPlain(plainBase === null ? text : joined(plainBase, text)) ?? readOdd(text, base);
};

/** A reference that begins with a slash, behind what it leaves of its base. */
const joined = ({ protocol, host }: Url, reference: string): string => {
  if (reference.startsWith('//')) return protocol + reference;
  return reference.startsWith('/') ? `${protocol}//${host}${reference}` : reference;
};

const readOdd = (text: string, base?: string): Url | null => {
  if (text.length > MAX_ODD_LENGTH || (base?.length ?? 0) > MAX_ODD_LENGTH) return null;
  const record = parseURL(text, base === undefined ? {} : { baseURL: parseURL(base) ?? undefined });
  return record === null ? null : urlOf(record);
};
