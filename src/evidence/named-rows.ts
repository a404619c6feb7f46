import type { IdIndex } from './id-index.ts';
import type { Column, RowTable } from './row-table.ts';

export const NO_ROW = -1;

/** The rows of another list that one member of a list names, by row. */
export class NamedRows implements Column {
  /** NO_ROW where none is named: the member is null, or its id dangles, which is judged at admissibility. */
  readonly rows: Int32Array;
  readonly ids: IdIndex['ids'];
  /** How many rows name one. */
  readonly count: number;
  /** The ids that name no row. */
  private readonly others = new Map<number, string>();

  /** Read in stored order. An id has no escape: equal ids are equal bytes. */
  constructor(table: RowTable, member: number, index: IdIndex) {
    this.ids = index.ids;
    this.rows = new Int32Array(table.length);
    let count = 0;
    for (let row = 0; row < table.length; row++) {
      this.rows[row] = NO_ROW;
      if (table.isNull(row, member)) continue;
      table.row(row);
      const found = index.rowAt(table.bytes, table.startOf(member) + 1, table.endOf(member) - 1);
      this.rows[row] = found;
      if (found !== NO_ROW) count++;
      else this.others.set(row, table.textOf(member));
    }
    this.count = count;
  }

  /** Whether an id names no row. */
  get dangles(): boolean {
    return this.others.size > 0;
  }

  /** Whether the member of every row is null. */
  get isUnused(): boolean {
    return this.count === 0 && !this.dangles;
  }

  at(row: number): string | null {
    const named = this.rows[row]!;
    return named === NO_ROW ? (this.others.get(row) ?? null) : this.ids.at(named);
  }
}

/** Takes a member that holds ids of another list, or null; the table keeps what they name. */
export const namedRows = (table: RowTable, name: string, index: IdIndex): NamedRows => {
  const member = table.memberNamed(name);
  const kept = table.kept(member);
  if (kept instanceof NamedRows && kept.ids === index.ids) return kept;
  const named = new NamedRows(table, member, index);
  table.keep(member, named);
  return named;
};
