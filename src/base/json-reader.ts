import type { JsonModel } from './json-model.ts';
import { LITERALS, literalAt, plainStringEnd, scanNumber, scanString, skipSpace } from './json-scan.ts';
import type { Json, JsonMembers } from './json-value.ts';
import type { Reason } from './reasons.ts';
import { isWellFormed, utf8Length } from './utf8.ts';

/** Where and why a text is refused: `position` is in the text, in characters. */
export type Failure = { readonly reason: Reason; readonly position: number; readonly detail: string; pointer: string };

/** What a value is by its path: the root, a list in it, a record, its attributes, one of them, or anything else. */
export type Place = 'root' | 'records' | 'edges' | 'record' | 'attributes' | 'attribute' | 'other';

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Reads a text by a model, value by value: what is outside it is the first failure, after which nothing more is read. */
export class JsonReader<N> {
  failure: Failure | null = null;
  at = 0;
  protected items = 0;
  protected values = 0;
  protected text: string;
  private readonly model: JsonModel<N>;
  protected readonly recordAttributes: boolean;

  constructor(text: string, model: JsonModel<N>, recordAttributes: boolean) {
    this.text = text;
    this.model = model;
    this.recordAttributes = recordAttributes;
  }

  document(): Json<N> | undefined {
    this.space();
    if (this.at >= this.text.length) return this.fail('READ_EMPTY', this.at, 'no JSON value');
    const value = this.value('root', 1);
    if (value === undefined) return undefined;
    this.space();
    if (this.at < this.text.length)
      return this.fail('READ_TRAILING_BYTES', this.at, 'the value has already ended here');
    return value;
  }

  protected space(): void {
    this.at = skipSpace(this.text, this.at);
  }

  protected fail(reason: Reason, position: number, detail: string): undefined {
    this.failure = { reason, position, detail, pointer: '' };
    return undefined;
  }

  private broken(position: number, expected: string): undefined {
    return position >= this.text.length
      ? this.fail('READ_TRUNCATED', this.text.length, `the text ends where ${expected} is expected`)
      : this.fail('READ_SYNTAX', position, `${expected} is expected`);
  }

  private within(token: string | number): undefined {
    this.failure!.pointer = `/${typeof token === 'number' ? token : escapePointer(token)}${this.failure!.pointer}`;
    return undefined;
  }

  /** Recursion is bounded by the depth of the model. */
  value(place: Place, depth: number): Json<N> | undefined {
    const { values, depth: deepest } = this.model;
    if (++this.values > values) return this.fail('READ_TOO_MANY_VALUES', this.at, `the bound is ${values}`);
    const unit = this.text.charCodeAt(this.at);
    if (unit === 0x22) return this.string();
    if (place === 'attribute') return this.fail('READ_ATTRIBUTE_NOT_STRING', this.at, 'an attribute is a string');
    if (unit === 0x7b || unit === 0x5b) {
      if (depth > deepest) return this.fail('READ_TOO_DEEP', this.at, `depth ${depth}, the bound is ${deepest}`);
      return unit === 0x7b ? this.object(place, depth) : this.array(place, depth);
    }
    if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) return this.number();
    const literal = literalAt(this.text, this.at);
    if (literal === null) return this.brokenLiteral();
    this.at += literal.length;
    return LITERALS[literal];
  }

  private brokenLiteral(): undefined {
    const rest = this.text.slice(this.at, this.at + 5);
    const cut = rest !== '' && Object.keys(LITERALS).some((literal) => literal.startsWith(rest));
    return this.broken(cut ? this.text.length : this.at, 'a value');
  }

  private string(): string | undefined {
    const { text, at: start } = this;
    const { stringBytes } = this.model;
    const plainEnd = plainStringEnd(text, start);
    const plain = plainEnd >= 0;
    const end = plain ? plainEnd : scanString(text, start);
    if (end < 0) return this.broken(-1 - end, 'the rest of a string');
    // Six characters of escape are the longest text of one byte: a longer token is over the bound before it is decoded.
    const tooLong = end - start > 6 * stringBytes + 2;
    const value = tooLong
      ? ''
      : plain
        ? text.slice(start + 1, end - 1)
        : (JSON.parse(text.slice(start, end)) as string);
    if (tooLong || (value.length > stringBytes / 3 && utf8Length(value) > stringBytes)) {
      return this.fail('READ_STRING_TOO_LONG', start, `more than ${stringBytes} bytes of UTF-8`);
    }
    // Decoded text has no lone surrogate: only an escape can make one.
    if (!plain && !isWellFormed(value)) {
      return this.fail('READ_UNPAIRED_SURROGATE', start, 'an escape names half a surrogate pair');
    }
    this.at = end;
    return value;
  }

  private number(): N | undefined {
    const { text, at: start } = this;
    const end = scanNumber(text, start);
    if (end < 0) return this.broken(-1 - end, 'a digit');
    const next = text.charCodeAt(end);
    const value = this.model.number(text.slice(start, end), next >= 0x30 && next <= 0x39);
    this.at = end;
    return value ?? this.fail('READ_NUMBER_OUTSIDE_MODEL', start, `not ${this.model.numbers}`);
  }

  private object(place: Place, depth: number): JsonMembers<N> | undefined {
    // Object.create(null) would make every record a hash table of three times the size.
    const members = Object.setPrototypeOf({}, null) as JsonMembers<N>;
    if (this.isEmpty(0x7d)) return members;
    for (;;) {
      const name = this.name(place, members);
      if (name === undefined) return undefined;
      const value = this.value(this.memberPlace(place, name), depth + 1);
      if (value === undefined) return this.within(name);
      members[name] = value;
      const more = this.more(0x7d);
      if (more === undefined) return undefined;
      if (!more) return members;
    }
  }

  protected name(place: Place, members: JsonMembers<N>): string | undefined {
    const start = this.at;
    if (this.text.charCodeAt(start) !== 0x22) return this.broken(start, 'a member name');
    const name = this.string();
    if (name === undefined) return undefined;
    if (place !== 'attributes' && !this.model.isName(name)) {
      this.fail('READ_NAME_OUTSIDE_GRAMMAR', start, 'a member name is [a-z][a-z0-9_]*');
      return this.within(name);
    }
    if (name in members) {
      this.fail('READ_DUPLICATE_NAME', start, 'the object already has a member of this name');
      return this.within(name);
    }
    this.at = skipSpace(this.text, this.at);
    if (this.text.charCodeAt(this.at) !== 0x3a) return this.broken(this.at, 'a colon');
    this.at = skipSpace(this.text, this.at + 1);
    return name;
  }

  private memberPlace(place: Place, name: string): Place {
    if (place === 'root') return name === 'edges' ? 'edges' : 'records';
    if (place === 'attributes') return 'attribute';
    return place === 'record' && name === 'attributes' && this.recordAttributes ? 'attributes' : 'other';
  }

  /** From an opening bracket on: whether the closing one follows. Stands after it, or at what is there instead. */
  protected isEmpty(close: number): boolean {
    this.at++;
    this.space();
    if (this.text.charCodeAt(this.at) !== close) return false;
    this.at++;
    return true;
  }

  protected list(_place: Place): Json<N>[] {
    return [];
  }

  /** Takes a value into its list once it is read. */
  protected append(elements: Json<N>[], value: Json<N>): void {
    elements.push(value);
  }

  private array(place: Place, depth: number): Json<N>[] | undefined {
    const elements = this.list(place);
    const counted = place === 'records' || place === 'edges';
    if (this.isEmpty(0x5d)) return elements;
    for (;;) {
      const value =
        counted && ++this.items > this.model.items
          ? this.fail('READ_TOO_MANY_ITEMS', this.at, `the bound is ${this.model.items} over all collections and edges`)
          : this.value(place === 'records' ? 'record' : 'other', depth + 1);
      if (value === undefined) return this.within(elements.length);
      this.append(elements, value);
      const more = this.more(0x5d);
      if (more === undefined) return undefined;
      if (!more) return elements;
    }
  }

  /** After a member or an element: true at a comma, false at the closing bracket. */
  protected more(close: number): boolean | undefined {
    this.at = skipSpace(this.text, this.at);
    const unit = this.text.charCodeAt(this.at);
    if (unit !== 0x2c && unit !== close) return this.broken(this.at, 'a comma or the closing bracket');
    this.at++;
    if (unit === close) return false;
    this.at = skipSpace(this.text, this.at);
    return true;
  }
}
