import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../../src/evidence/collections.ts';
import { asJson, asObject, buildBundle, bundleOf } from '../support/bundle.ts';
import { at, inserted, removed, replaced } from '../support/edit.ts';
import { records, sha256 } from '../support/records.ts';
import { seal } from '../support/seal.ts';
import { type Case, caseOf, expectAgreement } from './support/differential.ts';
import { places } from './support/places.ts';
import { describeWithPython } from './support/python.ts';

const HEX = sha256('x');
const BODY = records().sanitizers[0]!.output;

/** Values on both sides of every bound that a table of section 9 states. */
const AWKWARD: readonly JsonValue[] = [
  null,
  true,
  false,
  -1,
  0,
  1,
  99,
  100,
  999,
  1000,
  Number.MAX_SAFE_INTEGER,
  '',
  'x',
  'root',
  'unknown',
  'a b',
  'é',
  'x\n',
  'x'.repeat(128),
  'x'.repeat(129),
  'agent:1._-',
  HEX,
  HEX.toUpperCase(),
  HEX.slice(0, 32),
  HEX.slice(0, 31),
  `${HEX.slice(0, 32)}\n`,
  `${HEX}\n`,
  '2026-03-01T10:00:00.000Z',
  '2026-02-29T10:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '2026-03-01T10:00:00.000Z\n',
  'JSONRPC',
  'jsonrpc',
  'GRPC',
  'complete',
  'aborted',
  'recovered',
  'ok',
  'working',
  'text',
  'data',
  'source',
  'utf8',
  'sdk-server',
  'executed',
  'request',
  'message',
  'connected',
  'url',
  'async_context',
  'task_artifact',
  'base64',
  [],
  ['x'],
  [''],
  [1],
  [null],
  ['x', 'x'],
  ['x'.repeat(129)],
  [['content-type', 'x']],
  [['Content-Type', 'x']],
  [['location', '']],
  [['location']],
  [['location', 'x', 'x']],
  [['cookie', 'x']],
  [['location', 1]],
  Array.from({ length: 256 }, () => 'x'),
  Array.from({ length: 257 }, () => 'x'),
  Array.from({ length: 257 }, () => asObject({ name: 'x', version: 'x' })),
  ...[
    {},
    { x: 'y' },
    { x: 1 },
    { name: 'truncated' },
    { raw: 'unparsable', request: 'duplicate_name' },
    { name: null },
    { constructor: 'truncated' },
    { constructor: 'x', value_of: 1 },
    { name: ['truncated'] },
    BODY,
    { ...BODY, truncated: 1 },
    { ...BODY, truncated: -1 },
    { ...BODY, encoding: 'utf-8' },
    { ...BODY, note: 'x' },
    { ...BODY, size: '1' },
    { host: 'x', address: 'y' },
    { host: 'x', address: null },
    { host: 'x' },
    { host: 'x', address: 'y', port: 1 },
  ].map((value) => asObject(value)),
  ...[
    [{ name: 'x', version: '' }],
    [{ name: 'x' }],
    [{ what: 'x', count: 0 }],
    [{ what: '', count: 0 }],
    [{ what: 'x', count: -1 }],
    [{ at: '2026-03-01T10:00:00.000Z', what: '' }],
    [{ at: 'now', what: '' }],
    [{ url: '', protocol: null, protocol_version: '', stated_in: 'url' }],
    [{ url: '', protocol: 'x', protocol_version: null, stated_in: 'card' }],
    [{ url: '', protocol: 'x', protocol_version: null }],
  ].map((value) => asJson(value)),
];

const kindOf = (value: JsonValue): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** One value of each kind: a member of another kind is refused whatever the value. */
const KINDS = AWKWARD.filter((value, at) => AWKWARD.findIndex((one) => kindOf(one) === kindOf(value)) === at);

/** What is tried in place of a value, with its number: everything of its kind and one of each other; all, where nothing tells the kind. */
const insteadOf = (present: JsonValue): readonly (readonly [number, JsonValue])[] =>
  [...AWKWARD.entries()].filter(
    ([, value]) => present === null || kindOf(value) === kindOf(present) || KINDS.includes(value),
  );

const EMPTY = Object.fromEntries(COLLECTIONS.map((collection) => [collection, []]));

/** A bundle of one TraceMetadata and the first record of a collection: small, so that thousands can be asked about. */
const alone = (collection: Collection): JsonObject => {
  const { trace_metadata, [collection]: rows } = records();
  return bundleOf({ ...EMPTY, trace_metadata, [collection]: [rows[0]] });
};

const signed = (name: string, bundle: JsonObject): readonly Case[] => {
  try {
    return [caseOf(name, bundle, seal(bundle, { listCommitments: false }))];
  } catch (error) {
    // A TraceMetadata that names no incident cannot be sealed at all.
    if (error instanceof RangeError) return [];
    throw error;
  }
};

const isNode = (value: JsonValue): value is JsonObject | JsonValue[] => typeof value === 'object' && value !== null;

/** The three roles of a card share one type. */
const TYPED = COLLECTIONS.filter((collection) => !['trusted_cards', 'selected_cards'].includes(collection));
const COMMON = ['observed_at', 'sequence', 'observer', 'salt', 'attributes'];

describeWithPython('the tables of section 9', () => {
  test.each(TYPED)('bound %s as our schema does, member for member', async (collection) => {
    const bundle = alone(collection);
    const row = at(bundle, [collection, 0]);
    const cases: Case[] = [];
    for (const path of places(row)) {
      // The members of every record are tried in one collection, those of every body in another.
      if (COMMON.includes(String(path[0])) && collection !== 'endpoints') continue;
      if (Object.hasOwn(BODY, path.at(-1)!) && path.length > 1 && collection !== 'sanitizers') continue;
      const name = path.join('/');
      const here = [collection, 0, ...path];
      const value = at(bundle, here);
      for (const [number, other] of insteadOf(value)) {
        cases.push(...signed(`${name} = ${number}`, replaced(bundle, here, other)));
      }
      if (path.length > 0) cases.push(...signed(`${name} removed`, removed(bundle, here)));
      if (isNode(value) && !Array.isArray(value)) {
        for (const member of ['note', 'constructor']) {
          cases.push(...signed(`${name} with ${member}`, replaced(bundle, [...here, member], 'x')));
        }
      }
    }
    const { intact, identifiers } = await expectAgreement(cases);
    expect(intact).toBeGreaterThan(0);
    expect(identifiers).toBeGreaterThan(AWKWARD.length / 2);
  });

  test('and rows that clash in id, sequence, card content or time name one row to both', async () => {
    const bundle = buildBundle();
    const cases = COLLECTIONS.flatMap((collection) => {
      const first = at(bundle, [collection, 0]) as JsonObject;
      const another = { ...first, [COLLECTION_INFO[collection].id]: 'another' };
      return [
        ...signed(`${collection} twice`, inserted(bundle, [collection], 1, first)),
        ...signed(
          `${collection} again with another sequence`,
          inserted(bundle, [collection], 1, { ...first, sequence: 900 }),
        ),
        ...signed(`${collection} with the sequence of the first`, inserted(bundle, [collection], 0, another)),
        ...signed(`${collection} and another`, inserted(bundle, [collection], 0, { ...another, sequence: 901 })),
        ...signed(`${collection} with no row`, replaced(bundle, [collection], [])),
        ...signed(`${collection} of another kind`, replaced(bundle, [collection], asObject({}))),
        ...signed(
          `${collection} after the receipt`,
          replaced(bundle, [collection, 0, 'observed_at'], '2026-03-01T11:00:00.001Z'),
        ),
        ...signed(
          `${collection} at the receipt`,
          replaced(bundle, [collection, 0, 'observed_at'], '2026-03-01T11:00:00.000Z'),
        ),
        ...signed(
          `${collection} with another card`,
          replaced(replaced(bundle, [collection, 0, 'raw'], asObject(BODY)), [collection, 0, 'card_id'], 'card-worker'),
        ),
      ];
    });
    const { identifiers } = await expectAgreement(cases);
    expect(identifiers).toBeGreaterThan(60);
  });

  test('and edges of other shape or content are refused alike', async () => {
    const { trace_metadata, candidate_cards, trusted_cards, discovery_events } = records();
    const bundle = bundleOf({ ...EMPTY, trace_metadata, candidate_cards, trusted_cards, discovery_events });
    const edges = bundle.edges as JsonObject[];
    const oneOfEach = edges.filter(
      ({ relation }, index) => edges.findIndex((edge) => edge.relation === relation) === index,
    );
    const cases = oneOfEach.flatMap((edge) =>
      [...places(edge)].flatMap((path) => {
        const here = ['edges', edges.indexOf(edge), ...path];
        return insteadOf(at(bundle, here)).flatMap(([number, value]) =>
          signed(`edge ${path.join('/')} = ${number}`, replaced(bundle, here, value)),
        );
      }),
    );
    const agreed = await expectAgreement([
      ...cases,
      ...signed('edge with a member', replaced(bundle, ['edges', 0, 'note'], 'x')),
      ...signed('metadata with a member', replaced(bundle, ['edges', 0, 'metadata', 'constructor'], 'x')),
    ]);
    expect(agreed.identifiers).toBeGreaterThan(80);
    expect(agreed.edges).toBeGreaterThan(50);
  });
});
