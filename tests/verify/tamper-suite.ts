import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { canonical } from '../../src/base/canonical.ts';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { readJson } from '../../src/base/read-json.ts';
import { REASONS } from '../../src/base/reasons.ts';
import type { Refusal } from '../../src/base/result.ts';
import { COLLECTION_INFO, type Collection } from '../../src/evidence/collections.ts';
import { LISTS } from '../../src/seal/commitments.ts';
import { readTrust, type TrustStore } from '../../src/seal/trust.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { checkIntegrity } from '../../src/verify/integrity.ts';
import { parseValues } from '../../src/verify/parse.ts';
import { type Edit, edits } from '../support/edit.ts';
import { sealed } from '../support/seal.ts';
import { runs } from '../support/thorough.ts';

/** Ten thousand edits of one pair, on a machine that may be busy with other things. */
const PATIENCE_MS = 600_000;

export type Pair = {
  readonly name: string;
  readonly bundle: JsonObject;
  readonly receipt: JsonObject;
  readonly trust: TrustStore;
};

const read = (path: string, input: string): JsonObject => {
  const result = readJson(readFileSync(path), { input, recordAttributes: input === 'bundle' });
  if (!result.ok) throw new Error(`${path}: ${JSON.stringify(result.refusals)}`);
  return result.value as JsonObject;
};

/** The committed pairs: traces/NAME.bundle.json with receipts/NAME.receipt.json, under receipts/trust.json. */
export const committedPairs = (): readonly Pair[] => {
  const names = readdirSync('traces')
    .filter((file) => file.endsWith('.bundle.json'))
    .map((file) => file.slice(0, -'.bundle.json'.length))
    .sort();
  if (names.length === 0) return [];
  const trust = readTrust(readFileSync('receipts/trust.json'), nativeCrypto);
  if (!trust.ok) throw new Error(JSON.stringify(trust.refusals));
  return names.map((name) => ({
    name,
    bundle: read(`traces/${name}.bundle.json`, 'bundle'),
    receipt: read(`receipts/${name}.receipt.json`, 'receipt'),
    trust: trust.value,
  }));
};

/** One key is asked about one body some ten thousand times: the answer of Ed25519 is kept by the bytes asked about. */
const rememberingCrypto = (): typeof nativeCrypto => {
  const answers = new Map<string, boolean>();
  return {
    ...nativeCrypto,
    verifyEd25519: (publicKey, message, signature) => {
      const question = nativeCrypto.sha256Hex(Buffer.concat([publicKey, signature, message]));
      const known = answers.get(question) ?? nativeCrypto.verifyEd25519(publicKey, message, signature);
      answers.set(question, known);
      return known;
    },
  };
};

const isRegistered = ({ reason }: Refusal): boolean => Object.hasOwn(REASONS, reason);

type Named = { readonly reason: string; readonly c: string; readonly i: string | null };

const rowName = (list: string, row: JsonValue) => {
  const member = list === 'edges' ? 'edge_id' : COLLECTION_INFO[list as Collection].id;
  const id = (row as JsonObject | null)?.[member];
  return { c: list, i: typeof id === 'string' ? id : null };
};

/** What the refusal of an edit must say: the row it touched, or that none was touched. */
export const expectedOf = (original: JsonObject, { kind, path, value }: Edit<JsonObject>): readonly Named[] => {
  const [list, index] = path as [string, number];
  const outside = [{ reason: 'ALTERED_OUTSIDE_RECORDS', c: '', i: null }];
  if (list === 'format') return [{ reason: 'READ_WRONG_FORMAT', c: '', i: null }];
  if (!(LISTS as readonly string[]).includes(list)) return outside;
  const about = (list === 'edges' ? 'EDGE_' : 'RECORD_') as string;
  const rows = original[list] as JsonValue[];
  if (path.length === 1) {
    return rows.length === 0 ? outside : rows.map((row) => ({ reason: `${about}REMOVED`, ...rowName(list, row) }));
  }
  const before = rowName(list, rows[index]!);
  if (path.length === 2 && kind !== 'changed') {
    if (kind === 'swapped') return [{ reason: 'REORDERED', c: '', i: null }];
    return [{ reason: `${about}${kind === 'duplicated' ? 'INSERTED' : 'REMOVED'}`, ...before }];
  }
  const after = rowName(list, (value[list] as JsonValue[])[index]!);
  if (after.i === before.i) return [{ reason: `${about}ALTERED`, ...before }];
  return [
    { reason: `${about}REMOVED`, ...before },
    { reason: `${about}INSERTED`, ...after },
  ];
};

export const names = (refusals: readonly Refusal[], { reason, c, i }: Named): boolean =>
  refusals.some(
    (refusal) => refusal.reason === reason && (c === '' || (refusal.at.collection === c && refusal.at.id === i)),
  );

/**
 * Every single edit of bundle and receipt of every pair: each is refused with a registered reason that names the row it
 * touched, but for an edit that leaves S(x) alike, which verifies. Of `shards` suites this is number `shard`; `npm test` tries two edits of thirteen.
 */
export const tamperSuite = (shard: number, shards: number): void => {
  // A prime, so that no kind of edit that returns in a rhythm is always passed over.
  const strides = runs(shards, 13);
  const pairs = [{ name: 'built', ...sealed() }, ...committedPairs()];
  describe.each(pairs)('$name', ({ bundle, receipt, trust }) => {
    const crypto = rememberingCrypto();
    const refusalsOf = (one: JsonObject, other: JsonObject): readonly Refusal[] => {
      const parsed = parseValues(one, other);
      if (!parsed.ok) return parsed.refusals;
      const checked = checkIntegrity(parsed.value, trust, { expectedIncident: null }, crypto);
      return checked.ok ? [] : checked.refusals;
    };
    const judge = (root: JsonObject, refusals: (edit: Edit<JsonObject>) => readonly Refusal[], isBundle: boolean) => {
      const text = canonical(root);
      let number = 0;
      const wrong: unknown[] = [];
      for (const edit of edits(root)) {
        if (number++ % strides !== shard) continue;
        const found = refusals(edit);
        const isSame = edit.kind === 'swapped' && canonical(edit.value) === text;
        const isRight = isSame
          ? found.length === 0
          : found.length > 0 &&
            found.every(isRegistered) &&
            (!isBundle || expectedOf(root, edit).every((named) => names(found, named)));
        if (!isRight) wrong.push({ kind: edit.kind, path: edit.path.join('/'), found });
      }
      expect(wrong).toEqual([]);
      return number;
    };

    test('verifies as it is', () => {
      expect(refusalsOf(bundle, receipt)).toEqual([]);
    });
    test(
      'no edit of the bundle verifies, and each is named',
      () => {
        expect(judge(bundle, ({ value }) => refusalsOf(value, receipt), true)).toBeGreaterThan(1000);
      },
      PATIENCE_MS,
    );
    test(
      'no edit of the receipt verifies',
      () => {
        expect(judge(receipt, ({ value }) => refusalsOf(bundle, value), false)).toBeGreaterThan(100);
      },
      PATIENCE_MS,
    );
  });
};
