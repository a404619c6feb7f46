import type { JsonObject } from '../base/json-value.ts';
import { COLLECTION_INFO, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import { rowsOf, words } from './summary.ts';

/** One record in a line: where it stands, and when and by whom it was seen. */
export type Listed = {
  readonly collection: Collection;
  readonly id: string;
  readonly observed_at: string;
  readonly observer: string;
};

const idOf = (collection: Collection, row: JsonObject): string => words(row[COLLECTION_INFO[collection].id]);

/** Every record of a bundle in runtime order, as far as it states one. */
export const listOf = (bundle: JsonObject): readonly Listed[] =>
  COLLECTIONS.flatMap((collection) => rowsOf(bundle, collection).map((row) => ({ collection, row })))
    .sort((a, b) => Number(a.row.sequence ?? 0) - Number(b.row.sequence ?? 0))
    .map(({ collection, row }) => ({
      collection,
      id: idOf(collection, row),
      observed_at: words(row.observed_at),
      observer: words(row.observer),
    }));

/** The records of an id with the list each stands in: one id may name records of several lists. */
export const recordsOf = (bundle: JsonObject, id: string) =>
  COLLECTIONS.flatMap((collection) =>
    rowsOf(bundle, collection)
      .filter((row) => idOf(collection, row) === id)
      .map((record) => ({ collection, record })),
  );
