import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Crypto } from '../../src/base/crypto.ts';
import { isId } from '../../src/base/grammar.ts';
import { isObject, type JsonObject, type JsonValue } from '../../src/base/json-value.ts';
import { REASONS } from '../../src/base/reasons.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { asJson, asObject, buildBundle } from '../support/bundle.ts';
import { check } from '../support/check.ts';
import { at, edits, inserted, type Path, replaced } from '../support/edit.ts';
import { records } from '../support/records.ts';
import { seal } from '../support/seal.ts';

const bundle = buildBundle();
const receipt = seal(bundle);

const paths = function* (node: JsonValue, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof node !== 'object' || node === null) return;
  for (const step of Array.isArray(node) ? node.keys() : Object.keys(node)) {
    yield* paths((node as JsonObject)[step as string]!, [...path, step]);
  }
};

/** Whether a receipt can be made at all: it names incident, profile and capture backend by ids. */
const sealable = ({ trace_metadata: rows }: JsonObject): boolean => {
  const row = Array.isArray(rows) ? rows[0] : undefined;
  const ids = isObject(row) ? [row.incident_id, row.profile_id, row.capture_backend] : [null];
  return ids.every((id) => typeof id === 'string' && isId(id));
};

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);
const { tree: anyJson } = fc.letrec<{ tree: JsonValue }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, '', 'x', 'card-worker', 'root'),
    fc.string({ unit: 'binary' }),
    fc.maxSafeInteger(),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(name, tie('tree'), { maxKeys: 4 }),
  ),
}));

const COMMITTED = new Set(['signature', 'commitments', 'identifiers', 'edges', 'read']);
const isRefusedInWords = (checked: ReturnType<typeof check>): boolean =>
  COMMITTED.has(checked.stage) &&
  checked.refusals.length > 0 &&
  checked.refusals.every(({ reason, detail }) => Object.hasOwn(REASONS, reason) && detail !== '');

describe('whatever stands anywhere', () => {
  const bundlePath = fc.constantFrom(...paths(bundle));
  test('in a bundle signed as it is: refused in words or intact, never thrown', () => {
    fc.assert(
      fc.property(bundlePath, anyJson, (path, value) => {
        const malformed = replaced(bundle, path, asJson(value));
        fc.pre(sealable(malformed));
        const checked = check(malformed, seal(malformed));
        expect(checked.stage === 'intact' || isRefusedInWords(checked)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
  test('in a receipt: refused in words unless it is the same', () => {
    fc.assert(
      fc.property(fc.constantFrom(...paths(receipt)), anyJson, (path, value) => {
        const other = asJson(value);
        fc.pre(JSON.stringify(other) !== JSON.stringify(at(receipt, path)));
        expect(isRefusedInWords(check(bundle, replaced(receipt, path, other)))).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});

test('a member removed or a row repeated, signed by the signer, is refused; no removal throws', () => {
  const wrong: string[] = [];
  for (const { kind, path, value } of edits(bundle)) {
    if (kind === 'changed' || !sealable(value)) continue;
    const checked = check(value, seal(value, { listCommitments: false }));
    const row = path.length > 1 && typeof path[1] === 'number';
    const isMember =
      kind === 'removed' && (path.length === 1 || (row && path.length === 3 && path[2] !== 'attributes'));
    const isRow = kind === 'duplicated' && path.length === 2;
    const mustRefuse = isMember || isRow;
    if (checked.stage === 'intact' ? mustRefuse : !isRefusedInWords(checked)) wrong.push(`${kind} ${path.join('/')}`);
  }
  expect(wrong).toEqual([]);
});

test('an id of megabytes is not repeated in full', () => {
  const long = 'x'.repeat(4_000_000);
  const row = asObject({ endpoint_id: long, [long]: 1, url: long });
  const malformed = inserted(bundle, ['endpoints'], 0, row);
  for (const checked of [check(malformed, receipt), check(malformed, seal(malformed, { listCommitments: false }))]) {
    expect(checked.refusals.length).toBeGreaterThan(1);
    expect(JSON.stringify(checked.refusals).length).toBeLessThan(100_000);
  }
});

test('a row nested as deeply as the reader allows is refused, not thrown', () => {
  let deep: JsonValue = 1;
  for (let level = 0; level < 60; level++) deep = [deep];
  const checked = check(bundle, seal(bundle));
  const malformed = inserted(bundle, ['endpoints'], 0, asObject({ endpoint_id: 'deep', url: deep }));
  expect([checked.stage, check(malformed, seal(malformed)).stage]).toEqual(['intact', 'identifiers']);
});

test('edges that no bundle stores are not derived without bound: n tasks and n snapshots give n² of them', () => {
  const { task_transitions, task_load_snapshots, ...others } = records();
  const count = 600;
  const many = <T extends object>(row: T, id: string, first: number, members: object) =>
    Array.from({ length: count }, (_, at) => ({ ...row, ...members, [id]: `${id}-${at}`, sequence: first + at }));
  const half = { agent: 'Worker', state: 'input-required', previous_transition_id: null };
  const transitions = many(task_transitions[0]!, 'transition_id', 1_000, half).map((row, at) => ({
    ...row,
    task_id: `t${at}`,
  }));
  const members = {
    ...others,
    task_transitions: [...task_transitions, ...transitions],
    task_load_snapshots: many(task_load_snapshots[0]!, 'snapshot_id', 10_000, { agent: 'Worker' }),
  };
  const unstored = asObject({ format: 'a2aft.bundle.v3', profile_version: '3', ...members, edges: bundle.edges });
  let hashed = 0;
  const sha256Hex: Crypto['sha256Hex'] = (data) => {
    hashed++;
    return nativeCrypto.sha256Hex(data);
  };
  const checked = check(unstored, seal(unstored), { crypto: { ...nativeCrypto, sha256Hex } });
  expect([checked.stage, checked.refusals[0]?.reason]).toEqual(['edges', 'EDGE_MISSING']);
  expect(hashed).toBeLessThan((count * count) / 2);
});
