/** Longest URI, in UTF-16 units, that a record can hold. */
export const URI_LENGTH_LIMIT = 65_536;
const SCHEME_LENGTH_LIMIT = 32;

/** Members whose whole string is a URI: parts and push notification configurations of 1.0, files of 0.3. */
const URI_MEMBERS: ReadonlySet<string> = new Set(['url', 'uri', 'fileWithUri', 'file_with_uri']);
export const isUriMember = (name: string | null): boolean => name !== null && URI_MEMBERS.has(name);

/** Schemes whose `//` URL parsers do not ask for (WHATWG URL, special schemes). */
const SPECIAL_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'ws', 'wss', 'ftp', 'file']);

const isSchemeUnit = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x30 && unit <= 0x39) ||
  unit === 0x2b ||
  unit === 0x2d ||
  unit === 0x2e;
const isLetter = (unit: number): boolean => (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);

/** White space, controls, quotes and brackets of prose and markup, and surrogates without their partner. */
const URI_END = /[\s\p{Cc}\p{Cs}<>"`{}]/u;
/** What may follow the colon of a special scheme without `//`: a slash either way, or the beginning of a host. */
const HOST_START = /[/\\\p{L}\p{N}[]/u;
const CLOSING_PUNCTUATION = new Set(['.', ',', ';', ':', '!', '?', "'", '*', '_']);
const BRACKETS: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
]);

/** The URIs inside a text, as written, at most `limit`: from a scheme to the first delimiter, without the punctuation of the sentence. One pass. */
export const scanUris = (text: string, limit: number): string[] => {
  const uris: string[] = [];
  let taken = 0;
  for (let colon = text.indexOf(':'); colon >= 0 && uris.length < limit; colon = text.indexOf(':', colon + 1)) {
    const start = schemeStart(text, colon, taken);
    if (start < 0 || !opensUri(text, start, colon)) continue;
    const uri = trimmed(text.slice(start, endOf(text, colon + 1)));
    taken = start + uri.length;
    if (uri.length <= URI_LENGTH_LIMIT) uris.push(uri);
    colon = Math.max(colon, taken - 1);
  }
  return uris;
};

/** Start of the scheme that ends at the colon, not before `from`; -1 when there is none. */
const schemeStart = (text: string, colon: number, from: number): number => {
  let start = colon;
  const lowest = Math.max(from, colon - SCHEME_LENGTH_LIMIT);
  while (start > lowest && isSchemeUnit(text.charCodeAt(start - 1))) start--;
  while (start < colon && !isLetter(text.charCodeAt(start))) start++;
  return start === colon ? -1 : start;
};

const opensUri = (text: string, start: number, colon: number): boolean => {
  if (text.startsWith('//', colon + 1)) return !URI_END.test(characterAt(text, colon + 3) || ' ');
  return SPECIAL_SCHEMES.has(text.slice(start, colon).toLowerCase()) && HOST_START.test(characterAt(text, colon + 1));
};

const characterAt = (text: string, at: number): string => {
  const point = text.codePointAt(at);
  return point === undefined ? '' : String.fromCodePoint(point);
};

const endOf = (text: string, from: number): number => {
  const delimiter = new RegExp(URI_END, 'gu');
  delimiter.lastIndex = from;
  return delimiter.exec(text)?.index ?? text.length;
};

const trimmed = (uri: string): string => {
  const open = new Map<string, number>([...BRACKETS.values()].map((bracket) => [bracket, 0]));
  for (const unit of uri) {
    const opening = BRACKETS.get(unit);
    if (open.has(unit)) open.set(unit, open.get(unit)! + 1);
    else if (opening !== undefined) open.set(opening, open.get(opening)! - 1);
  }
  let end = uri.length;
  for (; end > 0; end--) {
    const last = uri[end - 1]!;
    const opening = BRACKETS.get(last);
    if (opening !== undefined && open.get(opening)! < 0) open.set(opening, open.get(opening)! + 1);
    else if (!CLOSING_PUNCTUATION.has(last)) break;
  }
  return uri.slice(0, end);
};
