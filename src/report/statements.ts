import type { Collection } from '../evidence/collections.ts';
import { COLLECTION_INFO, COLLECTIONS } from '../evidence/collections.ts';
import type { Report, ReportElement } from './model.ts';

/** One thing that a report says: a refusal, what it holds against the trace as a whole, or a statement of a rule. */
export type Said = {
  readonly reason: string;
  readonly level: string;
  readonly family: string | null;
  readonly text: string;
  /** List and id of the record or edge it is about; null where it is about a whole file, or the trace as a whole. */
  readonly row: { readonly collection: string; readonly id: string } | null;
  /** What leads to that record, in order, itself included. */
  readonly path: readonly ReportElement[];
  /** The place that a refusal names; null elsewhere. */
  readonly place: Report['refusals'][number]['at'] | null;
};

const COLLECTION_OF: ReadonlyMap<string, Collection> = new Map(
  COLLECTIONS.map((name) => [COLLECTION_INFO[name].node, name]),
);

/** The list in which records of a type stand, by the name that edges and findings use for it. */
export const collectionOf = (type: string): Collection | undefined => COLLECTION_OF.get(type);

const placeText = ({ input, collection, id, pointer, offset }: Report['refusals'][number]['at']): string =>
  [
    input,
    collection === undefined ? undefined : `${collection} ${id ?? '(no id)'}`,
    pointer === undefined || pointer === '' ? undefined : `at ${pointer}`,
    offset === undefined ? undefined : `byte ${offset}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');

/** All that a report says, what weighs most first; the texts are words of strangers. */
export const saidBy = (report: Report): readonly Said[] => {
  const levelOf = (reason: string): string => report.reasons[reason]?.level ?? 'refusal';
  const observed = (level: string) => report.observations.filter(({ reason }) => levelOf(reason) === level);
  const statements = (list: readonly Report['findings'][number][]): Said[] =>
    list.map(({ reason, family, affected, evidence_path: path, explanation, missing }) => ({
      reason,
      level: levelOf(reason),
      family,
      text: missing.length === 0 ? explanation : `${explanation} (missing: ${missing.join(', ')})`,
      row: { collection: collectionOf(affected.type) ?? affected.type, id: affected.id },
      path,
      place: null,
    }));
  const whole = { family: null, row: null, path: [], place: null };
  return [
    ...report.refusals.map(({ reason, at, detail }) => {
      const place = placeText(at);
      const { collection, id } = at;
      const row = collection === undefined || typeof id !== 'string' ? null : { collection, id };
      return {
        reason,
        level: levelOf(reason),
        family: null,
        text: place === '' ? detail : `${place}: ${detail}`,
        row,
        path: [],
        place: at,
      };
    }),
    ...statements(report.findings),
    ...report.verdict_reasons.map(({ reason, detail }) => ({ ...whole, reason, level: levelOf(reason), text: detail })),
    ...statements(report.inconclusive),
    ...statements(observed('warning')),
    ...statements(observed('note')),
  ];
};
