import { type AddressClass, classifyAddress, networkOf } from './address.ts';
import { internalName, matchesHost } from './names.ts';
import type { AsrfPolicy } from './policy.ts';
import { quoted, quotedList } from './quoted.ts';
import { type Reading, readUri } from './readings.ts';

export type AddressJudgement = {
  readonly inside: boolean;
  readonly address: string;
  /** The embedded IPv4 address where there is one, else `address`. */
  readonly judged: string;
  /** Null where the text is no IP address, which is never inside. */
  readonly class: AddressClass | null;
  readonly explanation: string;
};

/**
 * Judges an address by the profile: denied networks, then allowed networks, then allowed classes.
 * Takes an address text; what is no address is outside, with class null.
 */
export const judgeAddress = (address: string, policy: AsrfPolicy): AddressJudgement => {
  const classified = classifyAddress(address);
  if (classified === null) {
    return {
      inside: false,
      address,
      judged: address,
      class: null,
      explanation: `${quoted(address)} is not an IP address`,
    };
  }
  const { address: canonical, judged, class: held } = classified;
  const shown = judged === canonical ? judged : `${canonical}, which embeds ${judged},`;
  const as = (inside: boolean, why: string): AddressJudgement => ({
    inside,
    address: canonical,
    judged,
    class: held,
    explanation: `address ${shown} is ${why}`,
  });
  const denied = networkOf(judged, policy.denied_cidrs) ?? networkOf(canonical, policy.denied_cidrs);
  if (denied !== null) return as(false, `in the denied network ${denied}`);
  const allowed = networkOf(judged, policy.allowed_cidrs);
  if (allowed !== null) return as(true, `in the allowed network ${allowed}`);
  const inside = policy.allowed_classes.includes(held);
  return as(inside, `of class ${held}, which is ${inside ? '' : 'not '}allowed`);
};

export type TextJudgement = {
  readonly at: 'inside' | 'outside' | 'unjudgeable';
  /** What puts it outside or makes it unjudgeable; null inside. */
  readonly by: 'scheme' | 'port' | 'host' | 'address' | 'unparsable' | 'relative' | null;
  /** Whether the profile lists its origin, so that no address counts. */
  readonly exempt: boolean;
  readonly parser: Reading['parser'] | null;
  readonly host: string | null;
  /** The address, where the host is a literal. */
  readonly address: string | null;
  readonly judgedAddress: string | null;
  readonly explanation: string;
};

const hostIsOutside = (host: string, policy: AsrfPolicy): string | null => {
  if (policy.hosts !== null) {
    const listed = policy.hosts.some((pattern) => matchesHost(host, pattern));
    return listed ? null : `host ${quoted(host)} is not among ${quotedList(policy.hosts)}`;
  }
  const kind = internalName(host);
  return kind === null ? null : `host ${quoted(host)} is a ${kind} name`;
};

type Fault = { readonly by: 'scheme' | 'port' | 'host' | 'address'; readonly why: string };

/** All that puts a reading outside policy, the worst first: a strange port of a loopback address is no story of ports. */
const faultsOf = (
  { scheme, host, port }: Reading,
  literal: AddressJudgement | null,
  policy: AsrfPolicy,
): readonly Fault[] => {
  const faults: Fault[] = [];
  if (!policy.schemes.includes(scheme)) {
    faults.push({ by: 'scheme', why: `scheme ${quoted(scheme)} is not among ${quotedList(policy.schemes)}` });
  }
  if (host === null) {
    if (policy.hosts !== null) {
      faults.push({ by: 'host', why: `no host is named, and the profile lists ${quotedList(policy.hosts)}` });
    }
    return faults;
  }
  const wrongHost = hostIsOutside(host, policy);
  if (wrongHost !== null) faults.push({ by: 'host', why: wrongHost });
  if (literal !== null && !literal.inside) faults.push({ by: 'address', why: literal.explanation });
  if (policy.ports !== null && (port === null || !policy.ports.includes(port))) {
    const why = `port ${port ?? 'unstated'} of host ${quoted(host)} is not among ${policy.ports.join(', ')}`;
    faults.push({ by: 'port', why });
  }
  return faults;
};

const judgeReading = (reading: Reading, policy: AsrfPolicy): TextJudgement => {
  const { parser, scheme, host, origin } = reading;
  const literal = host === null || classifyAddress(host) === null ? null : judgeAddress(host, policy);
  const as = (by: TextJudgement['by'], explanation: string, exempt = false): TextJudgement => ({
    at: by === null ? 'inside' : 'outside',
    by,
    exempt,
    parser,
    host,
    address: literal?.address ?? null,
    judgedAddress: literal?.judged ?? null,
    explanation,
  });

  if (origin !== null && policy.origins.includes(origin))
    return as(null, `origin ${quoted(origin)} is listed by the profile`, true);
  const faults = faultsOf(reading, literal, policy);
  const [worst] = faults;
  if (worst !== undefined) return as(worst.by, `${faults.map(({ why }) => why).join('; ')} (read by ${parser})`);
  if (host === null) return as(null, `scheme ${quoted(scheme)} is allowed and no host is named`);
  return as(null, literal?.explanation ?? `host ${quoted(host)} is allowed by name`);
};

export type UriJudgement = {
  /** `mixed`: one parser reads a destination inside policy, another one outside. */
  readonly at: 'inside' | 'outside' | 'mixed' | 'unjudgeable';
  readonly readings: readonly TextJudgement[];
};

/**
 * Judges a URI text by the profile, in each of its readings. Takes the text as it stood, and the absolute URI it is relative to.
 * Text that cannot be read gives one judgement, `unjudgeable`.
 */
export const judgeUri = (uri: string, policy: AsrfPolicy, base: string | null = null): UriJudgement => {
  const read = readUri(uri, base);
  if (read.state !== 'read') {
    const why = read.state === 'relative' ? 'is relative, and no base is known' : 'is accepted by no URL parser';
    const nothing = { exempt: false, parser: null, host: null, address: null, judgedAddress: null } as const;
    const explanation = `${quoted(uri)} ${why}`;
    return { at: 'unjudgeable', readings: [{ ...nothing, at: 'unjudgeable', by: read.state, explanation }] };
  }
  const readings = read.readings.map((reading) => judgeReading(reading, policy));
  const outside = readings.filter((reading) => reading.at === 'outside').length;
  const all = outside === readings.length ? 'outside' : 'mixed';
  return { at: outside === 0 ? 'inside' : all, readings };
};
