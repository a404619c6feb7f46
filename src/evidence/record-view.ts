import { asciiText } from '../base/ascii.ts';
import type { JsonValue } from '../base/json-value.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { BodyView } from './body-view.ts';
import type { RecordOf } from './bundle.ts';
import type { Collection } from './collections.ts';
import type { RowTable } from './row-table.ts';

/** A text up to here is put together from its bytes. */
const SHORT = 64;

const wholeNumber = (bytes: Uint8Array, start: number, end: number): number => {
  let value = 0;
  for (let at = start; at < end; at++) value = 10 * value + bytes[at]! - 0x30;
  return value;
};

/** The value of a stretch of S(x). */
const decoded = (bytes: Uint8Array, start: number, end: number): JsonValue => {
  const first = bytes[start]!;
  if (first === 0x6e) return null;
  if (first === 0x74 || first === 0x66) return first === 0x74;
  if (first >= 0x30 && first <= 0x39) return wholeNumber(bytes, start, end);
  if (first === 0x22 && end - start < SHORT) {
    let at = start + 1;
    while (at < end && bytes[at]! < 0x80 && bytes[at] !== 0x5c) at++;
    if (at === end) return asciiText(bytes, start + 1, end - 1);
  }
  return JSON.parse(decodeUtf8(bytes.subarray(start, end))!) as JsonValue;
};

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) for (const held of Object.values(value)) frozen(held);
  return Object.freeze(value);
};

/** A record that is read member by member from the bytes that were hashed, whenever one is asked for; nobody can change it. */
abstract class RecordView {
  // No member of a record has such a name: theirs are lower-case. Names with # are looked up slowly over the classes below.
  private readonly rowTable: RowTable;
  private readonly rowNumber: number;
  private bodyViews: readonly BodyView[] = NO_BODIES;

  constructor(table: RowTable, row: number) {
    this.rowTable = table;
    this.rowNumber = row;
  }

  /** The value of the member with that number. */
  protected readMember(member: number): unknown {
    const table = this.rowTable;
    if (!table.value(this.rowNumber, member)) return undefined;
    const { bytes, start, end } = table;
    if (bytes[start] !== 0x7b)
      return bytes[start] === 0x5b ? frozen(decoded(bytes, start, end)) : decoded(bytes, start, end);
    if (table.members[member]!.isBody) return this.bodyAt(member);
    const value = decoded(bytes, start, end);
    // The names of attributes are a stranger's: they inherit nothing.
    return frozen(table.members[member]!.optional ? Object.setPrototypeOf(value, null) : value);
  }

  /** Whoever asks again is given the same body: detections are kept by it. */
  private bodyAt(member: number): BodyView {
    const known = this.bodyViews.find((body) => body.member === member);
    if (known !== undefined) return known;
    const body = new BodyView(this.rowTable, this.rowNumber, member);
    this.bodyViews = [...this.bodyViews, body];
    return body;
  }

  /** The record as a value of its own. */
  toJSON(): JsonValue {
    this.rowTable.row(this.rowNumber);
    const { bytes, start, end } = this.rowTable;
    return decoded(bytes, start, end);
  }
}

const NO_BODIES: readonly BodyView[] = [];

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

/** A view of each row of a table, in stored order. */
export const viewsOf = <C extends Collection>(table: RowTable): readonly RecordOf<C>[] => {
  const View = classOf(table);
  const views: RecordView[] = [];
  for (let row = 0; row < table.length; row++) views.push(new View(table, row));
  return views as unknown as readonly RecordOf<C>[];
};
