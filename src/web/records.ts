import type { Edge } from '../evidence/bundle.ts';
import { el } from '../report/html/node.ts';
import { lineOf } from '../report/html/record-line.ts';
import { edgesByRecord, isPaged, PAGE_ROWS, tableRow } from '../report/html/records.ts';
import { anchorOf, type Row } from '../report/html/seen.ts';
import { KINDS } from '../report/html/vocabulary.ts';
import { button, byId, put } from './document.ts';

export type RecordList = { readonly rows: readonly Row[]; readonly edges: readonly Edge[] };

const PATIENCE_MS = 150;

const searched = ({ collection, id, type, at, fields }: Row): string =>
  `${KINDS[collection].name} ${type} ${id} ${at} ${lineOf(collection, fields)}`.toLowerCase();

/** The table of records with search, and with leaves where it is long. */
class RecordTable {
  private readonly list: RecordList;
  private readonly edges;
  private readonly texts;
  private readonly size: number;
  private found: readonly Row[];
  private leaf = 0;

  constructor(list: RecordList) {
    this.list = list;
    this.edges = edgesByRecord(list.edges);
    this.texts = list.rows.map(searched);
    this.size = isPaged(list) ? PAGE_ROWS : Math.max(1, list.rows.length);
    this.found = list.rows;
  }

  search(words: string): void {
    const wanted = words.toLowerCase().split(/\s+/);
    this.found = this.list.rows.filter((_, at) => wanted.every((word) => this.texts[at]!.includes(word)));
    this.leaf = 0;
    this.draw();
  }

  /** Turns to the leaf of a record; false when there is no such record. */
  turnTo(anchor: string): boolean {
    const at = this.list.rows.findIndex((row) => anchorOf(row) === anchor);
    if (at < 0) return false;
    this.found = this.list.rows;
    this.leaf = Math.floor(at / this.size);
    this.draw();
    return true;
  }

  draw(): void {
    const { found, leaf, size } = this;
    put(
      'rows',
      found.slice(leaf * size, (leaf + 1) * size).map((row) => tableRow(row, this.edges)),
    );
    const leaves = Math.max(1, Math.ceil(found.length / size));
    byId('found').textContent =
      `${found.length} of ${this.list.rows.length} records${leaves === 1 ? '' : `, leaf ${leaf + 1} of ${leaves}`}`;
    const turn = (label: string, to: number): HTMLButtonElement => {
      const made = button(label, () => {
        this.leaf = to;
        this.draw();
        byId('records').scrollIntoView();
      });
      made.disabled = to < 0 || to >= leaves;
      return made;
    };
    byId('leaves').replaceChildren(
      ...(leaves === 1 ? [] : [turn('Earlier records', leaf - 1), turn('Later records', leaf + 1)]),
    );
  }
}

let open: (() => RecordTable) | null = null;

/** Adds search and leaves to the table that the page shows now, if it shows one. The records are read when they are first asked for. */
export const manageRecords = (read: () => RecordList): void => {
  open = null;
  if (document.getElementById('rows') === null) return;
  let table: RecordTable | null = null;
  const opened = (): RecordTable => {
    table ??= new RecordTable(read());
    return table;
  };
  open = opened;
  put('search', [
    el('label', { for: 'words' }, 'Search the records by type, id, time or summary'),
    el('input', { type: 'search', id: 'words', autocomplete: 'off', spellcheck: 'false' }),
    el('p', { class: 'cut', id: 'found', role: 'status' }),
  ]);
  let waiting = 0;
  byId('words').addEventListener('input', (event) => {
    clearTimeout(waiting);
    const { value } = event.target as HTMLInputElement;
    waiting = setTimeout(() => opened().search(value), PATIENCE_MS);
  });
  if (document.getElementById('paged') !== null) put('leaves', []);
  if (document.getElementById('paged') !== null)
    byId('leaves').append(button('Show all, leaf by leaf', () => opened().draw()));
};

/** Follows a link to a record that is on another leaf. */
export const followRecordLinks = (): void => {
  addEventListener('hashchange', () => {
    const anchor = decodeURIComponent(location.hash.slice(1));
    if (!anchor.startsWith('record-') || document.getElementById(anchor) !== null || open === null) return;
    if (open().turnTo(anchor)) byId(anchor).scrollIntoView();
  });
};
