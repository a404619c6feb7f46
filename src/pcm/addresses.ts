import { readUrl } from '../base/url.ts';

const CHARACTERS = /^[0-9a-f:.]+$/;

/** The two forms of an IPv6 address that reach an IPv4 one: mapped (RFC 4291 section 2.5.5.2) and NAT64 (RFC 6052 section 2.1). */
const IPV4_PREFIXES: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
];

const groupsOf = (half: string): readonly number[] =>
  half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16));

/** The eight groups of an address in RFC 5952 text. */
const expand = (text: string): readonly number[] => {
  const [left, right] = text.split('::').map(groupsOf);
  if (right === undefined) return left!;
  return [...left!, ...Array.from({ length: 8 - left!.length - right.length }, () => 0), ...right];
};

/**
 * Takes an IPv6 address without brackets, in lower case; returns its RFC 5952 section 4 text, the dotted quad of the IPv4 address it reaches, or
 * null when it is none. WHATWG URL parses it: a zone is none.
 */
export const addressOf = (text: string): string | null => {
  const url = CHARACTERS.test(text) ? readUrl(`http://[${text}]/`) : null;
  if (url === null) return null;
  const canonical = url.hostname.slice(1, -1);
  const groups = expand(canonical);
  if (!IPV4_PREFIXES.some((prefix) => prefix.every((group, i) => groups[i] === group))) return canonical;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
};
