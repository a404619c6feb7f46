import type { JsonObject, JsonValue } from '../base/json-value.ts';
import type { Reason } from '../base/reasons.ts';
import { ok, type Place, type Result, refused } from '../base/result.ts';
import {
  type AnyRecord,
  BUNDLE_MEMBERS,
  type Bundle,
  Edge,
  PROFILE_VERSION,
  RECORD_SCHEMAS,
} from '../evidence/bundle.ts';
import { CARD_COLLECTIONS, COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import { idOf, LISTS } from '../seal/commitments.ts';
import { type FaultKind, faultsOf, pointerOf } from '../seal/schema-faults.ts';
import { deepFreeze } from './deep-freeze.ts';
import { Refusals } from './refusals.ts';

const MEMBER_REASONS = {
  missing: 'MEMBER_MISSING',
  unknown: 'MEMBER_UNKNOWN',
  type: 'MEMBER_WRONG_TYPE',
  value: 'MEMBER_WRONG_VALUE',
} as const satisfies Record<FaultKind, Reason>;

/**
 * Step identifiers: members of the bundle, schema of every record and edge, ids, sequence, card roles, and `issued_at`
 * not before any observed_at (FORMAT.md sections 3, 6 and 8a). Returns the bundle as typed values, deep-frozen.
 */
export const checkShape = (bundle: JsonObject, issuedAt: string): Result<Bundle> => {
  const refusals = new Refusals();
  checkMembers(bundle, refusals);
  for (const collection of COLLECTIONS) {
    const { id } = COLLECTION_INFO[collection];
    checkRows(bundle, collection, id, RECORD_SCHEMAS[collection], refusals);
  }
  checkRows(bundle, 'edges', 'edge_id', Edge, refusals);
  checkSequence(bundle, refusals);
  checkCardRoles(bundle, refusals);
  checkIssueTime(bundle, issuedAt, refusals);
  const all = refusals.all();
  return all.length > 0 ? refused(...all) : ok(deepFreeze(bundle) as unknown as Bundle);
};

const checkMembers = (bundle: JsonObject, refusals: Refusals): void => {
  const refuse = (reason: Reason, name: string, detail: string) =>
    refusals.add({ reason, at: { input: 'bundle', pointer: pointerOf([name]) }, detail });
  for (const name of Object.keys(bundle)) {
    if (!(BUNDLE_MEMBERS as readonly string[]).includes(name)) {
      refuse('MEMBER_UNKNOWN', name, 'the format has no such member');
    }
  }
  for (const name of BUNDLE_MEMBERS) {
    if (!Object.hasOwn(bundle, name)) refuse('MEMBER_MISSING', name, 'the format requires this member');
  }
  for (const name of LISTS) {
    if (Object.hasOwn(bundle, name) && !Array.isArray(bundle[name])) refuse('MEMBER_WRONG_TYPE', name, 'not a list');
  }
  if (Object.hasOwn(bundle, 'profile_version') && bundle.profile_version !== PROFILE_VERSION) {
    refuse('MEMBER_WRONG_VALUE', 'profile_version', `"${PROFILE_VERSION}" is expected`);
  }
  const traces = rowsOf(bundle, 'trace_metadata').length;
  if (traces !== 1) refuse('TRACE_METADATA_NOT_ONE', 'trace_metadata', `${traces} records`);
};

const rowsOf = (bundle: JsonObject, name: string): readonly JsonValue[] => {
  const list = bundle[name];
  return Array.isArray(list) ? list : [];
};

const checkRows = (
  bundle: JsonObject,
  name: (typeof LISTS)[number],
  idMember: string,
  schema: Parameters<typeof faultsOf>[0],
  refusals: Refusals,
): void => {
  const used = new Set<string>();
  for (const [at, row] of rowsOf(bundle, name).entries()) {
    const id = idOf(row, idMember);
    const place = (path: readonly PropertyKey[]): Place => ({
      input: 'bundle',
      pointer: pointerOf([name, at, ...path]),
      collection: name,
      id,
    });
    for (const { kind, path, detail } of faultsOf(schema, row)) {
      const isId = path.length === 1 && path[0] === idMember;
      const reason = isId ? (kind === 'missing' ? 'ID_MISSING' : 'ID_MALFORMED') : MEMBER_REASONS[kind];
      refusals.add({ reason, at: place(path), detail });
    }
    if (id === null) continue;
    if (used.has(id)) refusals.add({ reason: 'ID_USED_TWICE', at: place([idMember]), detail: `${name} ${id}` });
    used.add(id);
  }
};

type Row = { readonly collection: Collection; readonly at: number; readonly row: JsonValue };

/** Every record with what can be read of it, in Merkle order of collections and stored order within. */
function* recordsOf(bundle: JsonObject): Iterable<readonly [Partial<AnyRecord>, Row]> {
  for (const collection of COLLECTIONS) {
    for (const [at, row] of rowsOf(bundle, collection).entries()) {
      yield [row as Partial<AnyRecord>, { collection, at, row }];
    }
  }
}

const placeOf = ({ collection, at, row }: Row): Place => ({
  input: 'bundle',
  pointer: pointerOf([collection, at]),
  collection,
  id: idOf(row, COLLECTION_INFO[collection].id),
});

const checkSequence = (bundle: JsonObject, refusals: Refusals): void => {
  if (sequencesDiffer(bundle)) return;
  const used = new Map<number, Row>();
  for (const [record, row] of recordsOf(bundle)) {
    const sequence = record?.sequence;
    if (typeof sequence !== 'number') continue;
    const first = used.get(sequence);
    if (first === undefined) used.set(sequence, row);
    else {
      const at = placeOf(row);
      const detail = `${sequence} is the sequence of ${first.collection} ${placeOf(first).id} too`;
      refusals.add({ reason: 'SEQUENCE_USED_TWICE', at: { ...at, pointer: `${at.pointer}/sequence` }, detail });
    }
  }
};

/** The same question without a place for an answer: nearly every bundle asks no more. */
const sequencesDiffer = (bundle: JsonObject): boolean => {
  const used = new Set<number>();
  for (const collection of COLLECTIONS) {
    for (const row of rowsOf(bundle, collection)) {
      const sequence = (row as Partial<AnyRecord>)?.sequence;
      if (typeof sequence === 'number' && used.size === used.add(sequence).size) return false;
    }
  }
  return true;
};

/** One card may stand in several role lists, but then it is one card: two contents under one id would be two. */
const checkCardRoles = (bundle: JsonObject, refusals: Refusals): void => {
  const seen = new Map<string, { readonly sha256: string; readonly role: string }>();
  for (const role of CARD_COLLECTIONS) {
    for (const [at, row] of rowsOf(bundle, role).entries()) {
      const { card_id: id, raw } = (row ?? {}) as { card_id?: unknown; raw?: { sha256?: unknown } | null };
      const sha256 = raw?.sha256;
      if (typeof id !== 'string' || typeof sha256 !== 'string') continue;
      const first = seen.get(id);
      if (first === undefined) seen.set(id, { sha256, role });
      else if (first.role !== role && first.sha256 !== sha256) {
        const place = { input: 'bundle', pointer: pointerOf([role, at, 'raw', 'sha256']), collection: role, id };
        const detail = `${sha256} here, ${first.sha256} in ${first.role}`;
        refusals.add({ reason: 'CARD_ROLE_CONFLICT', at: place, detail });
      }
    }
  }
};

const checkIssueTime = (bundle: JsonObject, issuedAt: string, refusals: Refusals): void => {
  let latest: { readonly time: string; readonly row: Row } | undefined;
  for (const collection of COLLECTIONS) {
    for (const [at, row] of rowsOf(bundle, collection).entries()) {
      const time = (row as Partial<AnyRecord>)?.observed_at;
      if (typeof time !== 'string' || time <= (latest?.time ?? issuedAt)) continue;
      latest = { time, row: { collection, at, row } };
    }
  }
  if (latest === undefined) return;
  const at = placeOf(latest.row);
  const detail = `issued at ${issuedAt}, the latest of the records observed after it at ${latest.time}`;
  refusals.add({
    reason: 'RECEIPT_BEFORE_OBSERVATION',
    at: { ...at, pointer: `${at.pointer}/observed_at` },
    detail,
  });
};
