import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RecordOf } from '../../src/evidence/bundle.ts';
import { cardFields } from '../../src/evidence/wire/card.ts';
import { discovery } from '../../src/rules/discovery.ts';
import { ACME, at, by, type Card, EVIL, judge, pinned, said, selecting, URL } from './discovery-traces.ts';
import {
  body,
  expectAnchored,
  expectMinimal,
  expectNothingWithoutEdges,
  expectPath,
  findings,
  level,
  profile,
  shown,
  Trace,
  told,
} from './support.ts';

describe('a look-alike that was used', () => {
  test('is one finding, on the card, from the exchange over its endpoint', () => {
    const outcome = judge(selecting(EVIL));
    expect(told(outcome.statements)).toEqual(['AS_LOOKALIKE_CARD_USED card']);
    const [finding] = findings(outcome);
    expect(shown(finding?.path)).toEqual([
      'RuntimeExchange exchange',
      'ENDPOINT_SERVED_EXCHANGE',
      'SelectedEndpoint endpoint',
      'AGENTCARD_RESOLVES_TO_ENDPOINT',
      'AgentCardSnapshot.selected card',
    ]);
    expectPath(finding!);
    expect(finding?.explanation).toContain('9171 basis points (threshold 7500)');
    expect(finding?.explanation).toContain('https://evil.example/a2a');
  });

  test('rests on exactly these elements', () => {
    const [finding] = findings(judge(selecting(EVIL)));
    expect(shown(expectMinimal(discovery.judge, finding!, by())).toSorted()).toEqual([
      'AGENTCARD_RESOLVES_TO_ENDPOINT',
      'AgentCardSnapshot.selected card',
      'DISCOVERY_SELECTED_CARD',
      'DiscoveryEventEvidence choice',
      'ENDPOINT_SERVED_EXCHANGE',
      'RuntimeExchange exchange',
      'SelectedEndpoint endpoint',
    ]);
  });

  test('is INCONCLUSIVE without either anchor, and without edges at all', () => {
    expectAnchored(discovery.judge, selecting(EVIL), by(), [
      'DISCOVERY_SELECTED_CARD',
      'AGENTCARD_RESOLVES_TO_ENDPOINT',
    ]);
    expectNothingWithoutEdges(discovery.judge, selecting(EVIL), by());
  });

  test('is one finding however often it is selected', () => {
    const trace = selecting(EVIL).add('discovery_events', 'again', { selected_card_id: 'card' });
    expect(judge(trace).triggers).toBe(2);
    expect(told(judge(trace).statements)).toEqual(['AS_LOOKALIKE_CARD_USED card']);
  });

  test('that was never contacted is a warning', () => {
    expect(said(EVIL, null)).toEqual(['AS_LOOKALIKE_NOT_CONTACTED card']);
    expect(level(judge(selecting(EVIL, null)).statements[0]!)).toBe('warning');
  });

  test.each([
    [9171, 'AS_LOOKALIKE_CARD_USED card'],
    [9172, 'CARD_UNKNOWN card'],
  ])('at a threshold of %i basis points: %s', (similarity_threshold_bp, statement) => {
    expect(said(EVIL, {}, by({ similarity_threshold_bp }))).toEqual([statement]);
  });

  const rows = readFileSync(new globalThis.URL('../cases/names/cards.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^(#|name\t)/.test(line))
    .map((line) => line.split('\t') as [string, string, string, string, string]);
  test.each(rows)('%s of %s', (name, provider, skills, _bp, expected) => {
    const skill_ids = skills === '(none)' ? [] : skills.split(',');
    const card = { ...EVIL, name, provider_organization: provider === '(none)' ? null : provider, skill_ids };
    expect(said(card)).toEqual([expected === 'INDICATED' ? 'AS_LOOKALIKE_CARD_USED card' : 'CARD_UNKNOWN card']);
  });
});

describe('no finding', () => {
  test('the pinned card itself: nothing to say', () => {
    expect(judge(selecting(ACME))).toEqual({ triggers: 1, statements: [] });
  });

  const version = { ...ACME, raw: body('acme card, second version, signed') };
  test.each<[string, Card]>([
    ['a signed version bump', version],
    ['the extended card', { ...version, extended: true, skill_ids: ['book_flight', 'refund', 'admin'] }],
    ['a gateway origin that the profile lists', { ...version, interfaces: [at('https://gateway.example:8443/acme')] }],
  ])('%s: the pinned card changed', (_title, card) => {
    expect(said(card)).toEqual(['PINNED_CARD_CHANGED card']);
    expect(said(card, {}, by({ changed_card: 'strict' }))).toEqual(['PINNED_CARD_CHANGED_REFUSED card']);
    expect(said(card, null, by({ changed_card: 'strict' }))).toEqual([
      'PINNED_CARD_CHANGED card',
      'CARD_NOT_CONTACTED card',
    ]);
    const [refused] = findings(judge(selecting(card), by({ changed_card: 'strict' })));
    expectMinimal(discovery.judge, refused!, by({ changed_card: 'strict' }));
  });

  test('a card with one interface outside the allowed origins is no changed card', () => {
    const interfaces = [at(URL), at('https://evil.example/')];
    expect(said({ ...version, interfaces })).toEqual(['AS_LOOKALIKE_CARD_USED card']);
    expect(said({ ...version, interfaces: [] }, { url: URL })).toEqual([
      'AS_LOOKALIKE_CARD_USED card',
      'AS_ENDPOINT_NOT_IN_CARD card',
    ]);
  });

  test('allowed origins of two pinned agents do not add up', () => {
    const two = [
      { ...pinned, allowed_origins: ['https://agent.example'] },
      { ...pinned, allowed_origins: ['https://other.example'] },
    ];
    const interfaces = [at(URL), at('https://other.example/')];
    expect(said({ ...version, interfaces }, {}, by({ pinned_cards: two }))).toEqual(['AS_LOOKALIKE_CARD_USED card']);
  });

  const sibling = { ...EVIL, name: 'Acme Billing Agent', provider_organization: 'Acme Corp', skill_ids: ['invoice'] };
  test('a sibling product of the same provider: unknown, a finding only where the profile says so', () => {
    expect(said(sibling)).toEqual(['CARD_UNKNOWN card']);
    expect(said(sibling, {}, by({ unknown_card: 'finding' }))).toEqual(['CARD_UNKNOWN_REFUSED card']);
    expect(said(sibling, null, by({ unknown_card: 'finding' }))).toEqual([
      'CARD_UNKNOWN card',
      'CARD_NOT_CONTACTED card',
    ]);
    expect(judge(selecting(sibling)).statements[0]?.explanation).toContain('4857');
  });

  test('a trusted card that was never contacted: a note', () => {
    expect(said(ACME, null)).toEqual(['CARD_NOT_CONTACTED card']);
  });

  test('no pinned card, or no selected card: no trigger', () => {
    expect(judge(selecting(EVIL), profile())).toEqual({ triggers: 0, statements: [] });
    expect([discovery.applies?.(profile()), discovery.applies?.(by())]).toEqual([false, true]);
    expect(judge(new Trace().add('discovery_events', 'none'))).toEqual({ triggers: 0, statements: [] });
  });
});

describe('facts that were not seen', () => {
  const missing = (card: Card, exchange: Partial<RecordOf<'exchanges'>> | null = {}) => {
    const { statements } = judge(selecting(card, exchange));
    for (const statement of statements) expectMinimal(discovery.judge, statement, by());
    return statements.map(({ reason, missing }) => [reason, missing]);
  };

  test.each<[string, Card, readonly string[]]>([
    ['an empty card', { name: null, interfaces: null }, ['name', 'interfaces']],
    ['an empty card whose interfaces read as none', { name: null, interfaces: [] }, ['name', 'interfaces']],
    ['a name that is no string', { name: null, wire_issue: { name: 'wrong_type' } }, ['name']],
    ['two names', { name: null, wire_issue: { name: 'duplicate_name' } }, ['name']],
    ['no interfaces', { interfaces: null }, ['interfaces']],
  ])('%s: INCONCLUSIVE', (_title, fields, names) => {
    expect(missing({ ...EVIL, ...fields })).toEqual([['FACT_MISSING', names]]);
  });

  const cards = JSON.parse(
    readFileSync(new globalThis.URL('../cases/a2a/A7-cards.json', import.meta.url), 'utf8'),
  ) as Record<string, object | string>;
  test.each([
    ['empty', [['FACT_MISSING', ['name', 'interfaces']]]],
    ['name_number', [['FACT_MISSING', ['name']]]],
    ['two_names', [['FACT_MISSING', ['name']]]],
    ['v03', [['CARD_UNKNOWN', undefined]]],
    ['v10', [['CARD_UNKNOWN', undefined]]],
  ])('a card as received, %s', (name, expected) => {
    const card = cards[name]!;
    const raw = body(typeof card === 'string' ? card.slice('RAW '.length) : JSON.stringify(card));
    expect(missing({ raw, ...cardFields(raw) })).toEqual(expected);
  });

  test('a card trusted by digest needs no name, but its interfaces once it is used', () => {
    expect(missing({ ...ACME, name: null })).toEqual([]);
    expect(missing({ ...ACME, interfaces: null })).toEqual([['FACT_MISSING', ['interfaces']]]);
    expect(missing({ ...ACME, interfaces: null }, null)).toEqual([['CARD_NOT_CONTACTED', undefined]]);
  });

  test('no similarity on the edge: INCONCLUSIVE unless the name decides', () => {
    const bare = (card: Card) => {
      const trace = new Trace()
        .add('selected_cards', 'card', card)
        .add('discovery_events', 'choice', { selected_card_id: 'card' })
        .add('endpoints', 'endpoint', { card_id: 'card' })
        .add('exchanges', 'exchange', { endpoint_id: 'endpoint', url: 'https://evil.example/a2a' });
      return judge(trace).statements.map(({ reason, missing }) => [reason, missing]);
    };
    expect(bare(EVIL)).toEqual([['FACT_MISSING', ['similarity_bp']]]);
    expect(bare({ ...EVIL, name: 'ACME TRAVEL AGENT' })).toEqual([['AS_LOOKALIKE_CARD_USED', undefined]]);
  });
});
