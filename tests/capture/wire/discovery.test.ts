import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CARD, cardOf, profileWith, rpc, task, world } from './world.ts';

const HONEST = 'http://honest.example';
const honest = cardOf('Acme Travel Agent', `${HONEST}/`);
const honestText = JSON.stringify(honest);
const sha256 = createHash('sha256').update(honestText).digest('hex');
const PINNED = profileWith({
  as: { pinned_cards: [{ name: 'Acme Travel Agent', sha256, allowed_origins: [HONEST] }] },
});

const watched = () => world(PINNED, { pinned: new Set([sha256]), trusted: [Buffer.from(honestText)] });
/** A client fetches a card and sends to its endpoint. */
const uses = (here: ReturnType<typeof world>, origin: string, card: object | string, url = `${origin}/`) => {
  here.call({ url: `${origin}${CARD}` }, { body: card });
  here.call({ url, body: rpc('book') }, { body: task(`t-${url}`, 'COMPLETED') });
};

describe('which card was fetched, and whose endpoint then received traffic', () => {
  test('a pinned agent gives no finding', () => {
    const here = watched();
    uses(here, HONEST, honestText);
    const { records, verdict, status } = here.judged();
    expect(records.discovery_events).toMatchObject([{ considered_card_ids: ['card-1'], selected_card_id: 'card-1' }]);
    expect(records.endpoints).toMatchObject([{ url: `${HONEST}/`, agent: 'Acme Travel Agent' }]);
    expect(status('AS')).toBe('CONSISTENT');
    expect(verdict).toBe('FORENSICALLY_CONSISTENT');
  });

  test('a lookalike does', () => {
    const here = watched();
    here.call({ url: `${HONEST}${CARD}` }, { body: honestText });
    uses(here, 'http://lookalike.example', cardOf('Acme Travel Agents', 'http://lookalike.example/'));
    const { findings, records } = here.judged();
    const [event] = records.discovery_events;
    expect(event?.considered_card_ids).toHaveLength(2);
    expect(findings).toEqual([`AS_LOOKALIKE_CARD_USED ${event?.selected_card_id}`]);
  });

  test('a card that was fetched and never used is no choice', () => {
    const here = watched();
    here.call(
      { url: `http://lookalike.example${CARD}` },
      { body: cardOf('Acme Travel Agents', 'http://lookalike.example/') },
    );
    uses(here, HONEST, honestText);
    const { records, verdict } = here.judged();
    expect(records.discovery_events).toHaveLength(1);
    expect(verdict).toBe('FORENSICALLY_CONSISTENT');
  });

  test('the pinned card is trusted when it is fetched, also where its file was not given', () => {
    const here = world(PINNED, { pinned: new Set([sha256]) });
    uses(here, HONEST, honestText);
    expect(here.judged().verdict).toBe('FORENSICALLY_CONSISTENT');
  });

  test('an exchange that a redirect led elsewhere went to an endpoint that the card does not have', () => {
    const here = watched();
    here.call({ url: `${HONEST}${CARD}` }, { body: honestText });
    here.call(
      { url: `${HONEST}/`, body: rpc('book') },
      { status: 307, headers: [['location', 'http://evil.example/x']] },
    );
    here.call({ url: 'http://evil.example/x', body: 'anything', to: null }, { body: task('t', 'COMPLETED') });
    expect(here.judged().findings.map((line) => line.split(' ')[0])).toEqual(['AS_ENDPOINT_NOT_IN_CARD']);
  });

  test('each process chooses for itself: a card that another one fetched is not its choice', () => {
    const here = watched();
    here.call({ url: `${HONEST}${CARD}`, from: 'one' }, { body: honestText });
    here.call({ url: `${HONEST}/`, body: rpc('book'), from: 'two' }, { body: task('t', 'COMPLETED') });
    const { records } = here.judged();
    expect(records.discovery_events).toEqual([]);
    expect(records.exchanges.filter(({ endpoint_id }) => endpoint_id !== null)).toHaveLength(2);
  });
});

describe('a card that cannot be read', () => {
  test.each([
    ['is no JSON', 'a page'],
    ['names no interface', { name: 'x' }],
    ['names an interface that is no URL', cardOf('x', 'not a url')],
    ['has a member of another type', { name: 7, supportedInterfaces: 'none' }],
  ])('%s: it is a candidate, and nothing follows from it', (_, card) => {
    const here = world();
    here.call({ url: `${HONEST}${CARD}` }, { body: card });
    here.call({ url: `${HONEST}/`, body: rpc('book') }, { body: task('t', 'COMPLETED') });
    const { records, refusals } = here.judged();
    expect(refusals).toEqual([]);
    expect(records.candidate_cards).toHaveLength(1);
    expect(records.endpoints).toEqual([]);
  });

  test.each([
    ['a failed fetch', { status: 404, body: '{}' }],
    ['an empty one', { body: '' }],
  ])('%s brings none', (_, answer) => {
    const here = world();
    here.call({ url: `${HONEST}${CARD}` }, answer);
    const { records } = here.judged();
    expect(records.candidate_cards).toEqual([]);
    expect(records.exchanges).toHaveLength(1);
  });
});

test('a skill that a message names is a request, never an execution', () => {
  const here = world();
  here.call({ url: `${HONEST}${CARD}` }, { body: honestText });
  const body = rpc('book', { metadata: { skillId: 'refund' }, parts: [{ data: { skill: 'plan' } }] });
  here.call({ url: `${HONEST}/`, body }, { body: task('t', 'COMPLETED') });
  const { records, findings } = here.judged();
  expect(records.capability_invocations.map(({ capability, basis }) => [capability, basis])).toEqual([
    ['refund', 'requested'],
    ['plan', 'requested'],
  ]);
  expect(findings).toEqual([]);
});

describe('a peer whose cards are after the time of the recorder', () => {
  const PEER = 'http://peer.example';
  const listing = (count: number) => {
    const here = world();
    const supportedInterfaces = Array.from({ length: count }, (_, at) => ({
      url: `${PEER}/${at}`,
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
    }));
    uses(here, PEER, cardOf('Peer', `${PEER}/`, { supportedInterfaces }), `${PEER}/${count - 1}`);
    return here.judged().records;
  };

  test('is held to so many interfaces, and that there are more is a gap', () => {
    const whole = listing(64);
    expect(whole.trace_metadata[0]?.gaps).toEqual([]);
    expect(whole.endpoints).toHaveLength(1);
    const cut = listing(65);
    const [gap] = cut.trace_metadata[0]?.gaps ?? [];
    expect(gap?.what).toContain('more than 64 interfaces');
    expect(cut.endpoints).toEqual([]);
  });

  test('makes no choice longer by another card each time', () => {
    const here = world();
    for (let version = 0; version < 260; version++)
      here.call(
        { url: `${PEER}${CARD}`, to: null },
        { body: cardOf('Peer', `${PEER}/${version}`, { version: `${version}` }) },
      );
    here.call({ url: `${PEER}/0`, body: rpc('hello') }, { body: task('t', 'COMPLETED') });
    here.call({ url: `${PEER}/259`, body: rpc('hello') }, { body: task('u', 'COMPLETED') });
    const { records, refusals } = here.judged();
    expect(refusals).toEqual([]);
    const [oldest, newest] = records.discovery_events;
    expect(oldest?.considered_card_ids).toHaveLength(257);
    expect(oldest?.considered_card_ids).toContain(oldest?.selected_card_id);
    expect(newest?.considered_card_ids).toHaveLength(256);
  });
});
