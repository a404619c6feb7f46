import { readUrl } from '../base/url.ts';
import type { CardInterface } from '../evidence/records/discovery.ts';
import type { Graph } from '../relate/graph.ts';
import type { Node } from '../relate/nodes.ts';
import { named } from './anchors.ts';
import { quoted, quotedList } from './detectors/uri/quoted.ts';
import type { Statement } from './rule.ts';

const normal = (url: string): string => readUrl(url)?.href ?? url;

const isNewer = ({ stated_in }: CardInterface): boolean => stated_in === 'supported_interfaces';

const shown = ({ url, protocol }: CardInterface): string =>
  `${quoted(url)} (${protocol === null ? 'no binding' : quoted(protocol)})`;

/** The first interface in the form of 0.3 that the form of 1.0 does not state, in a card that has both. */
const onlyInOlder = (interfaces: readonly CardInterface[]): CardInterface | undefined => {
  if (interfaces.every(isNewer)) return undefined;
  const newer = new Map<string, Set<string | null>>();
  for (const { url, protocol } of interfaces.filter(isNewer)) {
    const protocols = newer.get(normal(url));
    if (protocols === undefined) newer.set(normal(url), new Set([protocol]));
    else protocols.add(protocol);
  }
  if (newer.size === 0) return undefined;
  return interfaces.find((stated) => {
    if (isNewer(stated)) return false;
    const protocols = newer.get(normal(stated.url));
    return (
      protocols === undefined || !(protocols.has(stated.protocol) || protocols.has(null) || stated.protocol === null)
    );
  });
};

/** Cards whose two forms name different endpoints, so that clients of different versions part ways; each card once. */
export function* cardInterfaces(graph: Graph): Iterable<Statement> {
  const seen = new Set<string>();
  const cards: readonly Node<'selected_cards' | 'candidate_cards' | 'trusted_cards'>[] = [
    ...graph.nodes('selected_cards'),
    ...graph.nodes('candidate_cards'),
    ...graph.nodes('trusted_cards'),
  ];
  for (const card of cards) {
    if (seen.has(card.id)) continue;
    seen.add(card.id);
    const interfaces = card.record.interfaces ?? [];
    const older = onlyInOlder(interfaces);
    if (older === undefined) continue;
    const newer = quotedList(interfaces.filter(isNewer).map(({ url }) => url));
    const explanation = `${named(card)} states ${shown(older)} in ${older.stated_in}, but not among its supported_interfaces: ${newer}.`;
    yield { reason: 'CARD_INTERFACES_DISAGREE', affected: card, path: [card], explanation };
  }
}
