import ipaddr from 'ipaddr.js';

/** The classes an address can be of; `public` is what ipaddr.js calls unicast. */
export const ADDRESS_CLASSES = [
  'public',
  'metadata',
  'loopback',
  'private',
  'link-local',
  'unique-local',
  'multicast',
  'broadcast',
  'unspecified',
  'carrier-grade-nat',
  'reserved',
] as const;
export type AddressClass = (typeof ADDRESS_CLASSES)[number];

/** The ranges of ipaddr.js that have a class of their own; every other special range is `reserved`. */
const CLASS_OF_RANGE: ReadonlyMap<string, AddressClass> = new Map([
  ['unicast', 'public'],
  ['loopback', 'loopback'],
  ['private', 'private'],
  ['linkLocal', 'link-local'],
  ['uniqueLocal', 'unique-local'],
  ['multicast', 'multicast'],
  ['broadcast', 'broadcast'],
  ['unspecified', 'unspecified'],
  ['carrierGradeNat', 'carrier-grade-nat'],
]);

/** Where cloud platforms serve instance metadata and credentials; some are unicast by every range table. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '169.254.169.254', // most clouds
  '169.254.170.2', // AWS ECS task credentials
  '169.254.170.23', // AWS EKS pod identity
  '169.254.42.42', // Scaleway
  '169.254.0.23', // Tencent Cloud
  '168.63.129.16', // Azure wire server
  '100.100.100.200', // Alibaba Cloud
  '192.0.0.192', // Oracle Cloud, classic
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS EKS pod identity
  'fd20:ce::254', // Google Cloud
  'fd00:42::42', // Scaleway
  'fd00:a9fe:a9fe::1', // Akamai (Linode)
  'fe80::a9fe:a9fe', // OpenStack
]);

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

/** Eight groups of four digits, or six and a dotted quad. */
const MAX_LENGTH = 45;

const hexTail = (text: string): string | null => {
  const tailAt = text.lastIndexOf(':') + 1;
  const tail = text.slice(tailAt);
  if (tailAt === 0 || !tail.includes('.')) return text;
  if (!ipaddr.IPv4.isValidFourPartDecimal(tail)) return null;
  const [a, b, c, d] = ipaddr.IPv4.parse(tail).octets as [number, number, number, number];
  return `${text.slice(0, tailAt)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};

/** The characters of addresses: most names have others, and ipaddr.js throws at each. */
const WRITTEN = /^[0-9a-fx.:]+$/i;

/** Takes an address text, in brackets or not, with a zone id or not; returns it parsed, or null if it is none. */
const parseAddress = (text: string): Parsed | null => {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const zoneAt = bare.indexOf('%');
  const unzoned = zoneAt < 0 ? bare : bare.slice(0, zoneAt);
  const plain = unzoned.length <= MAX_LENGTH && WRITTEN.test(unzoned) ? hexTail(unzoned) : null;
  if (plain === null) return null;
  const version = plain.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4;
  return version.isValid(plain) ? version.parse(plain) : null;
};

const quad = (high: number, low: number): ipaddr.IPv4 =>
  new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);

/** The IPv4 address that an IPv6 address embeds: RFC 4291 2.5.5 (compatible, mapped), RFC 6052, RFC 3056, RFC 4380. */
const embeddedIn = (address: Parsed): ipaddr.IPv4 | null => {
  if (!(address instanceof ipaddr.IPv6)) return null;
  const [a, b, c, d, e, f, high, low] = address.parts as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const middleIsZero = c === 0 && d === 0 && e === 0;
  if (a === 0 && b === 0 && middleIsZero && f === 0xffff) return quad(high, low);
  if (a === 0 && b === 0 && middleIsZero && f === 0) return high === 0 && low <= 1 ? null : quad(high, low);
  if (a === 0x64 && b === 0xff9b && middleIsZero && f === 0) return quad(high, low);
  if (a === 0x2002) return quad(b, c);
  if (a === 0x2001 && b === 0) return quad(high ^ 0xffff, low ^ 0xffff);
  return null;
};

export type ClassifiedAddress = {
  /** Canonical text (RFC 5952), without zone id and brackets. */
  readonly address: string;
  /** The embedded IPv4 address, which is what is judged; else `address` again. */
  readonly judged: string;
  readonly class: AddressClass;
};

const classify = (text: string): ClassifiedAddress | null => {
  const address = parseAddress(text);
  if (address === null) return null;
  const judged = embeddedIn(address) ?? address;
  const range = CLASS_OF_RANGE.get(judged.range()) ?? 'reserved';
  return {
    address: address.toString(),
    judged: judged.toString(),
    class: METADATA_ADDRESSES.has(judged.toString()) ? 'metadata' : range,
  };
};

let last = { text: '', classified: classify('') };

/**
 * Classes an IP address by ipaddr.js ranges and the metadata list; one that embeds an IPv4 address is classed as that.
 * Takes IPv4 text (also in the short, octal and hexadecimal forms of inet_aton) or IPv6 text, with or without brackets and
 * zone id; returns null where the text is no address.
 */
export const classifyAddress = (text: string): ClassifiedAddress | null => {
  // The address that was connected to is asked for among those that were resolved.
  if (last.text !== text) last = { text, classified: classify(text) };
  return last.classified;
};

/** Takes text; returns whether it is a network in CIDR notation (RFC 4632, RFC 4291 2.3). */
export const isCidr = (text: string): boolean => ipaddr.isValidCIDR(text);

/** Takes an address text and networks in CIDR notation; returns the first network that holds the address, or null. */
export const networkOf = (address: string, cidrs: readonly string[]): string | null => {
  if (cidrs.length === 0) return null;
  const parsed = parseAddress(address);
  if (parsed === null) return null;
  for (const cidr of cidrs) {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    if (network.kind() === parsed.kind() && parsed.match(network, bits)) return cidr;
  }
  return null;
};
