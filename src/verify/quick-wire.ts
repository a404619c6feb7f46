import type { Crypto } from '../base/crypto.ts';
import type { JsonValue } from '../base/json-value.ts';
import { checkBody } from '../evidence/body.ts';
import { BodyView } from '../evidence/body-view.ts';
import type { RecordOf, Records } from '../evidence/bundle.ts';
import { CARD_COLLECTIONS, COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { Body } from '../evidence/fields.ts';
import type { BundleIds } from '../evidence/id-index.ts';
import type { RowTable } from '../evidence/row-table.ts';
import type { ScannedBundle } from '../evidence/scan-bundle.ts';
import { type ArtifactPlace, artifactFields, holdsPlace } from '../evidence/wire/artifact.ts';
import { cardFields } from '../evidence/wire/card.ts';
import { ExchangeTexts, type ExchangeWire, exchangeFields } from '../evidence/wire/exchange.ts';
import { PayloadText } from '../evidence/wire/payload-text.ts';
import { readBody } from '../evidence/wire/text.ts';
import { holdsTransition, transitionFields } from '../evidence/wire/transition.ts';
import { ReferenceCheck } from './admissibility-references.ts';
import { Inadmissible } from './admissibility-refusals.ts';

const NO_ROW = -1;

/** The rows of a table by the exchange that they name: of each exchange the first, and of each row the next. */
class ByExchange {
  private readonly first: Int32Array;
  private readonly next: Int32Array;
  /** Rows that name no exchange. */
  readonly others: boolean;

  constructor(table: RowTable, exchanges: number, rowOf: (id: string) => number) {
    const member = table.memberNamed('exchange_id');
    this.first = new Int32Array(exchanges).fill(NO_ROW);
    this.next = new Int32Array(table.length);
    let others = false;
    for (let row = table.length - 1; row >= 0; row--) {
      const id = table.ascii(row, member);
      const exchange = id === null ? NO_ROW : rowOf(id);
      if (exchange === NO_ROW) others = true;
      else {
        this.next[row] = this.first[exchange]!;
        this.first[exchange] = row;
      }
    }
    this.others = others;
  }

  *of(exchange: number): Iterable<number> {
    for (let row = this.first[exchange]!; row !== NO_ROW; row = this.next[row]!) yield row;
  }
}

/** The questions of `checkWireText`, asked of the bytes of each record. */
class QuickWire {
  private readonly tables: ScannedBundle;
  private readonly records: Records;
  private readonly crypto: Crypto;

  constructor(tables: ScannedBundle, records: Records, crypto: Crypto) {
    this.tables = tables;
    this.records = records;
    this.crypto = crypto;
  }

  private bodies(collection: Collection): boolean {
    const table = this.tables[collection];
    // Those of an exchange are checked when they are read.
    if (collection === 'exchanges') return true;
    for (const [member, { isBody }] of table.members.entries()) {
      for (let row = 0; isBody && row < table.length; row++) {
        if (!table.isNull(row, member) && checkBody(new BodyView(table, row, member), this.crypto) !== null)
          return false;
      }
    }
    return true;
  }

  private fits(collection: Collection, row: number, fields: object, except: string | null = null): boolean {
    const table = this.tables[collection];
    for (const name in fields) {
      const expected = (fields as Readonly<Record<string, JsonValue>>)[name]!;
      if (name !== except && !table.holds(row, table.memberNamed(name), expected)) return false;
    }
    return true;
  }

  isWell(ids: BundleIds): boolean {
    if (!COLLECTIONS.every((collection) => this.bodies(collection))) return false;
    for (const role of CARD_COLLECTIONS) {
      for (const [row, card] of this.records[role].entries()) {
        if (!this.fits(role, row, cardFields(card.raw))) return false;
      }
    }
    return this.exchanges(ids) && this.responses(ids);
  }

  private exchanges({ exchanges }: BundleIds): boolean {
    const { records, tables } = this;
    const group = (collection: 'task_transitions' | 'artifacts' | 'uri_references'): ByExchange =>
      new ByExchange(tables[collection], records.exchanges.length, (id) => exchanges.rowOf(id));
    const [transitions, artifacts, references] = [
      group('task_transitions'),
      group('artifacts'),
      group('uri_references'),
    ];
    // Records that are read from their own text alone are few.
    if (transitions.others || artifacts.others || references.others) return false;
    const refusals = new Inadmissible(records);
    const held = new ReferenceCheck(records, refusals);
    for (const [row, exchange] of records.exchanges.entries()) {
      const wire = {
        binding: exchange.binding,
        request_headers: exchange.request_headers,
        response_headers: exchange.response_headers,
        request_body: this.sound(exchange.request_body),
        response_body: this.sound(exchange.response_body),
      };
      if (wire.request_body === undefined || wire.response_body === undefined) return false;
      const texts = new ExchangeTexts(wire as ExchangeWire);
      if (!this.fits('exchanges', row, exchangeFields(wire as ExchangeWire, texts))) return false;
      for (const transition of transitions.of(row)) if (!this.transition(transition, texts)) return false;
      for (const artifact of artifacts.of(row)) if (!this.artifact(artifact, texts)) return false;
      for (const reference of references.of(row)) held.check(records.uri_references[reference]!, texts);
    }
    return refusals.isEmpty;
  }

  /** A body read once and for all; undefined where it does not agree with itself. */
  private sound(body: Body | null): Body | null | undefined {
    const whole = body instanceof BodyView ? body.toJSON() : body;
    return whole === null || checkBody(whole, this.crypto) === null ? whole : undefined;
  }

  /** The text that a record is read from; null where that is not to be had. */
  private source(collection: 'task_transitions' | 'artifacts', row: number, texts: ExchangeTexts): PayloadText | null {
    const table = this.tables[collection];
    const raw = table.memberNamed('raw');
    if (!table.isNull(row, raw)) return new PayloadText(readBody(new BodyView(table, row, raw)), 'raw');
    return texts.response(table.count(row, table.memberNamed('wire_event')));
  }

  private transition(row: number, texts: ExchangeTexts): boolean {
    const text = this.source('task_transitions', row, texts);
    if (text === null || 'empty' in text.whole || !holdsTransition(text)) return false;
    return this.fits('task_transitions', row, transitionFields(text));
  }

  private artifact(row: number, texts: ExchangeTexts): boolean {
    const table = this.tables.artifacts;
    const text = this.source('artifacts', row, texts);
    const place: ArtifactPlace = {
      payload: table.ascii(row, table.memberNamed('payload')) as RecordOf<'artifacts'>['payload'],
      artifact_index: table.count(row, table.memberNamed('artifact_index')),
      part_index: table.count(row, table.memberNamed('part_index')),
    };
    if (text === null || 'empty' in text.whole || !holdsPlace(text, place)) return false;
    const fields = artifactFields(text, place);
    if (!this.fits('artifacts', row, fields, 'content')) return false;
    const member = table.memberNamed('content');
    const { content } = fields;
    if (table.isNull(row, member)) return content === null;
    const kept = new BodyView(table, row, member);
    if (content === null || kept.truncated !== null) return false;
    return kept.isText(content) || kept.sha256 === this.crypto.sha256Hex(content);
  }

  private responses({ uri_dereferences }: BundleIds): boolean {
    const [responses, hops] = [this.tables.dereference_responses, this.tables.uri_dereferences];
    for (let row = 0; row < responses.length; row++) {
      const id = responses.ascii(row, responses.memberNamed('dereference_id'));
      const hop = id === null ? NO_ROW : uri_dereferences.rowOf(id);
      const status = hop === NO_ROW ? undefined : hops.count(hop, hops.memberNamed('status'));
      if (status !== undefined && status !== responses.count(row, responses.memberNamed('status'))) return false;
    }
    return true;
  }
}

/** Whether `checkWireText` would refuse nothing, asked of the bytes that were scanned; false may also mean that it must be asked itself. */
export const isWireWell = (tables: ScannedBundle, ids: BundleIds, records: Records, crypto: Crypto): boolean =>
  new QuickWire(tables, records, crypto).isWell(ids);
