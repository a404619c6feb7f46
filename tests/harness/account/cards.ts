import { cardText, TRUSTED } from '../../../harness/lab/cards.ts';
import type { RecordOf } from '../../../src/evidence/bundle.ts';
import { agentAt, at, type Case, callsOf, cardFetches, type Expected, hold, parsed, wholeBody } from './compare.ts';

type Card = RecordOf<'candidate_cards'>;

/** What a card record must hold of a text that a server sent or an operator trusts. */
const cardOf = (text: string): Expected<'candidate_cards'> => {
  const card = parsed(text);
  return {
    extended: false,
    endpoint_id: null,
    raw: wholeBody(text),
    name: at(card, 'name'),
    provider_organization: at(card, 'provider', 'organization'),
    interfaces: (at(card, 'supportedInterfaces') as object[]).map((stated) => ({
      url: at(stated, 'url'),
      protocol: at(stated, 'protocolBinding'),
      protocol_version: at(stated, 'protocolVersion'),
      stated_in: 'supported_interfaces',
    })),
    skill_ids: (at(card, 'skills') as object[]).map((skill) => at(skill, 'id')),
    wire_issue: null,
  };
};

const fetched = (host: string, status: number, text: string): Expected<'candidate_cards'> => ({
  ...cardOf(text),
  url: `http://${host}/.well-known/agent-card.json`,
  status,
  observer: 'sdk-client',
});

/** The id of the record with the bytes that the server of a host sent. */
const idAt = (records: readonly Card[], { run }: Case, host: string): string | undefined => {
  const sent = cardFetches({ run } as Case).find((request) => request.host === host)?.response;
  return records.find(({ raw }) => raw.text === sent)?.card_id;
};

export const candidateCards = (given: Case): string[] =>
  hold(
    'candidate_cards',
    given.bundle.candidate_cards,
    cardFetches(given).map(({ host, status, response }) => fetched(host, status, response)),
  );

export const trustedCards = ({ bundle }: Case): string[] =>
  hold(
    'trusted_cards',
    bundle.trusted_cards,
    TRUSTED.map((identity) => ({ ...cardOf(cardText(identity)), url: null, status: null, observer: 'profile' })),
  );

/** Hosts in the order in which a client first chose their card. */
const chosenHosts = ({ run }: Case): string[] => [
  ...new Set(run.witness.log.flatMap((entry) => (entry.what === 'card_chosen' ? [entry.host] : []))),
];

export const selectedCards = (given: Case): string[] =>
  hold(
    'selected_cards',
    given.bundle.selected_cards,
    chosenHosts(given).map((host) => {
      const { status, response } = cardFetches(given).find((request) => request.host === host)!;
      return { ...fetched(host, status, response), card_id: idAt(given.bundle.candidate_cards, given, host) };
    }),
  );

/** Each host that a server says was called. */
export const endpoints = (given: Case): string[] => {
  const called = [...new Set(callsOf(given, 'sdk-client').map(({ host }) => host))];
  return hold(
    'endpoints',
    given.bundle.endpoints,
    called.map((host) => ({
      card_id: idAt(given.bundle.selected_cards, given, host),
      url: `http://${host}/a2a`,
      protocol: 'JSONRPC',
      protocol_version: '1.0',
      agent: agentAt(host),
      observer: 'sdk-client',
    })),
  );
};

export const discoveryEvents = (given: Case): string[] => {
  const { bundle, run } = given;
  const decisions = run.witness.log.filter((entry) => entry.what === 'card_chosen');
  return hold(
    'discovery_events',
    bundle.discovery_events,
    decisions.map(({ agent, host, offered }) => ({
      client_agent: agent,
      considered_card_ids: offered.map((offer) => idAt(bundle.candidate_cards, given, offer)),
      trusted_card_ids: TRUSTED.map(
        (identity) => bundle.trusted_cards.find(({ raw }) => raw.text === cardText(identity))?.card_id,
      ),
      selected_card_id: idAt(bundle.selected_cards, given, host),
      observer: 'application',
    })),
  );
};
