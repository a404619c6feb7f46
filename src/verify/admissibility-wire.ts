import { canonical } from '../base/canonical.ts';
import type { Crypto } from '../base/crypto.ts';
import type { JsonValue } from '../base/json-value.ts';
import { checkBody } from '../evidence/body.ts';
import type { RecordOf, Records } from '../evidence/bundle.ts';
import { CARD_COLLECTIONS, type Collection } from '../evidence/collections.ts';
import type { Body } from '../evidence/fields.ts';
import { artifactFields, holdsPlace } from '../evidence/wire/artifact.ts';
import { cardFields } from '../evidence/wire/card.ts';
import { ExchangeTexts, exchangeFields } from '../evidence/wire/exchange.ts';
import { noPayload, PayloadText } from '../evidence/wire/payload-text.ts';
import { readBody } from '../evidence/wire/text.ts';
import { holdsTransition, transitionFields } from '../evidence/wire/transition.ts';
import { ReferenceCheck } from './admissibility-references.ts';
import { type Inadmissible, shown } from './admissibility-refusals.ts';

/**
 * Typed fields are an index to wire text: read off it again, they must be the same (FORMAT.md section 3). `unsettled`: the records that are judged;
 * an exchange is among them with all that is read off its texts, and references may be without theirs.
 */
export const checkWireText = (records: Records, unsettled: Records, crypto: Crypto, refusals: Inadmissible): void => {
  const check = new WireCheck(records, crypto, refusals);
  for (const collection of CARD_COLLECTIONS) for (const card of unsettled[collection]) check.card(collection, card);
  check.exchanges(unsettled);
  for (const hop of unsettled.uri_dereferences) check.bodies('uri_dereferences', hop, ['request_body']);
  for (const response of unsettled.dereference_responses) check.response(response);
  for (const sanitizer of unsettled.sanitizers) check.bodies('sanitizers', sanitizer, ['output']);
};

/** Records by the exchange whose texts they are read from; null for those that need none. */
const byExchange = <T extends { readonly exchange_id: string | null }>(rows: readonly T[]): Map<string | null, T[]> => {
  const groups = new Map<string | null, T[]>();
  for (const row of rows) {
    const group = groups.get(row.exchange_id);
    if (group === undefined) groups.set(row.exchange_id, [row]);
    else group.push(row);
  }
  return groups;
};

const ARTIFACT_BODIES = ['raw', 'content'] as const;

type Observed = RecordOf<'task_transitions'> | RecordOf<'artifacts'>;

class WireCheck {
  private readonly records: Records;
  private readonly crypto: Crypto;
  private readonly refusals: Inadmissible;
  private readonly references: ReferenceCheck;

  constructor(records: Records, crypto: Crypto, refusals: Inadmissible) {
    this.records = records;
    this.crypto = crypto;
    this.refusals = refusals;
    this.references = new ReferenceCheck(records, refusals);
  }

  /** True when each body agrees with itself; only then is it worth reading. */
  bodies<C extends Collection>(
    collection: C,
    record: RecordOf<C>,
    members: readonly (keyof RecordOf<C> & string)[],
  ): boolean {
    let sound = true;
    for (const member of members) {
      const body = record[member] as Body | null;
      const problem = body === null ? null : checkBody(body, this.crypto);
      if (problem === null) continue;
      this.refusals.refuse(collection, record, member, 'INADMISSIBLE_BODY', `${member}: ${problem}`);
      sound = false;
    }
    return sound;
  }

  card(collection: (typeof CARD_COLLECTIONS)[number], card: RecordOf<'candidate_cards'>): void {
    if (this.bodies(collection, card, ['raw'])) this.compare(collection, card, cardFields(card.raw));
  }

  /** The texts of one exchange live only while it and the records read from them are judged. */
  exchanges(unsettled: Records): void {
    const transitions = byExchange(unsettled.task_transitions);
    const artifacts = byExchange(unsettled.artifacts);
    const references = byExchange(unsettled.uri_references);
    const known = new Set<string | null>();
    const judge = (id: string | null, texts: ExchangeTexts | null): void => {
      for (const transition of transitions.get(id) ?? []) this.transition(transition, texts);
      for (const artifact of artifacts.get(id) ?? []) this.artifact(artifact, texts);
      for (const reference of references.get(id) ?? []) this.references.check(reference, texts);
    };
    for (const exchange of unsettled.exchanges) {
      known.add(exchange.exchange_id);
      if (!this.bodies('exchanges', exchange, ['request_body', 'response_body'])) continue;
      const texts = new ExchangeTexts(exchange);
      this.compare('exchanges', exchange, exchangeFields(exchange, texts));
      judge(exchange.exchange_id, texts);
    }
    for (const id of new Set([...transitions.keys(), ...artifacts.keys(), ...references.keys()])) {
      if (!known.has(id)) judge(id, this.settledTexts(id));
    }
  }

  /** The texts of an exchange of which references alone are left to judge; null when it is not there. */
  private settledTexts(id: string | null): ExchangeTexts | null {
    this.exchangeOf ??= new Map(this.records.exchanges.map((exchange) => [exchange.exchange_id, exchange]));
    const exchange = id === null ? undefined : this.exchangeOf.get(id);
    return exchange === undefined ? null : new ExchangeTexts(exchange);
  }
  private exchangeOf: ReadonlyMap<string, RecordOf<'exchanges'>> | null = null;

  private transition(record: RecordOf<'task_transitions'>, texts: ExchangeTexts | null): void {
    if (!this.bodies('task_transitions', record, ['raw'])) return;
    const text = this.source('task_transitions', record, texts);
    if (text === null) return;
    if (!isEmpty(text) && !holdsTransition(text)) {
      this.nowhere('task_transitions', record, 'wire_event', 'its text states no task and no status update');
    } else this.compare('task_transitions', record, transitionFields(text));
  }

  private artifact(record: RecordOf<'artifacts'>, texts: ExchangeTexts | null): void {
    if (!this.bodies('artifacts', record, ARTIFACT_BODIES)) return;
    const text = this.source('artifacts', record, texts);
    if (text === null) return;
    if (!isEmpty(text) && !holdsPlace(text, record)) {
      const place = `${record.payload}, artifact ${record.artifact_index}, part ${record.part_index}`;
      this.nowhere('artifacts', record, 'payload', `its text has no such place: ${place}`);
      return;
    }
    const fields = artifactFields(text, record);
    this.compare('artifacts', record, fields, 'content');
    const { content } = fields;
    const expected = content === null ? null : this.crypto.sha256Hex(content);
    const kept = record.content === null ? null : record.content.sha256;
    if (kept !== expected) this.differs('artifacts', record, 'content', kept, expected);
    else if (record.content !== null && record.content.truncated !== null) {
      this.differs('artifacts', record, 'content', `cut at ${record.content.truncated} bytes`, 'the whole content');
    }
  }

  /** Its own text, else the place of the exchange's response that it names; null when there is no such place. */
  private source(
    collection: 'task_transitions' | 'artifacts',
    record: Observed,
    texts: ExchangeTexts | null,
  ): PayloadText | null {
    if (record.raw !== null) return new PayloadText(readBody(record.raw), 'raw');
    if (texts === null) return noPayload('response');
    const text = texts.response(record.wire_event);
    if (text === null) {
      const count =
        texts.stream === null
          ? 'the response is no event stream'
          : `the response has ${texts.stream.count} closed events`;
      this.nowhere(collection, record as never, 'wire_event', `wire_event is ${record.wire_event}; ${count}`);
    }
    return text;
  }

  response(response: RecordOf<'dereference_responses'>): void {
    this.bodies('dereference_responses', response, ['body']);
    this.hopStatus ??= new Map(this.records.uri_dereferences.map((hop) => [hop.dereference_id, hop.status]));
    const status = response.dereference_id === null ? undefined : this.hopStatus.get(response.dereference_id);
    if (status === undefined || status === response.status) return;
    const detail = `status is ${response.status}; that of ${response.dereference_id} is ${status}`;
    this.refusals.refuse('dereference_responses', response, 'status', 'INADMISSIBLE_STATUS', detail);
  }
  private hopStatus: ReadonlyMap<string, number | null> | null = null;

  private nowhere<C extends Collection>(collection: C, record: RecordOf<C>, member: string, detail: string): void {
    this.refusals.refuse(collection, record, member, 'INADMISSIBLE_WIRE_PLACE', detail);
  }

  private compare<C extends Collection>(
    collection: C,
    record: RecordOf<C>,
    fields: Readonly<Record<string, unknown>>,
    except: string | null = null,
  ): void {
    const row = record as unknown as Readonly<Record<string, unknown>>;
    for (const name in fields) {
      if (name === except) continue;
      const expected = fields[name];
      const stated = row[name];
      const same = stated === expected || canonical(stated as JsonValue) === canonical(expected as JsonValue);
      if (!same) this.differs(collection, record, name, stated, expected);
    }
  }

  private differs<C extends Collection>(
    collection: C,
    record: RecordOf<C>,
    name: string,
    stated: unknown,
    expected: unknown,
  ): void {
    const detail = `${name} is ${shown(stated)}; its wire text gives ${shown(expected)}`;
    this.refusals.refuse(collection, record, name, 'INADMISSIBLE_FIELD', detail);
  }
}

const isEmpty = (text: PayloadText): boolean => 'empty' in text.whole;
