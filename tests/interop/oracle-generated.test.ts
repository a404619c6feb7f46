import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../../src/evidence/collections.ts';
import { OBSERVERS } from '../../src/evidence/fields.ts';
import { TASK_STATES } from '../../src/evidence/records/tasks.ts';
import { RELATIONS } from '../../src/evidence/relations.ts';
import { textOf } from '../base/arbitraries.ts';
import { bundleOf } from '../support/bundle.ts';
import { common, records } from '../support/records.ts';
import { seal } from '../support/seal.ts';
import { base64, caseOf, expectAgreement } from './support/differential.ts';
import { askOracle, describeWithPython } from './support/python.ts';

/** Ids that sort apart in bytes, as words and as numbers; the same ones in every collection, so that references hit. */
const IDS = ['a', 'A', '0', '10', '9', '-', '_', 'a.'];
const id = fc.constantFrom(...IDS);
const reference = fc.option(fc.oneof({ weight: 9, arbitrary: id }, { weight: 1, arbitrary: fc.constant('dangling') }));
const agent = fc.option(fc.constantFrom('Worker', 'worker', '-'));
const words = fc.oneof(
  textOf(6),
  fc.string({
    unit: fc.constantFrom('A', 'a', 'b', ' ', '_', '-', 'é', 'É', '\u{1f602}', 'İ', 'K', '9'),
    maxLength: 8,
  }),
);
const skills = fc.option(fc.array(fc.constantFrom('draw', 'Draw', 'sum', '', 'é'), { maxLength: 4 }));

/** What a reference or a derived edge reads of a record; every other member is as in the built bundle. */
const FIELDS: { readonly [C in Collection]: Readonly<Record<string, fc.Arbitrary<unknown>>> } = {
  trace_metadata: {},
  candidate_cards: card(),
  trusted_cards: card(),
  selected_cards: card(),
  endpoints: { card_id: reference },
  discovery_events: {
    considered_card_ids: fc.array(id, { maxLength: 5 }),
    trusted_card_ids: fc.array(id, { maxLength: 5 }),
    selected_card_id: reference,
  },
  exchanges: { endpoint_id: reference },
  capability_invocations: { exchange_id: reference, capability: fc.constantFrom('draw', 'Draw', 'sum', 'é') },
  routing_events: {
    exchange_id: reference,
    predecessor: fc.oneof(id, fc.constantFrom('root', 'unknown')),
    source_agent: fc.constantFrom('Worker', '\u{1f602}'),
  },
  task_transitions: {
    exchange_id: reference,
    agent,
    task_id: fc.option(fc.constantFrom('1', '2', '', '["')),
    state: fc.option(fc.constantFrom('input-required', 'auth-required', ...TASK_STATES)),
    previous_transition_id: reference,
  },
  task_load_snapshots: { endpoint_id: reference, agent },
  uri_references: { exchange_id: reference, artifact_record_id: reference },
  uri_dereferences: { reference_id: reference, redirect_of: reference },
  dereference_responses: { dereference_id: reference },
  artifacts: { exchange_id: reference, appends_to: reference },
  artifact_renders: { artifact_record_id: reference, sanitizer_id: reference },
  sanitizers: { artifact_record_id: reference },
};

function card() {
  return {
    name: fc.option(words),
    provider_organization: fc.option(words),
    skill_ids: skills,
    endpoint_id: reference,
    extended: fc.boolean(),
    attributes: fc.dictionary(textOf(4), textOf(4), { maxKeys: 3 }),
  };
}

const template = records();

const rowsOf = (collection: Collection): fc.Arbitrary<readonly object[]> =>
  fc
    .uniqueArray(
      fc.record({
        own: id,
        observer: fc.constantFrom('sdk-server', ...OBSERVERS),
        fields: fc.record(FIELDS[collection]),
      }),
      { selector: ({ own }) => own, minLength: 2, maxLength: 7 },
    )
    .map((rows) =>
      rows.map(({ own, observer, fields }) => ({
        ...template[collection][0],
        ...fields,
        observer,
        [COLLECTION_INFO[collection].id]: own,
      })),
    );

/** Random records of every collection, their sequence a random order over all of them with gaps. */
const generatedBundle: fc.Arbitrary<JsonObject> = fc
  .record(Object.fromEntries(COLLECTIONS.slice(1).map((collection) => [collection, rowsOf(collection)])))
  .chain((generated) => {
    const count = Object.values(generated).flat().length;
    const order = fc.shuffledSubarray(
      Array.from({ length: 2 * count }, (_, at) => at + 1),
      { minLength: count, maxLength: count },
    );
    return order.map((sequences) => {
      let next = 0;
      const ordered = Object.entries(generated).map(([collection, rows]) => [
        collection,
        (rows as object[]).map((row) => {
          const { observed_at, sequence, salt } = common(collection, sequences[next++]!);
          return { ...row, observed_at, sequence, salt };
        }),
      ]);
      return bundleOf({ trace_metadata: template.trace_metadata, ...Object.fromEntries(ordered) });
    });
  });

describeWithPython('generated bundles', () => {
  test('have one set of edges, one Λ and one root to both, and every relation occurs', async () => {
    const seed = fc.sample(fc.integer(), 1)[0]!;
    const bundles = fc.sample(generatedBundle, { numRuns: 120, seed });
    const receipts = bundles.map((bundle) => seal(bundle));
    const seen = new Map<string, number>();
    for (const { relation } of bundles.flatMap(({ edges }) => edges as { relation: string }[])) {
      seen.set(relation, (seen.get(relation) ?? 0) + 1);
    }
    expect(Object.keys(RELATIONS).filter((relation) => (seen.get(relation) ?? 0) < 5)).toEqual([]);

    const cases = bundles.map((bundle, at) => caseOf(`${at} of seed ${seed}`, bundle, receipts[at]!));
    const described = await askOracle<{
      edges: readonly { edge_id: string }[];
      root: string;
      commitments_digest: string;
    }>(cases.map(({ bundle }) => ({ describe: base64(bundle) })));
    const differing = bundles.flatMap((bundle, at) => {
      const { edges, root, commitments_digest } = described[at]!;
      const body = receipts[at]!.body as JsonObject;
      const plain = JSON.parse(JSON.stringify(bundle.edges)) as { edge_id: string }[];
      const ours = new Map(plain.map((edge) => [edge.edge_id, edge]));
      const theirs = new Map(edges.map((edge) => [edge.edge_id, edge]));
      const onlyOurs = plain.filter(({ edge_id }) => !theirs.has(edge_id));
      const onlyTheirs = edges.filter(({ edge_id }) => !ours.has(edge_id));
      const same = root === body.incident_root && commitments_digest === body.commitments_digest;
      return onlyOurs.length + onlyTheirs.length === 0 && same ? [] : [{ seed, at, onlyOurs, onlyTheirs, root, body }];
    });
    expect(differing.slice(0, 3)).toEqual([]);
    expect(await expectAgreement(cases)).toEqual({ intact: bundles.length });
  });

  test('declare a capability only by way of an endpoint that is a record', async () => {
    const declared = (endpoints: readonly object[]): JsonObject =>
      bundleOf({
        ...template,
        candidate_cards: [{ ...template.candidate_cards[0]!, endpoint_id: 'endpoint-worker' }],
        selected_cards: [],
        endpoints,
      });
    const bundles = [template.endpoints, []].map((endpoints) => declared(endpoints));
    const found = bundles.map(
      ({ edges }) =>
        (edges as { relation: string }[]).filter(({ relation }) => relation === 'AGENTCARD_DECLARES_CAPABILITY').length,
    );
    expect(found).toEqual([1, 0]);
    const cases = bundles.map((bundle, at) => caseOf(`endpoint ${at}`, bundle, seal(bundle)));
    expect(await expectAgreement(cases)).toEqual({ intact: 2 });
  });
});
