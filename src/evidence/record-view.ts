import type { JsonValue } from '../base/json-value.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { BodyView } from './body-view.ts';
import type { Edge, RecordOf } from './bundle.ts';
import type { Collection } from './collections.ts';
import type { RowTable } from './row-table.ts';

/** The value of a stretch of S(x). */
const decoded = (bytes: Uint8Array, start: number, end: number): JsonValue =>
  JSON.parse(decodeUtf8(bytes.subarray(start, end))!) as JsonValue;

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) for (const held of Object.values(value)) frozen(held);
  return Object.freeze(value);
};

/** A record that is read member by member from the bytes that were hashed, whenever one is asked for; nobody can change it. */
abstract class RecordView {
  // No member of a record has such a name: theirs are lower-case. Names with # are looked up slowly over the classes below, and fields that are
  // only declared here are made by the constructor alone, ten times as fast.
  declare private readonly rowTable: RowTable;
  declare private readonly rowNumber: number;

  constructor(table: RowTable, row: number) {
    this.rowTable = table;
    this.rowNumber = row;
  }

  /** The value of the member with that number. */
  protected readMember(member: number): unknown {
    const table = this.rowTable;
    const kept = table.kept(member);
    if (kept !== undefined) return kept.at(this.rowNumber);
    if (table.isNull(this.rowNumber, member)) return null;
    table.row(this.rowNumber);
    if (!table.isThere(member)) return undefined;
    const first = table.bytes[table.startOf(member)]!;
    if (first === QUOTE) return table.textOf(member);
    if (first >= 0x30 && first <= 0x39) return table.integerOf(member);
    if (first === LETTER_T || first === LETTER_F) return first === LETTER_T;
    if (first === OPEN_OBJECT && table.members[member]!.isBody) return new BodyView(table, this.rowNumber, member);
    const value = decoded(table.bytes, table.startOf(member), table.endOf(member));
    // The names of attributes are a stranger's: they inherit nothing.
    return frozen(table.members[member]!.optional ? Object.setPrototypeOf(value, null) : value);
  }

  /** The record as a value of its own. */
  toJSON(): JsonValue {
    this.rowTable.row(this.rowNumber);
    const { bytes, start, end } = this.rowTable;
    return decoded(bytes, start, end);
  }
}

const LETTER_T = 0x74;
const LETTER_F = 0x66;
const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;

type ViewClass = new (table: RowTable, row: number) => RecordView;
const CLASSES = new WeakMap<RowTable['members'], ViewClass>();

const classOf = ({ members }: RowTable): ViewClass => {
  const known = CLASSES.get(members);
  if (known !== undefined) return known;
  class View extends RecordView {
    static {
      for (const [index, { name }] of members.entries()) {
        const get = function (this: View): unknown {
          return this.readMember(index);
        };
        Object.defineProperty(View.prototype, name, { get, enumerable: true });
      }
    }
  }
  CLASSES.set(members, View);
  return View;
};

/** Edges that are made when they are asked for: most never are. */
class EdgeViews {
  readonly length: number;
  private readonly table: RowTable;
  private readonly made: Edge[] = [];

  constructor(table: RowTable) {
    this.table = table;
    this.length = table.length;
  }

  /** Whoever asks again is given the same edge. */
  at(row: number): Edge {
    this.made[row] ??= new (classOf(this.table))(this.table, row) as unknown as Edge;
    return this.made[row];
  }
}

export const edgeViews = (edges: RowTable): EdgeViews => new EdgeViews(edges);

/** A view of each row of a table, in stored order. */
export const viewsOf = <C extends Collection>(table: RowTable): readonly RecordOf<C>[] => {
  const View = classOf(table);
  const views: RecordView[] = [];
  for (let row = 0; row < table.length; row++) views.push(new View(table, row));
  return views as unknown as readonly RecordOf<C>[];
};
