import type { JsonValue } from '../../base/json-value.ts';
import { isObject, type JsonObject } from '../../base/json-value.ts';
import type { Edge } from '../../evidence/bundle.ts';
import { quoted, quotedBlock, sentence } from './evidence-text.ts';
import { type Content, el, type PageElement } from './node.ts';
import { counted, instant, list, recordLink, scrollable, section, terms } from './parts.ts';
import { lineOf, told } from './record-line.ts';
import { anchorOf, type Mark, type Row, type Seen } from './seen.ts';
import { KINDS } from './vocabulary.ts';

/** Records of one page of the table, where the evidence is too long for one; up to this many records and relationships it is not. */
const WHOLE = 1_000;
export const PAGE_ROWS = 200;
/** Relationships told of one record. */
const MOST_EDGES = 20;

const SALT = 'salt';
const isBody = (value: JsonValue | undefined): value is JsonObject & { text: string } =>
  isObject(value) && typeof value.text === 'string' && typeof value.sha256 === 'string';

const bodyTitle = (name: string, { size, sha256, encoding, truncated }: JsonObject): Content => [
  `${name.replaceAll('_', ' ')}: ${told(size)} bytes, SHA-256 `,
  el('code', {}, told(sha256)),
  encoding === 'base64' ? ', shown as base64' : null,
  truncated === null ? null : `, of which the capture kept ${told(truncated)}`,
];

const bodyOf = (name: string, body: JsonObject & { text: string }): PageElement =>
  el('details', { class: 'wire' }, el('summary', {}, bodyTitle(name, body)), quotedBlock(body.text));

const fieldValue = (value: JsonValue): Content => {
  if (typeof value === 'string') return quoted(value, 2000);
  if (value === null) return el('span', { class: 'none' }, 'none');
  return typeof value === 'object' ? quoted(JSON.stringify(value), 2000) : String(value);
};

const edgesOf = (row: Row, edges: readonly Edge[]): Content => {
  if (edges.length === 0) return null;
  const told = edges.slice(0, MOST_EDGES).map((edge) => {
    const source = { type: edge.source_type, id: edge.source_id };
    const destination = { type: edge.destination_type, id: edge.destination_id };
    const isSource = source.type === row.type && source.id === row.id;
    return isSource ? [`${edge.relation} → `, recordLink(destination)] : [recordLink(source), ` → ${edge.relation}`];
  });
  return [
    el('h4', {}, 'Relationships'),
    list(told),
    edges.length > MOST_EDGES ? el('p', { class: 'cut' }, `${counted(edges.length - MOST_EDGES, 'more')}`) : null,
  ];
};

const detailOf = (row: Row, edges: readonly Edge[]): PageElement => {
  const members = Object.entries(row.fields).filter(([name]) => name !== SALT);
  const bodies = members.flatMap(([name, value]) => (isBody(value) ? [bodyOf(name, value)] : []));
  return el(
    'details',
    { class: 'record', open: row.mark === 'affected' },
    el('summary', {}, bodies.length === 0 ? 'Fields' : 'Fields and wire text'),
    terms([
      ['record type', row.type],
      ...members.flatMap(([name, value]) =>
        isBody(value) ? [] : [[name.replaceAll('_', ' '), fieldValue(value)] as const],
      ),
    ]),
    bodies,
    edgesOf(row, edges),
  );
};

const MARKS: Readonly<Record<Mark, string>> = { affected: 'affected record', supporting: 'on the supporting path' };

export type EdgesByRecord = ReadonlyMap<string, readonly Edge[]>;

/** The relationships of each record, by its key. */
export const edgesByRecord = (edges: readonly Edge[]): EdgesByRecord => {
  const map = new Map<string, Edge[]>();
  for (const edge of edges) {
    for (const key of new Set([
      `${edge.source_type} ${edge.source_id}`,
      `${edge.destination_type} ${edge.destination_id}`,
    ])) {
      const known = map.get(key);
      if (known === undefined) map.set(key, [edge]);
      else known.push(edge);
    }
  }
  return map;
};

/** One record of the table. */
export const tableRow = (row: Row, edges: EdgesByRecord): PageElement =>
  el(
    'tr',
    { id: anchorOf(row), class: row.mark, tabindex: -1 },
    el('td', { class: 'number' }, String(row.sequence)),
    el(
      'th',
      { scope: 'row' },
      quoted(row.id),
      el('span', { class: 'kind' }, KINDS[row.collection].name),
      row.mark === null ? null : el('strong', { class: 'mark' }, MARKS[row.mark]),
    ),
    el('td', {}, sentence(lineOf(row.collection, row.fields), 300), detailOf(row, edges.get(row.key) ?? [])),
    el('td', { class: 'time' }, instant(row.at), el('span', { class: 'kind' }, `seen by ${row.observer}`)),
  );

export const isPaged = ({ rows, edges }: Pick<Seen, 'rows' | 'edges'>): boolean => rows.length + edges.length > WHOLE;

/** The rows that the written page holds: all, or the first and whatever a finding names. */
const written = (seen: Seen): readonly Row[] => {
  if (!isPaged(seen)) return seen.rows;
  const marked = seen.rows.filter((row, at) => at >= PAGE_ROWS && row.mark !== null);
  return [...seen.rows.slice(0, PAGE_ROWS), ...marked.slice(0, PAGE_ROWS)];
};

/** The table of all records, or of the first of very many; a script of the page adds search and turns its leaves. */
export const recordsOf = (seen: Seen): PageElement => {
  const rows = written(seen);
  const edges = edgesByRecord(seen.edges);
  if (seen.rows.length === 0)
    return section(
      'records',
      'Records',
      el('p', {}, 'None is shown: it is not established that they are what was signed.'),
    );
  return section(
    'records',
    'Records',
    el(
      'p',
      {},
      `${counted(seen.rows.length, 'record')} in the order of the capture. Each has an address of its own within this page; wire text is shown when it is asked for.`,
    ),
    isPaged(seen)
      ? el(
          'p',
          { class: 'cut', id: 'paged' },
          `Written here: the first ${PAGE_ROWS} and those that findings name, ${rows.length} of ${seen.rows.length}. With its script the page turns to the others; forensictrace inspect lists them too.`,
        )
      : null,
    el('div', { id: 'search' }),
    scrollable(
      'Table of records',
      el(
        'table',
        { class: 'records' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ['Order', 'Record', 'What it says', 'Seen'].map((name) => el('th', { scope: 'col' }, name)),
          ),
        ),
        el(
          'tbody',
          { id: 'rows' },
          rows.map((row) => tableRow(row, edges)),
        ),
      ),
    ),
    el('div', { id: 'leaves' }),
  );
};
