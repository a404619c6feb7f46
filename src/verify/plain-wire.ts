import { asciiText } from '../base/ascii.ts';
import type { Crypto } from '../base/crypto.ts';
import { WINDOW } from '../base/kernel/kernel.ts';
import { ABSENT, UNCLEAR } from '../base/wire-tape.ts';
import type { ScannedBundle } from '../evidence/scan-bundle.ts';
import { EXCHANGE_PATHS, PAYLOAD_PATHS } from '../evidence/wire/paths.ts';
import { PlainText, tapePath, tapePaths } from '../evidence/wire/plain-text.ts';
import { STATE_NAMES } from '../evidence/wire/transition.ts';
import { PlainArtifact } from './plain-artifact.ts';
import { PlainBody } from './plain-body.ts';
import { HeadersOf } from './plain-headers.ts';
import { membersNamed, PlainRow } from './plain-row.ts';

const REQUEST_FIELDS = ['rpc_method', 'message_id', 'request_task_id', 'request_context_id'] as const;
const EXCHANGE_MEMBERS = [
  ...REQUEST_FIELDS,
  'binding',
  'request_headers',
  'response_headers',
  'request_body',
  'response_body',
  'protocol_version',
  'request_id',
  'response_id',
  'error_code',
  'response_task_id',
  'response_context_id',
  'event_count',
  'wire_issue',
] as const;
const TRANSITION_MEMBERS = ['raw', 'wire_event', 'task_id', 'context_id', 'state', 'wire_issue'] as const;

const pathsOf = ({ request, response }: (typeof EXCHANGE_PATHS)['JSONRPC' | 'HTTP+JSON']) => ({
  fields: REQUEST_FIELDS.map((name) => ({ name, paths: tapePaths(request[name]) })),
  requestId: tapePaths(request.request_id),
  responseId: tapePaths(response.response_id),
  errorCode: tapePaths(response.error_code),
});
const JSONRPC = pathsOf(EXCHANGE_PATHS.JSONRPC);
const HTTP_JSON = pathsOf(EXCHANGE_PATHS['HTTP+JSON']);
const STATE = tapePath(PAYLOAD_PATHS.task.state);
const LONGEST_STATE = 64;

/**
 * Typed fields held against wire text where it stands (FORMAT.md section 8b), as far as both are plain: bodies that are whole and one JSON object, fields that are
 * written in the record as in the text. Of everything else the answer is false, and `checkWireText` must be asked.
 */
export class PlainWire {
  private readonly tables: ScannedBundle;
  private readonly body: PlainBody;
  private readonly text = new PlainText();
  private readonly exchange: ReturnType<typeof membersNamed<(typeof EXCHANGE_MEMBERS)[number]>>;
  private readonly transition: ReturnType<typeof membersNamed<(typeof TRANSITION_MEMBERS)[number]>>;
  private readonly rows: Readonly<Record<'exchanges' | 'task_transitions', PlainRow>>;
  private readonly artifacts: PlainArtifact;
  private readonly headers: HeadersOf;
  /** Whether the response of the exchange in question has a text. */
  private isAnswered = false;

  constructor(tables: ScannedBundle, crypto: Crypto) {
    const { exchanges, task_transitions } = tables;
    this.tables = tables;
    this.body = new PlainBody(crypto);
    this.exchange = membersNamed(exchanges, EXCHANGE_MEMBERS);
    this.transition = membersNamed(task_transitions, TRANSITION_MEMBERS);
    this.rows = {
      exchanges: new PlainRow(exchanges, this.text.tape),
      task_transitions: new PlainRow(task_transitions, this.text.tape),
    };
    this.artifacts = new PlainArtifact(tables.artifacts, this.text, crypto);
    this.headers = new HeadersOf(exchanges);
  }

  /** Reads the texts of an exchange, and its fields off them; then what its response brought may be asked for. */
  isExchange(row: number): boolean {
    const { exchanges: table } = this.tables;
    const at = this.exchange;
    const { exchanges: held } = this.rows;
    held.take(row, WINDOW);
    const binding = this.binding(table.startOf(at.binding));
    if (binding === null || !held.isNull(at.wire_issue) || !held.isNull(at.event_count)) return false;
    if (this.headers.isEventStream(at.response_headers)) return false;
    if (!this.headers.isVersion(row, at.request_headers, at.protocol_version)) return false;

    const hasRequest = this.read(at.request_body);
    if (hasRequest === null) return false;
    for (const { name, paths } of binding.fields) {
      if (!held.isString(at[name], hasRequest ? this.text.tape.first(0, paths) : ABSENT)) return false;
    }
    if (!held.isQuoted(at.request_id, hasRequest ? this.text.tape.first(0, binding.requestId) : ABSENT)) return false;

    const hasResponse = this.read(at.response_body);
    if (hasResponse === null || (hasResponse && !this.text.findPayload())) return false;
    this.isAnswered = hasResponse;
    const { tape, ids, isInResult, payload } = this.text;
    const isOwn = hasResponse && ids !== null && isInResult === (binding === JSONRPC);
    return (
      held.isQuoted(at.response_id, hasResponse ? tape.first(0, binding.responseId) : ABSENT) &&
      held.isInteger(at.error_code, hasResponse ? tape.first(0, binding.errorCode) : ABSENT) &&
      held.isString(at.response_task_id, isOwn ? tape.find(payload, ids.task_id) : ABSENT) &&
      held.isString(at.response_context_id, isOwn ? tape.find(payload, ids.context_id) : ABSENT)
    );
  }

  /** Whether a transition is what the response of the exchange that was asked for last states. */
  isTransition(row: number): boolean {
    const { task_transitions: held } = this.rows;
    const { transition: at, text } = this;
    const { tape, ids, kind, payload } = text;
    if (!this.isAnswered || ids === null || (kind !== 'task' && kind !== 'status_update')) return false;
    held.take(row, tape.after);
    return (
      held.isNull(at.raw) &&
      held.isNull(at.wire_event) &&
      held.isNull(at.wire_issue) &&
      held.isString(at.task_id, tape.find(payload, ids.task_id)) &&
      held.isString(at.context_id, tape.find(payload, ids.context_id)) &&
      this.isState(at.state, tape.find(payload, STATE))
    );
  }

  /** Whether an artifact is what the response of the exchange that was asked for last brought. */
  isArtifact(row: number): boolean {
    return this.isAnswered && this.artifacts.isHeld(row);
  }

  private binding(start: number): typeof JSONRPC | null {
    const letter = this.tables.exchanges.bytes[start + 1];
    return letter === 0x4a ? JSONRPC : letter === 0x48 ? HTTP_JSON : null;
  }

  /** Whether a body of the exchange has a text; null where it is none that is plain. */
  private read(member: number): boolean | null {
    const { body, text } = this;
    const { exchanges: held } = this.rows;
    if (held.isNull(member)) return false;
    if (!body.locate(held, member) || !body.read(held, held.after)) return null;
    return body.start === body.end ? false : text.read(body.start, body.end) ? true : null;
  }

  private isState(member: number, node: number): boolean {
    const { tape } = this.text;
    const { task_transitions: table } = this.tables;
    if (node === UNCLEAR) return false;
    if (tape.isNull(node)) return this.rows.task_transitions.isNull(member);
    const [start, end] = [tape.start(node), tape.end(node)];
    if (tape.mark(node) !== 0x22 || end - start > LONGEST_STATE) return false;
    const state = STATE_NAMES.get(asciiText(tape.bytes, start + 1, end - 1));
    return state !== undefined && table.standsAscii(table.startOf(member) + 1, `${state}"`);
  }
}
