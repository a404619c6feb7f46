import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { asJson, asObject, buildBundle, bundleOf, bytesOf } from '../support/bundle.ts';
import { at, edits, inserted, removed, replaced } from '../support/edit.ts';
import { records, sha256 } from '../support/records.ts';
import { resigned, seal, trustDocument, trustKey } from '../support/seal.ts';
import { type Case, caseOf, expectAgreement } from './support/differential.ts';
import { places } from './support/places.ts';
import { describeWithPython } from './support/python.ts';

const { trace_metadata, trusted_cards, candidate_cards, discovery_events } = records();
const EMPTY = Object.fromEntries(Object.keys(records()).map((collection) => [collection, []]));
const bundle = bundleOf({ ...EMPTY, trace_metadata, trusted_cards, candidate_cards, discovery_events });
const receipt = seal(bundle);

const AWKWARD: readonly JsonValue[] = [
  null,
  true,
  0,
  1,
  -1,
  2,
  9,
  Number.MAX_SAFE_INTEGER,
  '',
  'x',
  'a b',
  'x'.repeat(128),
  'x'.repeat(129),
  'signer-2',
  sha256('x'),
  sha256('x').toUpperCase(),
  `sha256:${sha256('x')}`,
  `sha256:${sha256('x').slice(1)}`,
  'Ed25519',
  'ed25519',
  'a2aft.receipt.v3',
  'a2aft.trust.v1',
  'active',
  'retired',
  'revoked',
  'compromise',
  'edges',
  '2026-01-01T00:00:00.000Z',
  '2026-03-01T11:00:00.000Z',
  '2027-01-01T00:00:00.000Z',
  '2026-01-01',
  '2026-13-01T00:00:00.000Z',
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  `${'A'.repeat(86)}==`,
  ...[[], ['x'], [[]], {}, { x: 1 }, [{ c: 'edges', i: null, h: sha256('x') }]].map((value) => asJson(value)),
];

describeWithPython('receipts', () => {
  test('of another form or content, signed again by the same key, are judged alike', async () => {
    const body = receipt.body as JsonObject;
    const cases = Object.keys(body).flatMap((member): Case[] => [
      ...AWKWARD.map((value, number) =>
        caseOf(`${member} = ${number}`, bundle, resigned(receipt, { [member]: value })),
      ),
      caseOf(`${member} removed`, bundle, resigned({ ...receipt, body: removed(body, [member]) }, {})),
      caseOf(`with ${member}_2`, bundle, resigned(receipt, { [`${member}_2`]: 'x' } as object)),
    ]);
    const { read, signature, commitments } = await expectAgreement(cases);
    expect(read).toBeGreaterThan(20);
    expect(signature).toBeGreaterThan(200);
    expect(commitments).toBeGreaterThan(20);
  });

  test('with another signature or list of commitments are judged alike', async () => {
    const cases = ['signature', 'commitments', 'note', 'constructor'].flatMap((member) =>
      AWKWARD.map((value, number) => caseOf(`${member} = ${number}`, bundle, { ...receipt, [member]: value })),
    );
    const entries = (at(receipt, ['commitments']) as JsonObject[]).flatMap((_, index) => {
      const here = ['commitments', index];
      return [
        ...['c', 'i', 'h'].flatMap((member) => AWKWARD.map((value) => replaced(receipt, [...here, member], value))),
        ...AWKWARD.map((value) => replaced(receipt, here, value)),
        replaced(receipt, [...here, 'note'], 'x'),
        removed(receipt, here),
        inserted(receipt, ['commitments'], index, at(receipt, here)),
      ];
    });
    const { signature, commitments } = await expectAgreement([
      ...cases,
      ...entries.map((edited, number) => caseOf(`entry edit ${number}`, bundle, edited)),
    ]);
    expect(signature).toBeGreaterThan(200);
    expect(commitments).toBeGreaterThan(50);
  });

  test('whose signed list is not Λ of the bundle are judged alike: the last leaf listed twice has the same root', async () => {
    const full = buildBundle();
    const sealedFull = seal(full);
    const list = at(sealedFull, ['commitments']) as JsonObject[];
    const lists = [list.slice(1), [...list, list.at(-1)!], list.toReversed(), [], list.slice(0, 1)];
    const cases = lists.flatMap((commitments, number) => {
      const again = { ...sealedFull, commitments };
      return [
        caseOf(`list ${number}`, full, again),
        caseOf(`list ${number}, counted`, full, resigned(again, { commitment_count: commitments.length })),
      ];
    });
    const twice = inserted(full, ['edges'], (full.edges as JsonValue[]).length, (full.edges as JsonValue[]).at(-1));
    expect(await expectAgreement([...cases, caseOf('an edge twice', full, sealedFull)])).toMatchObject({ intact: 1 });
    expect(await expectAgreement([caseOf('an edge twice', twice, sealedFull)])).toEqual({ commitments: 1 });
  });
});

describeWithPython('trust stores', () => {
  const withTrust = (name: string, document: unknown): Case => caseOf(name, bundle, receipt, bytesOf(document));

  test('are at fault alike after every edit, and with every awkward value', async () => {
    const keys = [
      trustKey(1, { valid_until: '2027-01-01T00:00:00.000Z' }),
      trustKey(2, { status: 'retired', valid_until: '2026-06-01T00:00:00.000Z' }),
      trustKey(3, { status: 'revoked', revoked_at: '2026-04-01T00:00:00.000Z', revocation_reason: 'superseded' }),
    ];
    const document = asObject(trustDocument(...keys));
    const other = asObject({ signer_id: 'signer-2', keys: [trustKey(4)] });
    const cases = [document, inserted(document, ['signers'], 1, other)].flatMap((root) => [
      withTrust('as it is', root),
      ...[...edits(root)].map(({ kind, path, value }) => withTrust(`${kind} ${path.join('/')}`, value)),
      ...[...places(root)].flatMap((path) =>
        AWKWARD.map((value, number) => withTrust(`${path.join('/')} = ${number}`, replaced(root, path, value))),
      ),
    ]);
    const { trust, intact } = await expectAgreement(cases);
    expect(trust).toBeGreaterThan(500);
    expect(intact).toBeGreaterThan(5);
  });

  test('accept a key alike in every status, at every side of every date', async () => {
    const ISSUED = ['2026-03-01T10:59:59.999Z', '2026-03-01T11:00:00.000Z', '2026-03-01T11:00:00.001Z'];
    const statuses = [
      { status: 'active' },
      { status: 'retired' },
      ...['compromise', 'superseded', 'cessation'].map((revocation_reason) => ({
        status: 'revoked',
        revocation_reason,
      })),
    ];
    const cases = statuses.flatMap((status) =>
      ISSUED.flatMap((valid_from) =>
        [...ISSUED, undefined].flatMap((valid_until) =>
          (status.status === 'revoked' ? ISSUED : [undefined]).map((revoked_at) => {
            const members = { ...status, valid_from, valid_until, revoked_at };
            return withTrust(JSON.stringify(members), trustDocument(trustKey(1, members)));
          }),
        ),
      ),
    );
    const { trust, signature, intact } = await expectAgreement(cases);
    expect(trust).toBe(3);
    expect(signature).toBeGreaterThan(80);
    expect(intact).toBeGreaterThan(10);
  });
});
