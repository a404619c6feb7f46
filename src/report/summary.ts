import { decodeBase64 } from '../base/base64.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json-value.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { COLLECTIONS } from '../evidence/collections.ts';

type Counted = { readonly name: string; readonly count: number };
/** What is in a bundle, in counts and in the trace's own words; nothing of it is checked. */
export type Summary = {
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly collections: readonly Counted[];
  readonly relations: readonly Counted[];
};

export const rowsOf = (bundle: JsonObject, name: string): readonly JsonObject[] => {
  const rows = bundle[name];
  return Array.isArray(rows) ? rows.filter(isObject) : [];
};

const FACTS = ['incident_id', 'trace_id', 'profile_id', 'capture_backend', 'started_at', 'ended_at', 'ended'] as const;

export const words = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : 'not stated');

const watched = (coverage: JsonValue | undefined): string =>
  isObject(coverage)
    ? Object.keys(coverage)
        .filter((name) => coverage[name] === true)
        .join(', ')
    : 'not stated';

export const summaryOf = (bundle: JsonObject): Summary => {
  const metadata = rowsOf(bundle, 'trace_metadata')[0] ?? {};
  const relations = new Map<string, number>();
  for (const edge of rowsOf(bundle, 'edges')) {
    const relation = words(edge.relation);
    relations.set(relation, (relations.get(relation) ?? 0) + 1);
  }
  return {
    facts: [
      ...FACTS.map((name) => ({ name, value: words(metadata[name]) })),
      { name: 'watched', value: watched(metadata.coverage) },
      { name: 'gaps', value: String(Array.isArray(metadata.gaps) ? metadata.gaps.length : 'not stated') },
    ],
    collections: COLLECTIONS.map((name) => ({ name, count: rowsOf(bundle, name).length })),
    relations: [...relations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => ({ name, count })),
  };
};

/** The kept bytes of an artifact record's content; null when there is no such record or it has none. */
export const contentOf = (bundle: JsonObject, id: string): Uint8Array | null => {
  const content = rowsOf(bundle, 'artifacts').find((row) => row.artifact_record_id === id)?.content;
  if (!isObject(content) || typeof content.text !== 'string') return null;
  return content.encoding === 'base64' ? decodeBase64(content.text) : encodeUtf8(content.text);
};
