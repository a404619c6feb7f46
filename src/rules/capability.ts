import type { CardCollection } from '../evidence/collections.ts';
import type { Graph } from '../relate/graph.ts';
import type { Element, Link, Node } from '../relate/nodes.ts';
import { anchorMissing, factMissing, named } from './anchors.ts';
import { quoted, quotedList } from './detectors/uri/quoted.ts';
import type { Profile } from './profile.ts';
import type { Rule, Statement } from './rule.ts';

type CardLink = Link<CardCollection>;

/** What the card snapshots of one endpoint declare: read once, however many invocations there are. */
type Declared = {
  readonly cards: readonly CardLink[];
  /** Skill id to the earliest complete card that states it. */
  readonly by: ReadonlyMap<string, CardLink>;
  /** The earliest card that may declare more than can be read. */
  readonly incomplete: CardLink | undefined;
};

/** A card whose text was cut or has no single reading is no complete snapshot: it may declare anything. */
const isIncomplete = ({ node: { record } }: CardLink): boolean =>
  record.skill_ids === null || record.raw.truncated !== null;

const declaredOf = (cards: readonly CardLink[]): Declared => {
  const by = new Map<string, CardLink>();
  for (const card of cards) {
    if (isIncomplete(card)) continue;
    for (const skill of card.node.record.skill_ids ?? []) if (!by.has(skill)) by.set(skill, card);
  }
  return { cards, by, incomplete: cards.find(isIncomplete) };
};

type Invocation = {
  readonly node: Node<'capability_invocations'>;
  readonly exchange: Link<'exchanges'>;
  readonly endpoint: Link<'endpoints'>;
  readonly declared: Declared;
};

/** Names of one capability: its own, and the skill ids that the profile lists it for. */
const namesOf = (capability: string, { cc }: Profile): readonly string[] => [
  capability,
  ...cc.aliases.filter((alias) => alias.capability === capability).map(({ skill_id }) => skill_id),
];

const isBefore = (card: CardLink, { node }: Pick<Invocation, 'node'>): boolean =>
  card.node.record.sequence < node.record.sequence;

const pathOf = ({ node, exchange }: Invocation): readonly Element[] => [exchange.node, exchange.edge, node];

const servedBy = ({ endpoint }: Invocation, card: CardLink): readonly Element[] => [
  endpoint.edge,
  endpoint.node,
  card.edge,
  card.node,
];

/** A name that the profile lists is open to the listed callers alone; every listed name must be open. */
const limitOf = (names: readonly string[], caller: string | null, { cc }: Profile): readonly string[] | undefined =>
  names
    .map((name) => cc.permissions.filter(({ capability }) => capability === name))
    .filter((listed) => listed.length > 0)
    .map((listed) => listed.flatMap(({ callers }) => callers))
    .find((callers) => caller === null || !callers.includes(caller));

const judgeDeclared = (invocation: Invocation, names: readonly string[], card: CardLink, profile: Profile) => {
  const { node } = invocation;
  const { capability, caller_agent: caller, basis } = node.record;
  const callers = limitOf(names, caller, profile);
  if (callers === undefined || (caller === null && basis === 'requested')) return undefined;
  const evidence = { path: pathOf(invocation), support: servedBy(invocation, card) };
  const limit = `the profile permits ${quoted(capability)} to these callers only: ${quotedList(callers)}`;
  if (basis === 'requested') return requested(invocation, card, limit);
  if (caller === null) {
    return factMissing(node, ['caller_agent'], `The caller of ${named(node)} was not seen, and ${limit}.`, evidence);
  }
  const explanation = `${named(node)} executed ${quoted(capability)} on behalf of ${quoted(caller)}; ${named(card.node)} declares it, but ${limit}.`;
  return { reason: 'CAPABILITY_NOT_PERMITTED', affected: node, ...evidence, explanation } satisfies Statement;
};

const requested = (invocation: Invocation, card: CardLink, why: string): Statement => ({
  reason: 'CAPABILITY_ONLY_REQUESTED',
  affected: invocation.node,
  path: pathOf(invocation),
  support: servedBy(invocation, card),
  explanation: `${named(invocation.node)} requested ${quoted(invocation.node.record.capability)}, and was not seen to execute it: ${why}.`,
});

const judgeUndeclared = (invocation: Invocation, names: readonly string[]): Statement | undefined => {
  const { node, declared } = invocation;
  const { capability, basis } = node.record;
  const { incomplete } = declared;
  const last = declared.cards.findLast((card) => isBefore(card, invocation)) ?? declared.cards[0]!;
  // A later card cannot have declared it before, so a later cut one does not save the agent.
  if (incomplete !== undefined && isBefore(incomplete, invocation)) {
    if (basis === 'requested') return undefined;
    const explanation = `${named(incomplete.node)} is not a complete card, so it cannot be told whether it declares ${quoted(capability)}.`;
    const support = servedBy(invocation, incomplete);
    return factMissing(node, ['skill_ids'], explanation, { path: pathOf(invocation), support });
  }
  const later = names.map((name) => declared.by.get(name)).find((card) => card !== undefined);
  if (later !== undefined && basis === 'executed') {
    return {
      reason: 'CAPABILITY_DECLARED_LATER',
      affected: node,
      path: pathOf(invocation),
      support: servedBy(invocation, later),
      explanation: `${named(node)} (sequence ${node.record.sequence}) executed ${quoted(capability)}, which ${named(later.node)} declares only later (sequence ${later.node.record.sequence}).`,
    };
  }
  const skills = quotedList(last.node.record.skill_ids ?? []);
  const why = `none of ${declared.cards.length} card snapshots of the serving agent declares ${quotedList(names)} before; ${named(last.node)} declares ${skills}`;
  if (basis === 'requested') return requested(invocation, last, why);
  return {
    reason: 'CAPABILITY_NOT_DECLARED',
    affected: node,
    path: pathOf(invocation),
    support: servedBy(invocation, last),
    explanation: `${named(node)} executed ${quoted(capability)}, but ${why}.`,
  };
};

const judgeInvocation = (invocation: Invocation, profile: Profile): Statement | undefined => {
  const { node, declared } = invocation;
  const names = namesOf(node.record.capability, profile);
  for (const name of names) {
    const card = declared.by.get(name);
    if (card !== undefined && isBefore(card, invocation)) return judgeDeclared(invocation, names, card, profile);
  }
  return judgeUndeclared(invocation, names);
};

const judge = (graph: Graph, profile: Profile) => {
  const statements: Statement[] = [];
  const declaredAt = new Map<Node, Declared>();
  const triggers = graph.nodes('capability_invocations');
  for (const node of triggers) {
    const exchange = graph.sources(node, 'EXCHANGE_INVOKED_CAPABILITY').at(0);
    const endpoint = exchange && graph.sources(exchange.node, 'ENDPOINT_SERVED_EXCHANGE').at(0);
    if (exchange === undefined || endpoint === undefined) {
      const missing = exchange === undefined ? 'EXCHANGE_INVOKED_CAPABILITY' : 'ENDPOINT_SERVED_EXCHANGE';
      statements.push(anchorMissing(node, [missing]));
      continue;
    }
    const cards = graph.sources(endpoint.node, 'AGENTCARD_RESOLVES_TO_ENDPOINT');
    if (cards.length === 0) {
      statements.push(anchorMissing(node, ['AGENTCARD_RESOLVES_TO_ENDPOINT']));
      continue;
    }
    const declared = declaredAt.get(endpoint.node) ?? declaredOf([...cards]);
    declaredAt.set(endpoint.node, declared);
    const statement = judgeInvocation({ node, exchange, endpoint, declared }, profile);
    if (statement !== undefined) statements.push(statement);
  }
  return { triggers: triggers.length, statements };
};

/** Capability cloaking (RULES, CC): what an agent executed against what its cards had declared, and to whom. */
export const capability: Rule = { watches: 'capability_use', judge };
