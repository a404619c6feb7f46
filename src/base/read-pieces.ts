import type { ByteSource } from './byte-source.ts';
import { RESTRICTED } from './json-model.ts';
import { JsonReader, type Place } from './json-reader.ts';
import type { JsonMembers, JsonValue } from './json-value.ts';
import { LazyRows } from './lazy-rows.ts';
import { type ReadOptions, refuseByteOrderMark, refuseInvalidUtf8, refuseText } from './read-json.ts';
import { ok, type Result, refused } from './result.ts';
import { cutUtf8, decodeUtf8, firstInvalidUtf8, utf8Length } from './utf8.ts';

/** Bytes that are decoded at once; a value that is longer is read with more. */
const PIECE_BYTES = 1 << 16;

const isList = (place: Place): boolean => place === 'records' || place === 'edges';

/** Reads a document of which a piece is in memory; the rows of its lists are kept as places. */
class PieceReader extends JsonReader<number> {
  private readonly source: ByteSource;
  private readonly pieceBytes: number;
  private readonly lists = new Map<JsonValue[], LazyRows>();
  /** Where the text starts in the file; a place in it, as character and as byte, from which later ones are counted. */
  private base = 0;
  private known = { char: 0, byte: 0 };
  private isLast: boolean;
  private isWithinPart = false;
  /** Where the part that was read last starts in the text. */
  private partStart = 0;

  constructor(source: ByteSource, recordAttributes: boolean, pieceBytes: number) {
    super('', RESTRICTED, recordAttributes);
    this.source = source;
    this.pieceBytes = pieceBytes;
    this.isLast = source.size === 0;
  }

  /** The byte of the file at which a character of the text stands; no earlier one than at the call before. */
  byteOf(char: number): number {
    const byte = this.known.byte + utf8Length(this.text.slice(this.known.char, char));
    this.known = { char, byte };
    return this.base + byte;
  }

  private load(from: number, least: number): void {
    const end = Math.min(from + least, this.source.size);
    const { bytes, base } = this.source.stretch(from, end - from);
    const piece = bytes.subarray(from - base, end - base);
    this.isLast = end === this.source.size;
    // A code point that is cut belongs to the next piece.
    this.text = decodeUtf8(this.isLast ? piece : cutUtf8(piece, piece.length - 1))!;
    this.base = from;
    this.known = { char: 0, byte: 0 };
    this.at = 0;
  }

  /** Reads a part of the document, again with more of the file as long as it reaches the end of the text: what follows could matter. */
  private part<T>(read: () => T): T {
    if (this.isWithinPart) return read();
    this.isWithinPart = true;
    for (let least = this.pieceBytes; ; least *= 2) {
      const [start, values] = [this.at, this.values];
      const value = read();
      const reached = Math.max(this.at, this.failure?.position ?? 0);
      if (this.isLast || reached < this.text.length) {
        this.isWithinPart = false;
        this.partStart = start;
        return value;
      }
      this.failure = null;
      this.values = values;
      this.load(this.byteOf(start), least);
    }
  }

  protected override space(): void {
    this.part(() => super.space());
  }

  override value(place: Place, depth: number): JsonValue | undefined {
    const opening = this.text.charCodeAt(this.at);
    const isOpened = (place === 'root' && opening === 0x7b) || (isList(place) && opening === 0x5b);
    return isOpened ? super.value(place, depth) : this.part(() => super.value(place, depth));
  }

  protected override name(place: Place, members: JsonMembers<number>): string | undefined {
    return this.part(() => super.name(place, members));
  }

  protected override more(close: number): boolean | undefined {
    return this.part(() => super.more(close));
  }

  protected override list(place: Place): JsonValue[] {
    if (!isList(place)) return super.list(place);
    const rows = new LazyRows((start, length) => this.row(place === 'records' ? 'record' : 'other', start, length));
    const list = rows.asArray();
    this.lists.set(list, rows);
    return list;
  }

  protected override append(elements: JsonValue[], value: JsonValue): void {
    const rows = this.lists.get(elements);
    if (rows === undefined) super.append(elements, value);
    else rows.add(this.byteOf(this.partStart), this.byteOf(this.at));
  }

  /** A row that was read before, read anew. */
  private row(place: Place, start: number, length: number): JsonValue {
    const { bytes, base } = this.source.stretch(start, length);
    const text = decodeUtf8(bytes.subarray(start - base, start - base + length))!;
    return new JsonReader(text, RESTRICTED, this.recordAttributes).value(place, ROW_DEPTH)!;
  }
}

/** The root, its list, the row. */
const ROW_DEPTH = 3;

/** Where the first byte stands that is no UTF-8, or the size of the source. */
const firstInvalidIn = (source: ByteSource): number => {
  for (let from = 0; from < source.size; ) {
    const least = Math.min(PIECE_BYTES, source.size - from);
    const { bytes, base } = source.stretch(from, least);
    const piece = bytes.subarray(from - base, from - base + least);
    const valid = firstInvalidUtf8(piece);
    // The last code point of a piece may be cut; of the rest of the file it is not.
    if (valid < piece.length && (from + least === source.size || piece.length - valid > 3)) return from + valid;
    from += valid;
  }
  return source.size;
};

/**
 * Takes a document that may be larger than memory; returns its value, of whose lists each row is read again whenever it is asked for, or the refusal of `readJson`.
 * So many bytes are decoded at once where a value is no longer.
 */
export const readPieces = (
  source: ByteSource,
  { input, recordAttributes }: ReadOptions,
  pieceBytes = PIECE_BYTES,
): Result<JsonValue> => {
  const mark = refuseByteOrderMark(source.stretch(0, Math.min(3, source.size)).bytes, input);
  if (mark !== null) return refused(mark);
  const size = firstInvalidIn(source);
  const valid = { size, whole: null, stretch: (from: number, least: number) => source.stretch(from, least) };
  const reader = new PieceReader(valid, recordAttributes, pieceBytes);
  const value = reader.document();
  if (size < source.size) {
    const at = source.stretch(size, 1);
    return refused(refuseInvalidUtf8(at.bytes[size - at.base]!, size, reader.failure, input));
  }
  if (value !== undefined) return ok(value);
  return refused(refuseText(reader.failure!, reader.byteOf(reader.failure!.position), input));
};
