import { createHash } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { CARD, cardOf, profileWith, rpc, task } from '../capture/wire/world.ts';
import { JSON_HEADERS, post, send } from './http.ts';
import { closeAll, openProxies, serve } from './lab.ts';

afterEach(closeAll);

/** An agent whose card is what `cardAt` makes of its origin; gives card and origin. */
const agent = async (cardAt: (origin: string) => object) => {
  let card = '';
  const origin = await serve((request, response) => {
    const answer = request.url === CARD ? card : JSON.stringify(task('t-1', 'COMPLETED', 'done'));
    response.writeHead(200, JSON_HEADERS).end(answer);
  });
  card = JSON.stringify(cardAt(origin), null, 2);
  return { origin, card: Buffer.from(card) };
};
const pinning = (name: string, card: Buffer) => {
  const sha256 = createHash('sha256').update(card).digest('hex');
  const profile = profileWith({ as: { pinned_cards: [{ name, sha256, allowed_origins: [] }] } });
  return { profile, pinned: new Set([sha256]), trusted: [card] };
};
/** What a client does: it reads the card and sends where this says. */
const use = async (proxy: string): Promise<void> => {
  const card = (await (await fetch(`${proxy}${CARD}`)).json()) as { supportedInterfaces: { url: string }[] };
  expect(new URL(card.supportedInterfaces[0]!.url).port).toBe(new URL(proxy).port);
  await (await post(card.supportedInterfaces[0]!.url, rpc('hello'))).text();
};

test.each(['127.0.0.1', 'localhost'])(
  'an honest agent that is pinned gives no finding behind the proxy: its card names %s',
  async (host) => {
    const honest = await agent((origin) => cardOf('Acme Travel Agent', `${origin.replace('127.0.0.1', host)}/rpc`));
    const lab = await openProxies([honest.origin], pinning('Acme Travel Agent', honest.card));
    await use(lab.at[0]!);
    const { findings, status, records, verdict } = await lab.judged();
    expect(findings).toEqual([]);
    expect(status('AS')).toBe('CONSISTENT');
    expect(verdict).toBe('FORENSICALLY_CONSISTENT');
    expect(records.discovery_events).toMatchObject([
      { observer: 'proxy', client_agent: null, trusted_card_ids: [records.trusted_cards[0]!.card_id] },
    ]);
  },
);

test('a lookalike of it gives one', async () => {
  const honest = await agent((origin) => cardOf('Acme Travel Agent', `${origin}/rpc`));
  const fake = await agent((origin) => cardOf('Аcme Travel Agent', `${origin}/rpc`));
  const lab = await openProxies([fake.origin], pinning('Acme Travel Agent', honest.card));
  await use(lab.at[0]!);
  const { findings, records } = await lab.judged();
  expect(findings).toEqual([`AS_LOOKALIKE_CARD_USED ${records.selected_cards[0]!.card_id}`]);
  expect(records.exchanges.at(-1)).toMatchObject({
    url: `${fake.origin}/rpc`,
    endpoint_id: records.endpoints[0]!.endpoint_id,
  });
});

test('a card that another server of the trace gave: its traffic follows through the proxy before that server', async () => {
  const honest = await agent((origin) => cardOf('Acme Travel Agent', `${origin}/rpc`));
  const gateway = await agent(() => cardOf('Acme Travel Agent', `${honest.origin}/rpc`));
  const lab = await openProxies([gateway.origin, honest.origin]);
  const card = (await (await fetch(`${lab.at[0]}${CARD}`)).json()) as { supportedInterfaces: { url: string }[] };
  expect(card.supportedInterfaces[0]!.url).toBe(`${lab.at[1]}/rpc`);
  await (await post(card.supportedInterfaces[0]!.url, rpc('hello'))).text();
  const { records } = await lab.judged();
  expect(records.exchanges.map(({ url }) => url)).toEqual([`${gateway.origin}${CARD}`, `${honest.origin}/rpc`]);
});

test('a client that names another proxy as its host is recorded where it was served', async () => {
  const one = await agent((origin) => cardOf('One', `${origin}/rpc`));
  const other = await agent((origin) => cardOf('Other', `${origin.replace('127.0.0.1', 'localhost')}/rpc`));
  const lab = await openProxies([one.origin, other.origin]);
  await use(lab.at[1]!);
  const headers = { ...JSON_HEADERS, host: new URL(lab.at[1]!).host.replace('127.0.0.1', 'localhost') };
  await send(`${lab.at[0]}/rpc`, { method: 'POST', headers }, (asked) => asked.end(JSON.stringify(rpc('hello'))));
  const { records } = await lab.judged();
  expect(records.exchanges.at(-1)).toMatchObject({ url: `${one.origin}/rpc` });
});
