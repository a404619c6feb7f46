import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { COLLECTION_INFO, COLLECTIONS } from '../../src/evidence/collections.ts';
import { type Edit, edits, replaced } from '../support/edit.ts';
import { seal } from '../support/seal.ts';
import { runs } from '../support/thorough.ts';
import { base64, type Case, caseOf, expectAgreement } from './support/differential.ts';
import { documentOf, pairs } from './support/pairs.ts';
import { askOracle, describeWithPython } from './support/python.ts';

type Description = {
  readonly ids: readonly (readonly [string, string])[];
  readonly edges: JsonValue;
  readonly root: string;
  readonly capture_digest: string;
  readonly commitments_digest: string;
  readonly commitments: JsonValue;
};

/** After whatever a committed trace observed; the test key has no end. */
const LATER = { issued_at: '2999-01-01T00:00:00.000Z' };

/** Up to `limit` of every kind of single edit, spread evenly over the document. */
const sampledEdits = (root: JsonObject, limit: number): readonly Edit<JsonObject>[] => {
  const kinds = new Map<string, Edit<JsonObject>[]>();
  for (const edit of edits(root)) {
    const known = kinds.get(edit.kind);
    if (known === undefined) kinds.set(edit.kind, [edit]);
    else known.push(edit);
  }
  return [...kinds.values()].flatMap((all) => {
    const stride = Math.max(1, Math.ceil(all.length / limit));
    return all.filter((_, at) => at % stride === 0);
  });
};

const nameOf = (what: string, { kind, path }: Edit<JsonObject>): string => `${what} ${kind} ${path.join('/')}`;

for (const { name, files } of pairs()) {
  const perKind = name === 'built' ? runs(80, 30) : runs(12, 4);
  describeWithPython(`the pair ${name}`, () => {
    const bundle = documentOf(files.bundle, 'bundle');
    const receipt = documentOf(files.receipt, 'receipt');
    const body = receipt.body as JsonObject;

    test('is intact to both, with one set of ids, edges, leaves, root and digests', async () => {
      expect(await expectAgreement([{ name, ...files }])).toEqual({ intact: 1 });
      const [told] = await askOracle<Description>([{ describe: base64(files.bundle) }]);
      const ids = COLLECTIONS.flatMap((collection) =>
        (bundle[collection] as JsonObject[]).map((row) => [collection, row[COLLECTION_INFO[collection].id]]),
      );
      const byId = (bundle.edges as JsonObject[]).toSorted((a, b) => (a.edge_id! < b.edge_id! ? -1 : 1));
      expect(told!.ids).toEqual(ids);
      expect(told!.edges).toEqual(byId.map((edge) => ({ ...edge, metadata: { ...(edge.metadata as JsonObject) } })));
      expect(told!.root).toBe(body.incident_root);
      expect(told!.capture_digest).toBe(body.capture_digest);
      expect(told!.commitments_digest).toBe(body.commitments_digest);
      expect(told!.commitments).toEqual((receipt.commitments as JsonObject[]).map((entry) => ({ ...entry })));
    });

    test('with another incident expected is refused by both', async () => {
      expect(await expectAgreement([{ name, ...files, incident: 'another' }])).toEqual({ signature: 1 });
    });

    test('is refused by both at one step, naming the same rows, after any edit of bundle or receipt', async () => {
      const cases = [
        ...sampledEdits(bundle, perKind).map((edit) =>
          caseOf(nameOf('bundle', edit), edit.value, receipt, files.trust),
        ),
        ...sampledEdits(receipt, perKind).map((edit) =>
          caseOf(nameOf('receipt', edit), bundle, edit.value, files.trust),
        ),
      ];
      const { intact = 0, commitments } = await expectAgreement(cases);
      expect(cases.length).toBeGreaterThan(perKind * 4);
      expect(commitments).toBeGreaterThan(perKind);
      // An element swapped with an equal one is no edit.
      expect(intact).toBeLessThan(5);
    });

    test('edited and then signed again, is judged alike by shape and by edges', async () => {
      const cases = sampledEdits(bundle, perKind / 2).flatMap((edit): Case[] => {
        try {
          return [caseOf(nameOf('signed', edit), edit.value, seal(edit.value, LATER))];
        } catch (error) {
          if (error instanceof RangeError) return [];
          throw error;
        }
      });
      const { identifiers = 0, edges = 0 } = await expectAgreement(cases);
      expect(identifiers + edges).toBeGreaterThan(perKind / 3);
    });

    test('whose list of commitments is left out, is refused by both without a name', async () => {
      const bare = seal(bundle, { ...LATER, listCommitments: false });
      const edited = replaced(bundle, ['trace_metadata', 0, 'salt'], '0'.repeat(32));
      expect(await expectAgreement([caseOf('as it is', bundle, bare), caseOf('edited', edited, bare)])).toEqual({
        intact: 1,
        commitments: 1,
      });
    });
  });
}
