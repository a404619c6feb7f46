/** What a URL in an attribute does, read as the URL parser reads it (WHATWG URL 4.4). */
import { readUrl } from '../../../base/url.ts';
import { parseMediaType } from './media-type.ts';

/** Types whose data URL shows or plays, and runs nothing (RULES, ATSI). */
const INERT_DATA: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);
const NETWORK_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'ws', 'wss', 'ftp']);
/** RFC 6761: resolves nowhere, so it can stand for an artifact whose host is not known. */
const UNKNOWN_HOST = 'artifact.invalid';

/** The text as the basic URL parser starts with it: C0 and space off both ends, tab, LF and CR out everywhere. */
const stripUrl = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end).replace(/[\t\n\r]/g, '');
};

/** The scheme in lower case, or null for a relative reference. Takes stripped text. */
const schemeOf = (url: string): string | null =>
  /^([A-Za-z][A-Za-z0-9+.-]{0,60}):/.exec(url)?.[1]?.toLowerCase() ?? null;

/** The essence of a data URL's type (Fetch 6, "data: URL processor"): text/plain where it names none. */
const dataType = (url: string): string => {
  const body = url.slice('data:'.length);
  const comma = body.indexOf(',');
  const text = (comma === -1 ? body : body.slice(0, comma)).slice(0, 1000);
  return parseMediaType(text.trimStart().startsWith(';') ? `text/plain${text}` : text)?.essence ?? 'text/plain';
};

/**
 * Why this URL is active content: `javascript-url`, `data-url`, or null.
 * @param asImage the place shows it as an image, where an SVG document runs no script
 */
export const activeUrl = (text: string, asImage: boolean): 'javascript-url' | 'data-url' | null => {
  const url = stripUrl(text);
  const scheme = schemeOf(url);
  if (scheme === 'javascript') return 'javascript-url';
  if (scheme !== 'data') return null;
  const type = dataType(url);
  const inert =
    INERT_DATA.has(type) ||
    type.startsWith('audio/') ||
    type.startsWith('video/') ||
    (asImage && type === 'image/svg+xml');
  return inert ? null : 'data-url';
};

/** The artifact's own host (and port) as the URL parser writes it; a host that resolves nowhere where none is known. */
export const ownHostOf = (artifactHost: string | null): string =>
  (artifactHost === null ? null : readUrl(`https://${artifactHost}/`))?.host ?? UNKNOWN_HOST;

/**
 * The other host this reference would be fetched from, with the full URL; null for the artifact's own and for no network.
 * @param ownHost from `ownHostOf`
 */
export const remoteTarget = (text: string, ownHost: string): { host: string; url: string } | null => {
  const stripped = stripUrl(text);
  const scheme = schemeOf(stripped);
  if (scheme === null ? !/^[/\\]{2}/.test(stripped) : !NETWORK_SCHEMES.has(scheme)) return null;
  const target = readUrl(stripped, `https://${ownHost}/`);
  if (target === null || target.host === ownHost || target.host === '') return null;
  return { host: target.host, url: target.href };
};

/** The URLs of an image candidate list (HTML 2.6.3, "parse a srcset attribute"). */
export const srcsetUrls = (text: string): readonly string[] => {
  const urls: string[] = [];
  const isSpace = (c: string | undefined) => c === ' ' || c === '\t' || c === '\n' || c === '\r' || c === '\f';
  let at = 0;
  while (at < text.length) {
    while (at < text.length && (isSpace(text[at]) || text[at] === ',')) at++;
    const start = at;
    while (at < text.length && !isSpace(text[at])) at++;
    let end = at;
    while (end > start && text[end - 1] === ',') end--;
    if (end > start) urls.push(text.slice(start, end));
    if (end < at) continue;
    let open = 0;
    for (; at < text.length && (open > 0 || text[at] !== ','); at++) {
      if (text[at] === '(') open = 1;
      else if (text[at] === ')') open = 0;
    }
  }
  return urls;
};
