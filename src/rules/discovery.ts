import type { Graph } from '../relate/graph.ts';
import type { Element, Link, Node } from '../relate/nodes.ts';
import { anchorMissing, factMissing, named } from './anchors.ts';
import { confusableNames, UNICODE_VERSION } from './detectors/names/confusable.ts';
import { originOf } from './detectors/uri/endpoint.ts';
import { quoted, quotedList } from './detectors/uri/quoted.ts';
import { placementIn } from './endpoint-in-card.ts';
import type { Profile } from './profile.ts';
import type { Rule, Statement } from './rule.ts';

type Card = Node<'selected_cards'>;
/** An exchange that used an endpoint of the card. */
type Contact = { readonly endpoint: Link<'endpoints'>; readonly exchange: Link<'exchanges'> };
type Selection = {
  readonly event: Node<'discovery_events'>;
  readonly link: Link<'selected_cards'>;
  readonly endpoint: Link<'endpoints'>;
  readonly contacts: readonly Contact[];
};

type Evidence = Pick<Statement, 'affected' | 'path' | 'support'>;

const evidenceOf = (selection: Selection, contact = selection.contacts[0]): Evidence => {
  const { event, link, endpoint } = selection;
  const affected = link.node;
  if (contact === undefined)
    return { affected, path: [event, link.edge, affected], support: [endpoint.edge, endpoint.node] };
  const path: Element[] = [
    contact.exchange.node,
    contact.exchange.edge,
    contact.endpoint.node,
    contact.endpoint.edge,
    affected,
  ];
  return { affected, path, support: [event, link.edge] };
};

type Standing = 'pinned' | 'changed' | 'untrusted' | 'unreadable';

const isUnder = (origins: readonly string[], allowed: readonly string[]): boolean => {
  const listed = new Set(allowed.map((text) => originOf(text) ?? text));
  return origins.length > 0 && origins.every((origin) => listed.has(origin));
};

/** A `kid`, a signature or a `jku` in the card proves nothing here: only the pinned digest and the allowed origins do. */
const standingOf = ({ record }: Card, pinned: Profile['as']['pinned_cards']): Standing => {
  if (pinned.some(({ sha256 }) => sha256 === record.raw.sha256)) return 'pinned';
  if (record.name === null || record.interfaces === null) return 'unreadable';
  const origins = record.interfaces.map(({ url }) => originOf(url) ?? '');
  return pinned.some(({ allowed_origins }) => isUnder(origins, allowed_origins)) ? 'changed' : 'untrusted';
};

const digestOf = ({ record }: Card): string => `its digest ${record.raw.sha256} is not pinned`;

const changed = (selection: Selection, profile: Profile): Statement => {
  const isRefused = profile.as.changed_card === 'strict' && selection.contacts.length > 0;
  return {
    reason: isRefused ? 'PINNED_CARD_CHANGED_REFUSED' : 'PINNED_CARD_CHANGED',
    ...evidenceOf(selection),
    explanation: `${named(selection.link.node)} is under the allowed origins of a pinned agent, but ${digestOf(selection.link.node)}.`,
  };
};

/** What an untrusted card is like: the closest trusted card by the metadata of the discovery edge, and names by UTS #39. */
const untrusted = (selection: Selection, { as }: Profile): Statement => {
  const { node: card, edge } = selection.link;
  const name = card.record.name ?? '';
  const { similarity_bp: similarity, closest_trusted_card_id: closest } = edge.metadata;
  const likeness = as.pinned_cards.find((pinned) => confusableNames(name, pinned.name));
  const evidence = evidenceOf(selection);
  if (likeness === undefined && typeof similarity !== 'number') {
    const explanation = `The edge from ${named(selection.event)} to ${named(card)} states no similarity to a trusted card.`;
    return factMissing(card, ['similarity_bp'], explanation, evidence);
  }
  const contact = selection.contacts[0];
  const measured =
    typeof similarity === 'number'
      ? `its similarity to trusted card ${closest} is ${similarity} basis points (threshold ${as.similarity_threshold_bp})`
      : 'its similarity was not measured';
  const names =
    likeness === undefined
      ? 'its name is confusable with no pinned name'
      : `its name is confusable with the pinned name ${quoted(likeness.name)} (UTS #39, Unicode ${UNICODE_VERSION})`;
  const use =
    contact === undefined
      ? 'No exchange used an endpoint of it.'
      : `${named(contact.exchange.node)} used its endpoint at ${quoted(contact.exchange.node.record.url)}.`;
  const explanation = `${named(card)} with the name ${quoted(name)} is not trusted (${digestOf(card)}): ${names}; ${measured}. ${use}`;
  const isLookalike = likeness !== undefined || (similarity as number) >= as.similarity_threshold_bp;
  if (isLookalike) {
    const reason = contact === undefined ? 'AS_LOOKALIKE_NOT_CONTACTED' : 'AS_LOOKALIKE_CARD_USED';
    return { reason, ...evidence, explanation };
  }
  const isRefused = as.unknown_card === 'finding' && contact !== undefined;
  return { reason: isRefused ? 'CARD_UNKNOWN_REFUSED' : 'CARD_UNKNOWN', ...evidence, explanation };
};

/** An empty card states no interfaces in the sense of the rule: nothing can be said of where its endpoint came from. */
const interfacesOf = ({ record }: Card) =>
  record.name === null && record.interfaces?.length === 0 ? null : record.interfaces;

/** The first exchange elsewhere is enough: one card, one finding. */
const endpoints = function* (selection: Selection): Iterable<Statement> {
  const interfaces = interfacesOf(selection.link.node);
  if (interfaces === null) return;
  const place = placementIn(interfaces);
  let isNearSaid = false;
  for (const contact of selection.contacts) {
    const { url, binding } = contact.exchange.node.record;
    const placement = place(url, binding);
    if (placement.at === 'interface' || (placement.at === 'near' && isNearSaid)) continue;
    const went = `${named(contact.exchange.node)} (${binding}) went to ${quoted(url)}`;
    if (placement.at === 'near') {
      isNearSaid = true;
      const explanation = `${went}; ${named(selection.link.node)} states ${quoted(placement.url)}.`;
      yield { reason: 'AS_ENDPOINT_SPELLED_OTHERWISE', ...evidenceOf(selection, contact), explanation };
      continue;
    }
    const explanation = `${went}, but ${named(selection.link.node)} states these interfaces: ${quotedList(interfaces.map((declared) => declared.url))}.`;
    yield { reason: 'AS_ENDPOINT_NOT_IN_CARD', ...evidenceOf(selection, contact), explanation };
    return;
  }
};

const judgeSelection = function* (selection: Selection, profile: Profile): Iterable<Statement> {
  const card = selection.link.node;
  const standing = standingOf(card, profile.as.pinned_cards);
  const missing = [
    ...(standing === 'unreadable' && card.record.name === null ? ['name'] : []),
    ...(interfacesOf(card) === null && (standing !== 'pinned' || selection.contacts.length > 0) ? ['interfaces'] : []),
  ];
  if (missing.length > 0) {
    const explanation = `${named(card)} does not state, or not without doubt, what tells a trusted card from another: ${missing.join(', ')}.`;
    yield factMissing(card, missing, explanation, evidenceOf(selection));
  }
  if (standing === 'changed') yield changed(selection, profile);
  const said = standing === 'untrusted' ? untrusted(selection, profile) : undefined;
  if (said !== undefined) yield said;
  yield* endpoints(selection);
  if (selection.contacts.length === 0 && said?.reason !== 'AS_LOOKALIKE_NOT_CONTACTED') {
    const explanation = `No exchange used an endpoint of ${named(card)}.`;
    yield { reason: 'CARD_NOT_CONTACTED', ...evidenceOf(selection), explanation };
  }
};

const contactsOf = (graph: Graph, resolved: readonly Link<'endpoints'>[]): readonly Contact[] =>
  resolved.flatMap((endpoint) =>
    Array.from(graph.targets(endpoint.node, 'ENDPOINT_SERVED_EXCHANGE'), (exchange) => ({ endpoint, exchange })),
  );

/** AgentCard spoofing (RULES, AS). A card that several discovery events select is judged once, by the first of them. */
export const discovery: Rule = {
  watches: 'discovery',
  applies: ({ as }) => as.pinned_cards.length > 0,
  judge: (graph, profile) => {
    const statements: Statement[] = [];
    if (profile.as.pinned_cards.length === 0) return { triggers: 0, statements };
    const triggers = graph.nodes('discovery_events').filter(({ record }) => record.selected_card_id !== null);
    const judged = new Set<string>();
    for (const event of triggers) {
      const link = graph.targets(event, 'DISCOVERY_SELECTED_CARD').at(0);
      const resolved = link === undefined ? [] : graph.targets(link.node, 'AGENTCARD_RESOLVES_TO_ENDPOINT');
      const endpoint = resolved.at(0);
      if (link === undefined || endpoint === undefined) {
        const missing = link === undefined ? 'DISCOVERY_SELECTED_CARD' : 'AGENTCARD_RESOLVES_TO_ENDPOINT';
        statements.push(anchorMissing(event, [missing]));
      } else if (!judged.has(link.node.id)) {
        judged.add(link.node.id);
        const contacts = contactsOf(graph, [...resolved]);
        for (const statement of judgeSelection({ event, link, endpoint, contacts }, profile))
          statements.push(statement);
      }
    }
    return { triggers: triggers.length, statements };
  },
};
