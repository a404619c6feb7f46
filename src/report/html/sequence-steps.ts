import type { JsonValue } from '../../base/json-value.ts';
import { answerOf, askedOf, fetchedOf, hostOf, lineOf, told } from './record-line.ts';
import type { Row } from './seen.ts';
import { KINDS } from './vocabulary.ts';

/** One step of the diagram: an arrow between two participants, or a note at one. */
export type Step = {
  readonly row: Row;
  readonly from: string;
  /** Null: a note at `from`. */
  readonly to: string | null;
  readonly label: string;
  readonly answer: string | null;
};

const name = (value: JsonValue | undefined, unknown: string): string => (typeof value === 'string' ? value : unknown);
const CAPTURE = 'the capture';

/** Who is concerned by a record that is no exchange. */
const holderOf = ({ fields }: Row, servers: ReadonlyMap<string, string>): string => {
  const exchange = typeof fields.exchange_id === 'string' ? servers.get(fields.exchange_id) : undefined;
  const named = [fields.agent, fields.client_agent, fields.source_agent, fields.renderer, fields.name, exchange];
  return named.find((value): value is string => typeof value === 'string') ?? CAPTURE;
};

const DRAWN = new Set([
  'exchanges',
  'uri_dereferences',
  'discovery_events',
  'capability_invocations',
  'artifact_renders',
  'sanitizers',
  'task_load_snapshots',
]);

const stepOf = (row: Row, servers: ReadonlyMap<string, string>): Step | null => {
  const { collection, fields } = row;
  if (collection === 'exchanges') {
    const to = name(fields.server_agent, hostOf(told(fields.url)));
    return {
      row,
      from: name(fields.client_agent, 'unnamed client'),
      to,
      label: askedOf(fields),
      answer: `${answerOf(fields)} · ${row.observer}`,
    };
  }
  if (collection === 'uri_dereferences') {
    const uri = told(fields.uri);
    return {
      row,
      from: name(fields.agent, 'unnamed agent'),
      to: hostOf(uri),
      label: askedOf({ ...fields, url: uri }),
      answer: fetchedOf(fields),
    };
  }
  if (!DRAWN.has(collection) && row.mark === null) return null;
  return {
    row,
    from: holderOf(row, servers),
    to: null,
    label: `${KINDS[collection].name}: ${lineOf(collection, fields)}`,
    answer: null,
  };
};

/** The steps of a trace in its logical order: what agents asked of each other and of the web, and the records that findings name. */
export const stepsOf = (rows: readonly Row[]): readonly Step[] => {
  const servers = new Map(
    rows.flatMap(({ collection, id, fields }) =>
      collection === 'exchanges' && typeof fields.server_agent === 'string' ? [[id, fields.server_agent] as const] : [],
    ),
  );
  return rows.flatMap((row) => stepOf(row, servers) ?? []);
};
