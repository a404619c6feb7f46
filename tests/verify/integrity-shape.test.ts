import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { BUNDLE_MEMBERS } from '../../src/evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS } from '../../src/evidence/collections.ts';
import { LISTED } from '../../src/verify/refusals.ts';
import { asObject, buildBundle, bundleOf } from '../support/bundle.ts';
import { type Checked, check, told } from '../support/check.ts';
import { at, inserted, type Path, removed, replaced } from '../support/edit.ts';
import { records, sha256 } from '../support/records.ts';
import { seal } from '../support/seal.ts';

const bundle = buildBundle();
/** As the signer of a malformed bundle would: the signature and every commitment are right. */
const signedAsItIs = (malformed: JsonObject): Checked => check(malformed, seal(malformed, { listCommitments: false }));

const refusedFor = (checked: Checked, stage: string): readonly string[] => {
  expect(checked.stage).toBe(stage);
  return told(checked);
};

describe('members of the bundle', () => {
  const lists = BUNDLE_MEMBERS.filter((name) => !['format', 'profile_version', 'trace_metadata'].includes(name));
  test.each(lists)('%s missing, null, an object', (name) => {
    expect(refusedFor(signedAsItIs(removed(bundle, [name])), 'identifiers')).toContain(`MEMBER_MISSING /${name}`);
    for (const value of [null, asObject({}), 'x']) {
      const refused = refusedFor(signedAsItIs(replaced(bundle, [name], value)), 'identifiers');
      expect(refused).toContain(`MEMBER_WRONG_TYPE /${name}`);
    }
  });
  test('an unknown one, and another profile_version', () => {
    expect(refusedFor(signedAsItIs({ ...bundle, note: 1 }), 'identifiers')).toEqual(['MEMBER_UNKNOWN /note']);
    expect(refusedFor(signedAsItIs(replaced(bundle, ['profile_version'], 3)), 'identifiers')).toEqual([
      'MEMBER_WRONG_VALUE /profile_version',
    ]);
    expect(refusedFor(signedAsItIs(removed(bundle, ['profile_version'])), 'identifiers')).toEqual([
      'MEMBER_MISSING /profile_version',
    ]);
  });
  test('a second TraceMetadata', () => {
    const [first] = bundle.trace_metadata as JsonObject[];
    const second = { ...first!, trace_id: 'trace-2', sequence: 1000 };
    expect(refusedFor(signedAsItIs(inserted(bundle, ['trace_metadata'], 1, second)), 'identifiers')).toEqual([
      'TRACE_METADATA_NOT_ONE /trace_metadata',
    ]);
  });
});

describe.each(COLLECTIONS)('a record of %s', (collection) => {
  const id = (at(bundle, [collection, 0]) as JsonObject)[COLLECTION_INFO[collection].id] as string;
  const idMember = COLLECTION_INFO[collection].id;
  const row = (path: Path, value: unknown) => signedAsItIs(replaced(bundle, [collection, 0, ...path], value));

  test('each member but attributes is required', () => {
    // Without these the receipt could not be sealed, or is refused a step earlier.
    const named = ['incident_id', 'profile_id', 'capture_backend'];
    for (const member of Object.keys(at(bundle, [collection, 0]) as JsonObject)) {
      if (member === 'attributes' || named.includes(member)) continue;
      const checked = signedAsItIs(removed(bundle, [collection, 0, member]));
      const reason = member === idMember ? `ID_MISSING ${collection} null` : `MEMBER_MISSING ${collection} ${id}`;
      expect(refusedFor(checked, 'identifiers')).toEqual([reason]);
      expect(checked.refusals[0]!.at.pointer).toBe(`/${collection}/0/${member}`);
    }
  });
  test('an unknown member, a wrong type, a day that does not exist, capitals in hex, attributes that are text', () => {
    expect(refusedFor(row(['note'], 'x'), 'identifiers')).toEqual([`MEMBER_UNKNOWN ${collection} ${id}`]);
    expect(refusedFor(row(['sequence'], '1'), 'identifiers')).toEqual([`MEMBER_WRONG_TYPE ${collection} ${id}`]);
    expect(refusedFor(row(['observed_at'], '2026-02-30T00:00:00.000Z'), 'identifiers')).toEqual([
      `MEMBER_WRONG_VALUE ${collection} ${id}`,
    ]);
    expect(refusedFor(row(['salt'], 'A'.repeat(32)), 'identifiers')).toEqual([
      `MEMBER_WRONG_VALUE ${collection} ${id}`,
    ]);
    expect(refusedFor(row(['attributes'], 'x'), 'identifiers')).toEqual([`MEMBER_WRONG_VALUE ${collection} ${id}`]);
  });
  test('no record at all', () => {
    for (const value of [null, 1, 'x', []]) {
      const malformed = inserted(bundle, [collection], 1, value);
      expect(refusedFor(signedAsItIs(malformed), 'identifiers')).toContain(`MEMBER_WRONG_TYPE ${collection} null`);
    }
  });
  test('an id outside the grammar or of another type', () => {
    for (const value of ['', 'a b', 'é', 'x'.repeat(129), 'x\n']) {
      expect(refusedFor(row([idMember], value), 'identifiers')).toContain(`ID_MALFORMED ${collection} ${value}`);
    }
    expect(refusedFor(row([idMember], 7), 'identifiers')).toContain(`ID_MALFORMED ${collection} null`);
  });
  test('the same record twice, and another under its id', () => {
    const first = at(bundle, [collection, 0]) as JsonObject;
    for (const second of [first, { ...first, sequence: 1000 }]) {
      expect(refusedFor(signedAsItIs(inserted(bundle, [collection], 1, second)), 'identifiers')).toContain(
        `ID_USED_TWICE ${collection} ${id}`,
      );
    }
  });
});

test('a routing step may not be called root or unknown', () => {
  for (const word of ['root', 'unknown']) {
    const refused = refusedFor(
      signedAsItIs(replaced(bundle, ['routing_events', 0, 'routing_id'], word)),
      'identifiers',
    );
    expect(refused).toEqual([`ID_MALFORMED routing_events ${word}`]);
  }
});

test('a sequence used twice over two collections names both; gaps and a great one are allowed', () => {
  const twice = signedAsItIs(replaced(bundle, ['sanitizers', 0, 'sequence'], 0));
  expect(refusedFor(twice, 'identifiers')).toEqual(['SEQUENCE_USED_TWICE sanitizers sanitizer-1']);
  expect(twice.refusals[0]!.detail).toContain('trace_metadata trace-1');
  const gap = signedAsItIs(replaced(bundle, ['sanitizers', 0, 'sequence'], Number.MAX_SAFE_INTEGER));
  expect(gap.stage).toBe('intact');
  expect(refusedFor(signedAsItIs(replaced(bundle, ['sanitizers', 0, 'sequence'], -1)), 'identifiers')).toEqual([
    'MEMBER_WRONG_VALUE sanitizers sanitizer-1',
  ]);
});

test('one card id in two roles has one content', () => {
  const conflict = signedAsItIs(replaced(bundle, ['selected_cards', 0, 'raw', 'sha256'], sha256('another card')));
  expect(refusedFor(conflict, 'identifiers')).toEqual(['CARD_ROLE_CONFLICT selected_cards card-worker']);
});

test('free attributes are kept as they were committed, __proto__ included', () => {
  const { intact } = check(bundle, seal(bundle));
  const [card] = intact!.records.candidate_cards;
  expect(Object.entries(card!.attributes!)).toEqual([
    ['__proto__', 'a'],
    ['Free Name', 'b'],
  ]);
});

test('what is handed on is deep-frozen, and has the 17 collections and nothing else', () => {
  const isFrozen = (value: unknown): boolean =>
    typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
  const { intact } = check(bundle, seal(bundle));
  expect(isFrozen(intact!.records)).toBe(true);
  expect(isFrozen(intact!.edges)).toBe(true);
  expect(Object.keys(intact!.records)).toEqual([...COLLECTIONS]);
  expect(intact!.receipt.incident_id).toBe('incident-1');
  expect(intact!.key.signer_id).toBe('signer-1');
});

test('many faults are listed as far as they go, and a number', () => {
  const rows = Array.from({ length: LISTED + 200 }, () => null as JsonValue);
  const { refusals } = signedAsItIs(replaced(bundle, ['endpoints'], rows));
  expect(refusals).toHaveLength(LISTED + 1);
  expect(refusals[LISTED]).toMatchObject({ reason: 'REFUSALS_NOT_LISTED', detail: '200 more than the 10000 listed' });
});

describe('edges that do not follow from the records', () => {
  const edges = bundle.edges as (JsonObject & { edge_id: string })[];
  const first = edges[0]!;
  test('each one missing is named', () => {
    for (const [index, edge] of edges.entries()) {
      const refused = refusedFor(signedAsItIs(removed(bundle, ['edges', index])), 'edges');
      expect(refused).toEqual([`EDGE_MISSING edges ${edge.edge_id}`]);
    }
  });
  test('each one with another end, under its id', () => {
    for (const [index, edge] of edges.entries()) {
      const refused = refusedFor(signedAsItIs(replaced(bundle, ['edges', index, 'source_id'], 'another')), 'edges');
      expect(refused).toEqual([`EDGE_DIFFERS edges ${edge.edge_id}`]);
    }
  });
  test('one too many', () => {
    const extra = { ...first, source_id: 'another', edge_id: '0'.repeat(24) };
    expect(refusedFor(signedAsItIs(inserted(bundle, ['edges'], 0, extra)), 'edges')).toEqual([
      `EDGE_NOT_DERIVED edges ${'0'.repeat(24)}`,
    ]);
  });
  test('one twice, of an unknown relation, with an unknown member, with nested metadata, of no id', () => {
    const id = first.edge_id;
    const edge = (path: Path, value: unknown) =>
      refusedFor(signedAsItIs(replaced(bundle, ['edges', 0, ...path], value)), 'identifiers');
    expect(refusedFor(signedAsItIs(inserted(bundle, ['edges'], 1, first)), 'identifiers')).toEqual([
      `ID_USED_TWICE edges ${id}`,
    ]);
    expect(edge(['relation'], 'EXCHANGE_LIKED')).toEqual([`MEMBER_WRONG_VALUE edges ${id}`]);
    expect(edge(['note'], 'x')).toEqual([`MEMBER_UNKNOWN edges ${id}`]);
    expect(edge(['metadata', 'slot'], asObject({}))).toEqual([`MEMBER_WRONG_TYPE edges ${id}`]);
    expect(edge(['edge_id'], id.toUpperCase())).toEqual([`ID_MALFORMED edges ${id.toUpperCase()}`]);
    expect(edge([], removed(first, ['edge_id']))).toEqual(['ID_MISSING edges null']);
  });
  test('metadata of another value', () => {
    const index = edges.findIndex(({ relation }) => relation === 'TASK_OCCUPIES_SLOT');
    expect(refusedFor(signedAsItIs(replaced(bundle, ['edges', index, 'metadata', 'slot'], 1)), 'edges')).toEqual([
      `EDGE_DIFFERS edges ${edges[index]!.edge_id}`,
    ]);
  });
  test('a joining field changed: the old edge is too many, the new one missing', () => {
    const other = bundleOf({
      ...records(),
      sanitizers: [{ ...records().sanitizers[0]!, artifact_record_id: 'artifact-1' }],
    });
    const moved = { ...other, edges: bundle.edges! };
    expect(refusedFor(signedAsItIs(moved), 'edges').map((line) => line.split(' ')[0])).toEqual([
      'EDGE_NOT_DERIVED',
      'EDGE_MISSING',
    ]);
  });
});
