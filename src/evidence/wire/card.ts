import type { WireField } from '../../base/wire-fields.ts';
import type { WireNode } from '../../base/wire-json.ts';
import type { RecordOf } from '../bundle.ts';
import type { Body } from '../fields.ts';
import type { CardInterface } from '../records/discovery.ts';
import { CARD_PATHS } from './paths.ts';
import { Issues, items, shortString } from './read-fields.ts';
import { readBody } from './text.ts';

type Card = RecordOf<'candidate_cards'>;
export type CardFields = Pick<Card, 'name' | 'provider_organization' | 'interfaces' | 'skill_ids' | 'wire_issue'>;

const EMPTY_CARD = { name: null, provider_organization: null, interfaces: null, skill_ids: null } as const;

/** Takes an Agent Card as received; returns its typed fields, of the shapes of A2A 1.0 and 0.3, and why any is null (FORMAT section 3). */
export const cardFields = (raw: Body): CardFields => {
  const whole = readBody(raw);
  const issues = new Issues();
  if ('issue' in whole) issues.note('raw', whole.issue);
  if (!('read' in whole)) return { ...EMPTY_CARD, wire_issue: issues.wireIssue() };
  const { root } = whole.read;
  return {
    name: issues.take('name', shortString(root, CARD_PATHS.name)),
    provider_organization: issues.take('provider_organization', shortString(root, CARD_PATHS.provider_organization)),
    interfaces: issues.take('interfaces', interfaces(root)),
    skill_ids: issues.take('skill_ids', skillIds(root)),
    wire_issue: issues.wireIssue(),
  };
};

/** A member of a list that has no such string is `wrong_type`: half a list would look like a whole one. */
const required = (node: WireNode, paths: readonly string[]): WireField<string> => {
  const field = shortString(node, paths);
  return field.value === null && field.issue === null ? { value: null, issue: 'wrong_type' } : field;
};

const each = <T>(list: readonly WireNode[], read: (item: WireNode) => WireField<T>): WireField<T[]> => {
  const values: T[] = [];
  for (const item of list) {
    const field = read(item);
    if (field.value === null) return { value: null, issue: field.issue };
    values.push(field.value);
  }
  return { value: values, issue: null };
};

const skillIds = (root: WireNode): WireField<string[]> => {
  const skills = items(root, CARD_PATHS.skills);
  return skills.value === null ? skills : each(skills.value, (skill) => required(skill, ['id']));
};

type Shape = CardInterface['stated_in'];

/** One interface; `defaults` are what the card says for it where it does not say it itself. */
const interfaceOf =
  (stated_in: Shape, protocolPaths: readonly string[], defaults: { protocol: string | null; version: string | null }) =>
  (node: WireNode): WireField<CardInterface> => {
    const url = required(node, CARD_PATHS.interface_url);
    const protocol = shortString(node, protocolPaths);
    const version = shortString(node, CARD_PATHS.protocol_version);
    const issue = url.issue ?? protocol.issue ?? version.issue;
    if (issue !== null || url.value === null) return { value: null, issue };
    // In the order of their names: what stands so is printed as it is.
    const value = {
      protocol: protocol.value ?? defaults.protocol,
      protocol_version: version.value ?? defaults.version,
      stated_in,
      url: url.value,
    };
    return { value, issue: null };
  };

const interfaces = (root: WireNode): WireField<CardInterface[]> => {
  const supported = items(root, CARD_PATHS.supported_interfaces);
  const url = shortString(root, CARD_PATHS.url);
  const additional = items(root, CARD_PATHS.additional_interfaces);
  const version = shortString(root, CARD_PATHS.protocol_version);
  const issue = supported.issue ?? url.issue ?? additional.issue ?? version.issue;
  if (issue !== null) return { value: null, issue };
  if (supported.value === null && url.value === null && additional.value === null) return { value: null, issue: null };
  const { interface_protocol, preferred_transport } = CARD_PATHS;
  const own = { protocol: null, version: null };
  const legacy = { protocol: 'JSONRPC', version: version.value };
  const lists = [
    each(supported.value ?? [], interfaceOf('supported_interfaces', interface_protocol, own)),
    each(url.value === null ? [] : [root], interfaceOf('url', preferred_transport, legacy)),
    each(additional.value ?? [], interfaceOf('additional_interfaces', interface_protocol, legacy)),
  ];
  const stated: CardInterface[] = [];
  for (const list of lists) {
    if (list.value === null) return { value: null, issue: list.issue };
    for (const entry of list.value) stated.push(entry);
  }
  return { value: stated, issue: null };
};
