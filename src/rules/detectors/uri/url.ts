/** A name of 253 octets (RFC 1035 2.3.4) needs no more, however it is encoded; the engine's IDNA takes quadratic time. */
const MAX_HOST_LENGTH = 4096;

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

/**
 * Reads untrusted text by the WHATWG URL parser, in time linear in its length.
 * Takes the text, and an absolute URL to resolve it against or null; returns the URL, or null where the parser refuses it
 * or its host is longer than any that a client can resolve.
 */
export const parseUrl = (text: string, base: string | null = null): InstanceType<typeof URL> | null => {
  if (hostIsTooLong(text) || (base !== null && hostIsTooLong(base))) return null;
  if (base === null) return URL.canParse(text) ? new URL(text) : null;
  return URL.canParse(text, base) ? new URL(text, base) : null;
};
