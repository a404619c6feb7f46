import { classifyAddress } from './address.ts';
import { type AddressJudgement, judgeAddress, judgeUri, type UriJudgement } from './judge.ts';
import { canonicalHost, matchesHost } from './names.ts';
import type { AsrfPolicy } from './policy.ts';
import { quoted, quotedList } from './quoted.ts';

/** What was recorded of one dereference, or of one hop of a redirected one. */
export type Hop = {
  readonly uri: string;
  readonly resolved_addresses: readonly string[] | null;
  readonly connected_address: string | null;
  readonly dial_override: { readonly host: string; readonly address: string } | null;
  readonly via_proxy: string | null;
  /** Who saw it: the address that a `proxy` connected to is the destination's. */
  readonly observer: string;
  readonly outcome: 'connected' | 'connect_failed' | 'blocked_by_guard' | 'not_attempted';
};

export type HopObservation = {
  readonly kind:
    | 'readings-differ'
    | 'mixed-answers'
    | 'answers-outside'
    | 'connected-unanswered'
    | 'override-applied'
    | 'override-unlisted'
    | 'proxied';
  readonly explanation: string;
};

export type HopJudgement = {
  /**
   * `outside-text`, `outside-address`: left policy. `address-unseen`: text inside, destination's address not seen.
   * `unjudgeable`: text or address cannot be read. `blocked`, `not-dereferenced`: no request was sent.
   */
  readonly result:
    | 'outside-text'
    | 'outside-address'
    | 'inside'
    | 'blocked'
    | 'not-dereferenced'
    | 'address-unseen'
    | 'unjudgeable';
  readonly explanation: string;
  readonly text: UriJudgement;
  /** The address that decided, where one was seen. */
  readonly address: AddressJudgement | null;
  readonly observations: readonly HopObservation[];
};

type Destination = { readonly addresses: readonly string[] | null; readonly observations: readonly HopObservation[] };

const sameAddress = (a: string, b: string): boolean => {
  const [left, right] = [classifyAddress(a), classifyAddress(b)];
  return left !== null && right !== null && left.judged === right.judged;
};

/** An override excuses the connected address only where the profile lists it, it is of this host, and it was followed. */
const overrideApplies = (hop: Hop, text: UriJudgement, policy: AsrfPolicy): boolean => {
  const { dial_override: override, connected_address: connected } = hop;
  if (override === null) return false;
  const host = canonicalHost(override.host);
  return (
    policy.test_redirects.some(
      (listed) => matchesHost(host, listed.host) && sameAddress(override.address, listed.address),
    ) &&
    text.readings.some((reading) => reading.host === host) &&
    (connected === null || sameAddress(connected, override.address))
  );
};

/** The addresses that stand for the destination: the one connected, or those resolved under a listed override; null: unseen. */
const destinationOf = (hop: Hop, text: UriJudgement, policy: AsrfPolicy): Destination => {
  const { dial_override: override, connected_address: connected, via_proxy: proxy } = hop;
  if (proxy !== null && hop.observer !== 'proxy') {
    const explanation = `the request went by the proxy ${quoted(proxy)}, whose address is not the destination's`;
    return { addresses: null, observations: [{ kind: 'proxied', explanation }] };
  }
  const seen = connected === null ? null : [connected];
  if (override === null) return { addresses: seen, observations: [] };
  const redirect = `the dialer redirected ${quoted(override.host)} to ${quoted(override.address)}`;
  if (!overrideApplies(hop, text, policy)) {
    const explanation = `${redirect}, which the profile does not list for this host and address`;
    return { addresses: seen, observations: [{ kind: 'override-unlisted', explanation }] };
  }
  const explanation = `${redirect}, as the profile lists; the resolved address is judged`;
  const { resolved_addresses: resolved } = hop;
  return {
    addresses: resolved?.length === 0 ? null : resolved,
    observations: [{ kind: 'override-applied', explanation }],
  };
};

/** What the recorded answers add to the judged destination: an answer outside policy may have been the one used. */
const answerObservations = (hop: Hop, destination: Destination, policy: AsrfPolicy): readonly HopObservation[] => {
  const { resolved_addresses: resolved, connected_address: connected } = hop;
  if (resolved === null || resolved.length === 0) return [];
  const observations: HopObservation[] = [];
  const outside = resolved.filter((address) => !judgeAddress(address, policy).inside);
  const isMixed = outside.length < resolved.length;
  if (outside.length > 0 && (isMixed || destination.addresses === null)) {
    const explanation = `of ${resolved.length} resolved addresses ${outside.length} are outside policy: ${quotedList(outside)}`;
    observations.push({ kind: isMixed ? 'mixed-answers' : 'answers-outside', explanation });
  }
  const judgedConnected = connected !== null && destination.addresses?.includes(connected) === true;
  if (judgedConnected && !resolved.some((address) => sameAddress(address, connected))) {
    const explanation = `connected to ${quoted(connected)}, which is not among the resolved addresses ${quotedList(resolved)}`;
    observations.push({ kind: 'connected-unanswered', explanation });
  }
  return observations;
};

const explained = (text: UriJudgement, at: 'inside' | 'outside'): string =>
  text.readings
    .filter((reading) => reading.at === at)
    .map((reading) => reading.explanation)
    .join('; ');

/**
 * Judges one hop (RULES, ASRF): text first, then the address of the destination.
 * Takes the recorded hop, the profile's policy, and the absolute URI a relative `uri` stands against.
 */
export const judgeHop = (hop: Hop, policy: AsrfPolicy, base: string | null = null): HopJudgement => {
  const text = judgeUri(hop.uri, policy, base);
  const destination = destinationOf(hop, text, policy);
  const judged = (destination.addresses ?? []).map((address) => judgeAddress(address, policy));
  const address = judged.find((each) => !each.inside) ?? judged[0] ?? null;
  const differ: readonly HopObservation[] =
    text.readings.length > 1
      ? [
          {
            kind: 'readings-differ',
            explanation: `URL parsers read ${quotedList(text.readings.map((reading) => reading.host ?? ''))} as the host of ${quoted(hop.uri)}`,
          },
        ]
      : [];
  const observations = [...differ, ...destination.observations, ...answerObservations(hop, destination, policy)];
  const as = (result: HopJudgement['result'], explanation: string): HopJudgement => ({
    result,
    explanation,
    text,
    address,
    observations,
  });

  const textSays = text.at === 'inside' ? explained(text, 'inside') : text.readings[0]!.explanation;
  if (hop.outcome === 'blocked_by_guard') return as('blocked', `a guard blocked the request: ${textSays}`);
  if (hop.outcome === 'not_attempted') return as('not-dereferenced', `no request was attempted: ${textSays}`);
  if (text.at === 'unjudgeable') return as('unjudgeable', textSays);
  if (text.at === 'outside') return as('outside-text', explained(text, 'outside'));
  if (text.at === 'mixed' && !address?.inside) return as('outside-text', explained(text, 'outside'));
  if (text.readings.every((reading) => reading.exempt)) return as('inside', explained(text, 'inside'));
  if (address === null) return as('address-unseen', `connected_address was not seen; ${explained(text, 'inside')}`);
  if (address.class === null) return as('unjudgeable', `connected_address: ${address.explanation}`);
  if (address.inside) return as('inside', address.explanation);
  return as('outside-address', `${address.explanation}, while ${explained(text, 'inside')}`);
};
