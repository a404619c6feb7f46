/** Media types: parsing (WHATWG MIME Sniffing 4.4) and which detector is responsible. */

export type MediaType = { readonly essence: string; readonly charset: string | null };

const isToken = (text: string): boolean => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text);
const isHttpSpace = (c: string | undefined): boolean => c === ' ' || c === '\t' || c === '\n' || c === '\r';

const trimHttpSpace = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && isHttpSpace(text[start])) start++;
  while (end > start && isHttpSpace(text[end - 1])) end--;
  return text.slice(start, end);
};

/** The value of one parameter starting at `from`, and where the next parameter starts. */
const readValue = (text: string, from: number): { value: string; next: number } => {
  const semicolonAfter = (at: number) => (text.indexOf(';', at) === -1 ? text.length : text.indexOf(';', at));
  if (text[from] !== '"') {
    const next = semicolonAfter(from);
    return { value: trimHttpSpace(text.slice(from, next)), next };
  }
  let value = '';
  let at = from + 1;
  for (; at < text.length && text[at] !== '"'; at++) {
    if (text[at] === '\\' && at + 1 < text.length) at++;
    value += text[at] ?? '';
  }
  return { value, next: semicolonAfter(at) };
};

/** Essence (lower case) and first `charset` parameter of a media type; null where the text is none. */
export const parseMediaType = (text: string): MediaType | null => {
  const trimmed = trimHttpSpace(text);
  const slash = trimmed.indexOf('/');
  const semicolon = trimmed.indexOf(';');
  const end = semicolon === -1 ? trimmed.length : semicolon;
  if (slash === -1 || slash > end) return null;
  const type = trimmed.slice(0, slash);
  const subtype = trimHttpSpace(trimmed.slice(slash + 1, end));
  if (!isToken(type) || !isToken(subtype)) return null;
  let charset: string | null = null;
  for (let at = end; at < trimmed.length && charset === null; ) {
    const equals = trimmed.indexOf('=', at + 1);
    const next = trimmed.indexOf(';', at + 1);
    if (equals === -1) break;
    if (next !== -1 && next < equals) {
      at = next;
      continue;
    }
    const name = trimHttpSpace(trimmed.slice(at + 1, equals)).toLowerCase();
    const read = readValue(trimmed, equals + 1);
    if (name === 'charset' && read.value !== '') charset = read.value;
    at = read.next;
  }
  return { essence: `${type}/${subtype}`.toLowerCase(), charset };
};

export type Detector = 'html' | 'xml' | 'markdown' | 'inert' | 'none';

const BY_ESSENCE: ReadonlyMap<string, Detector> = new Map([
  ['text/html', 'html'],
  ['text/xml', 'xml'],
  ['application/xml', 'xml'],
  ['text/markdown', 'markdown'],
  ['text/x-markdown', 'markdown'],
  ['text/plain', 'inert'],
  ['application/json', 'inert'],
  ...[
    'png apng jpeg jpg pjpeg gif webp avif bmp x-ms-bmp x-bmp tiff heic heif jxl x-icon vnd.microsoft.icon',
    'jp2 jpx jpm x-portable-pixmap x-portable-graymap x-portable-bitmap x-portable-anymap',
  ].flatMap((line) => line.split(' ').map((subtype) => [`image/${subtype}`, 'inert'] as const)),
]);

/** Which detector judges this essence; `none` for a type that has none. */
export const detectorFor = (essence: string): Detector => {
  const known = BY_ESSENCE.get(essence);
  if (known !== undefined) return known;
  if (essence.endsWith('+xml')) return 'xml';
  return essence.startsWith('audio/') || essence.startsWith('video/') ? 'inert' : 'none';
};
