import { isObject, type JsonObject } from '../../base/json-value.ts';
import { readDocument } from '../../base/read-canonical.ts';
import { COLLECTION_INFO, COLLECTIONS } from '../../evidence/collections.ts';
import type { Told } from '../face.ts';
import { positionsOf, rowBounds } from '../rows.ts';
import { collectionOf, type Said } from '../statements.ts';
import { rowsOf } from '../summary.ts';

/** A region of SARIF 2.1.0 section 3.30; the columns count UTF-16 code units. */
export type Region = {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly byteOffset: number;
  readonly byteLength: number;
};

type Bounds = readonly [start: number, end: number];
type Row = { readonly collection: string; readonly id: string };
/** The region of a row of the bundle file, or of the byte that a refusal names, or of the beginning of the file. */
export type Regions = { readonly of: (said: Said) => Region; readonly row: (row: Row) => Region | null };

const key = ({ collection, id }: Row): string => `${collection} ${id}`;

/** The rows that anything said names. */
const rowsNamed = (said: readonly Said[]): Set<string> => {
  const keys = new Set<string>();
  for (const { row, path } of said) {
    if (row !== null) keys.add(key(row));
    for (const element of path)
      if (!('relation' in element)) keys.add(key({ collection: collectionOf(element.type) ?? '', id: element.id }));
  }
  return keys;
};

const boundsAt = (bounds: readonly number[] | undefined, index: number): Bounds | null => {
  const [start, end] = [bounds?.[2 * index], bounds?.[2 * index + 1]];
  return start === undefined || end === undefined ? null : [start, end];
};

/** The row that a pointer such as `/exchanges/3/url` leads into. */
const boundsOfPointer = (lists: ReadonlyMap<string, readonly number[]>, pointer: string): Bounds | null => {
  const [, name = '', index = ''] = pointer.split('/', 3);
  return /^\d{1,8}$/.test(index) ? boundsAt(lists.get(name), Number(index)) : null;
};

const readBundle = ({ files, report }: Told): JsonObject | null => {
  if (report.verdict === 'COULD_NOT_CHECK') return null;
  const read = readDocument(files.bundle, { input: 'bundle', recordAttributes: true });
  return read.ok && isObject(read.value.value) ? read.value.value : null;
};

/** Where what was said is in the bundle file; of a refused bundle places alone are read. */
export const regionsOf = (told: Told, said: readonly Said[]): Regions => {
  const { bundle: bytes } = told.files;
  const bundle = readBundle(told);
  const lists = bundle === null ? new Map<string, readonly number[]>() : rowBounds(bytes);
  const named = rowsNamed(said);
  const byRow = new Map<string, Bounds>();
  for (const collection of bundle === null ? [] : ([...COLLECTIONS, 'edges'] as const)) {
    const id = collection === 'edges' ? 'edge_id' : COLLECTION_INFO[collection].id;
    const list = bundle![collection];
    (Array.isArray(list) ? list : []).forEach((row, index) => {
      const name = isObject(row) && typeof row[id] === 'string' ? key({ collection, id: row[id] }) : '';
      const bounds = named.has(name) && !byRow.has(name) ? boundsAt(lists.get(collection), index) : null;
      if (bounds !== null) byRow.set(name, bounds);
    });
  }
  const trace = rowsOf(bundle ?? {}, 'trace_metadata').length === 1 ? boundsAt(lists.get('trace_metadata'), 0) : null;
  const boundsOf = ({ row, place }: Said): Bounds => {
    const start: Bounds = [0, 0];
    if (row !== null) return byRow.get(key(row)) ?? start;
    if (place === null) return trace ?? start;
    if (place.input !== 'bundle') return start;
    if (place.offset !== undefined) return [place.offset, place.offset];
    return boundsOfPointer(lists, place.pointer ?? '') ?? start;
  };
  const all = [...byRow.values(), ...said.map(boundsOf)];
  const positions = positionsOf(bytes, all.flat());
  const region = ([start, end]: Bounds): Region => {
    const [from, to] = [positions.get(start)!, positions.get(end)!];
    return {
      startLine: from.line,
      startColumn: from.column,
      endLine: to.line,
      endColumn: to.column,
      byteOffset: start,
      byteLength: end - start,
    };
  };
  const regionOfRow = (row: Row): Region | null => {
    const bounds = byRow.get(key(row));
    return bounds === undefined ? null : region(bounds);
  };
  return { of: (one) => region(boundsOf(one)), row: regionOfRow };
};
