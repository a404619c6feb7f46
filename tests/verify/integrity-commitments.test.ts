import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import type { Commitment } from '../../src/seal/commitments.ts';
import { commitmentsDigest } from '../../src/seal/digests.ts';
import { merkleRoot } from '../../src/seal/merkle.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { LISTED } from '../../src/verify/refusals.ts';
import { asObject, buildBundle, bundleOf } from '../support/bundle.ts';
import { check, told } from '../support/check.ts';
import { at, inserted, removed, replaced } from '../support/edit.ts';
import { common, records } from '../support/records.ts';
import { resigned, seal } from '../support/seal.ts';

const bundle = buildBundle();
const receipt = seal(bundle);

test('an attribute named __proto__ changed after signing is named', () => {
  const path = ['candidate_cards', 0, 'attributes', '__proto__'];
  expect(at(bundle, path)).toBe('a');
  const checked = check(replaced(bundle, path, 'b'), receipt);
  expect(told(checked)).toContain('RECORD_ALTERED candidate_cards card-worker');
  expect(told(check(removed(bundle, path), receipt))).toContain('RECORD_ALTERED candidate_cards card-worker');
});

test('absent attributes and empty ones differ', () => {
  expect(told(check(removed(bundle, ['trusted_cards', 0, 'attributes']), receipt))).toContain(
    'RECORD_ALTERED trusted_cards card-worker',
  );
});

test('without a list of commitments a change is refused and said not to be localisable', () => {
  const checked = check(replaced(bundle, ['exchanges', 0, 'status'], 500), seal(bundle, { listCommitments: false }));
  expect(told(checked)).toEqual(['CAPTURE_DIGEST_MISMATCH ', 'INCIDENT_ROOT_MISMATCH /body/incident_root']);
  const digest = checked.refusals.find(({ reason }) => reason === 'CAPTURE_DIGEST_MISMATCH');
  expect(digest?.detail).toContain('cannot be localised');
});

test('a list that is not the signed one may not say where a change is', () => {
  const edited = replaced(receipt, ['commitments', 6, 'h'], '0'.repeat(64));
  const checked = check(replaced(bundle, ['exchanges', 0, 'status'], 500), edited);
  expect(told(checked).filter((line) => /RECORD|EDGE/.test(line))).toEqual([]);
  const digest = checked.refusals.find(({ reason }) => reason === 'CAPTURE_DIGEST_MISMATCH');
  expect(digest?.detail).toContain('cannot be localised');
});

test('a signed list with two labels changed round is refused by the labels', () => {
  const list = receipt.commitments as { c: string; i: string; h: string }[];
  const [a, b] = [list.findIndex(({ i }) => i === 'exchange-1'), list.findIndex(({ i }) => i === 'exchange-2')];
  const labelled = list.with(a, { ...list[b]!, h: list[a]!.h }).with(b, { ...list[a]!, h: list[b]!.h });
  const commitments = asObject({ commitments: labelled }).commitments as JsonValue[];
  const digest = commitmentsDigest(commitments as unknown as Commitment[], nativeCrypto);
  const checked = check(bundle, resigned({ ...receipt, commitments }, { commitments_digest: digest }));
  expect(told(checked)).toEqual(['RECORD_ALTERED exchanges exchange-1', 'RECORD_ALTERED exchanges exchange-2']);
});

describe('outside the records', () => {
  const rows = at(bundle, ['exchanges']) as JsonValue[];
  test.each([
    ['a list in another order', replaced(bundle, ['exchanges'], rows.toReversed()), 'REORDERED', 'reordered'],
    [
      'edges in another order',
      replaced(bundle, ['edges'], (bundle.edges as JsonValue[]).toReversed()),
      'REORDERED',
      'reordered',
    ],
    [
      'another profile_version',
      replaced(bundle, ['profile_version'], '4'),
      'ALTERED_OUTSIDE_RECORDS',
      'altered-outside-records',
    ],
    ['another member', { ...bundle, note: 'x' }, 'ALTERED_OUTSIDE_RECORDS', 'altered-outside-records'],
  ])('%s', (_, changed, reason, word) => {
    const checked = check(changed as JsonObject, receipt);
    expect(checked.stage).toBe('commitments');
    expect(told(checked)).toEqual(['CAPTURE_DIGEST_MISMATCH ', `${reason} `]);
    expect(checked.refusals[1]!.detail).toMatch(new RegExp(`^${word}\\b`));
  });
  test('an empty collection that became no list, or is gone', () => {
    const sparse = bundleOf({ ...records(), sanitizers: [], artifact_renders: [] });
    const sealedSparse = seal(sparse);
    for (const changed of [replaced(sparse, ['sanitizers'], null), removed(sparse, ['sanitizers'])]) {
      expect(told(check(changed, sealedSparse))).toEqual(['CAPTURE_DIGEST_MISMATCH ', 'ALTERED_OUTSIDE_RECORDS ']);
    }
  });
});

/** A trace of `count` commitments, none of them an edge: metadata and sanitizer runs. */
const flat = (count: number): JsonObject => {
  const empty = Object.fromEntries(Object.keys(records()).map((name) => [name, [] as object[]]));
  const run = (at: number) => ({
    sanitizer_id: `sanitizer-${at}`,
    ...common(`sanitizer-${at}`, at),
    artifact_record_id: null,
    name: 'escape',
    version: null,
    applied: false,
    input_sha256: null,
    output: null,
  });
  const sanitizers = Array.from({ length: count - 1 }, (_, at) => run(at + 1));
  return bundleOf({ ...empty, trace_metadata: records().trace_metadata, sanitizers });
};

// E9: johnhenry/raijin#21, spesmilo/electrum#10568 (CVE-2012-2459).
describe.each([3, 5, 6, 7])('%i commitments and one repeated', (count) => {
  const honest = flat(count);
  const signed = seal(honest);
  const last = (honest.sanitizers as JsonObject[]).at(-1)!;
  const id = `sanitizer-${count - 1}`;
  const repeated = inserted(honest, ['sanitizers'], count - 1, last);

  test('the honest bundle verifies', () => expect(check(honest, signed).stage).toBe('intact'));
  test('the last record again under its own id', () => {
    const checked = check(repeated, signed);
    expect(told(checked)).toContain('COMMITMENT_COUNT_MISMATCH /body/commitment_count');
    expect(told(checked)).toContain(`RECORD_INSERTED sanitizers ${id}`);
    expect(told(checked).includes('INCIDENT_ROOT_MISMATCH /body/incident_root')).toBe(count % 2 === 0);
    expect(told(check(repeated, seal(repeated)))).toEqual([`COMMITMENT_LISTED_TWICE sanitizers ${id}`]);
    expect(told(check(repeated, seal(repeated, { listCommitments: false })))).toEqual([
      `ID_USED_TWICE sanitizers ${id}`,
      `SEQUENCE_USED_TWICE sanitizers ${id}`,
    ]);
  });
  test('the last record again under a new id', () => {
    const copy = { ...last, sanitizer_id: 'sanitizer-x' };
    const checked = check(inserted(honest, ['sanitizers'], count - 1, copy), signed);
    expect(told(checked)).toContain('INCIDENT_ROOT_MISMATCH /body/incident_root');
    expect(told(checked)).toContain('RECORD_INSERTED sanitizers sanitizer-x');
  });
  test('the last hash again in the list alone', () => {
    const list = signed.commitments as JsonValue[];
    const checked = check(honest, inserted(signed, ['commitments'], count, list.at(-1)));
    expect(checked.stage).toBe('commitments');
    expect(told(checked)).toContain('COMMITMENTS_DIGEST_MISMATCH /commitments');
    expect(told(checked)).toContain('COMMITMENTS_LENGTH /commitments');
    expect(told(checked)).toContain(`COMMITMENT_LISTED_TWICE sanitizers ${id}`);
  });
});

test('six commitments against eight with one root: count and digest refuse, the inserted are named', () => {
  const honest = flat(6);
  const [e, f] = (honest.sanitizers as JsonObject[]).slice(3);
  // Under one id stored order is leaf order, so the pair can be repeated as a pair.
  const twins = replaced(honest, ['sanitizers', 4], { ...f!, sanitizer_id: 'sanitizer-4' });
  const eight = {
    ...twins,
    sanitizers: [...(twins.sanitizers as JsonValue[]), e!, { ...f!, sanitizer_id: 'sanitizer-4' }],
  };
  const signed = seal(twins);
  const doubled = seal(eight);
  expect((doubled.body as JsonObject).incident_root).toBe((signed.body as JsonObject).incident_root);
  const blind = seal(twins, { listCommitments: false });
  expect(told(check(eight, blind))).toEqual([
    'CAPTURE_DIGEST_MISMATCH ',
    'COMMITMENT_COUNT_MISMATCH /body/commitment_count',
  ]);

  const list = seal(honest).commitments as { h: string }[];
  const hashes = list.map(({ h }) => h);
  expect(merkleRoot([...hashes, ...hashes.slice(4)], nativeCrypto)).toBe(merkleRoot(hashes, nativeCrypto));
  const repeated = { ...honest, sanitizers: [...(honest.sanitizers as JsonValue[]), e!, f!] };
  expect(told(check(repeated, seal(honest)))).toEqual(
    expect.arrayContaining([
      'COMMITMENT_COUNT_MISMATCH /body/commitment_count',
      'RECORD_INSERTED sanitizers sanitizer-4',
      'RECORD_INSERTED sanitizers sanitizer-5',
    ]),
  );
});

test('no commitments at all: an empty bundle and an empty list are refused', () => {
  const empty = replaced(flat(1), ['trace_metadata'], []);
  const checked = check(empty, seal(flat(1)));
  expect(told(checked)).toEqual([
    'INCIDENT_MISMATCH /body/incident_id',
    'PROFILE_MISMATCH /body/profile_id',
    'CAPTURE_BACKEND_MISMATCH /body/capture_backend',
    'RECORD_REMOVED trace_metadata trace-1',
    'CAPTURE_DIGEST_MISMATCH ',
    'COMMITMENT_COUNT_MISMATCH /body/commitment_count',
    'INCIDENT_ROOT_MISMATCH /body/incident_root',
  ]);
  const noList = resigned(
    { ...seal(flat(1)), commitments: [] },
    { commitments_digest: commitmentsDigest([], nativeCrypto) },
  );
  expect(told(check(flat(1), noList))).toEqual([
    'COMMITMENTS_LENGTH /commitments',
    'COMMITMENTS_ROOT_MISMATCH /commitments',
  ]);
});

test('one commitment: the leaf is the root, and the capture digest is checked all the same', () => {
  const one = flat(1);
  const signed = seal(one);
  const [{ h }] = signed.commitments as [{ h: string }];
  expect((signed.body as JsonObject).incident_root).toBe(h);
  expect(check(one, signed).stage).toBe('intact');
  expect(told(check({ ...one, note: 'x' }, signed))).toEqual(['CAPTURE_DIGEST_MISMATCH ', 'ALTERED_OUTSIDE_RECORDS ']);
});

test('more insertions than are listed are listed as far as they go, and a number', () => {
  const honest = flat(1);
  const { refusals } = check({ ...flat(LISTED + 901) }, seal(honest));
  expect(refusals).toHaveLength(LISTED + 1);
  expect(refusals[LISTED]).toMatchObject({ reason: 'REFUSALS_NOT_LISTED', detail: '903 more than the 10000 listed' });
});
