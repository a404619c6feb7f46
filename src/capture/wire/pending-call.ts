import type { Ending } from '../ending.ts';
import type { Attributes, CallSink, CallSocket, CallStart } from './call.ts';
import { codingsOf, decodeContent } from './decode.ts';

/** A longer request is not read, and a longer encoded response is kept as it came. */
const MAX_HELD = 64 * 1024 * 1024;

/** What a call turns out to be, told from its request; null when it is not to be recorded. */
export type Decide = (start: CallStart, body: Uint8Array) => CallSink | null;

/** One call: held until its request says what it is, then handed to its sink step by step, its response decoded. */
export class PendingCall {
  readonly start: CallStart;
  #socket: CallSocket | null = null;
  #attributes: Attributes = {};
  readonly #decide: Decide;
  readonly #onGap: (what: string) => void;
  #request: Uint8Array[] = [];
  #requestSize = 0;
  #requestEnded = false;
  #sink: CallSink | null | undefined;
  #codings: readonly string[] = [];
  #encoded: Uint8Array[] = [];
  #encodedSize = 0;
  #size = 0;

  constructor(start: CallStart, decide: Decide, onGap: (what: string) => void) {
    this.start = start;
    this.#decide = decide;
    this.#onGap = onGap;
  }

  /** Bytes of both bodies that have passed. */
  get size(): number {
    return this.#size;
  }

  socket(socket: CallSocket): void {
    this.#socket = socket;
    this.#sink?.socket?.(socket);
  }

  /** Whatever else is worth telling of it. */
  attributes(told: Attributes): void {
    this.#attributes = { ...this.#attributes, ...told };
    this.#sink?.attributes?.(told);
  }

  request(bytes: Uint8Array, last: boolean): void {
    if (this.#sink === null) return;
    this.#size += bytes.length;
    this.#requestSize += bytes.length;
    if (this.#requestSize > MAX_HELD) this.#request = [];
    else if (bytes.length > 0) this.#request.push(Buffer.from(bytes));
    if (!last) return;
    this.#requestEnded = true;
    if (this.#sink === undefined) this.#chosen();
    else if (this.#requestSize > 0) this.#sink.request?.(this.#body());
  }

  response(status: number, headers: readonly (readonly [string, string])[]): void {
    const sink = this.#chosen();
    // Interim responses (RFC 9110 section 15.2) come before the one that counts.
    if (sink === null || status < 200) return;
    this.#codings = codingsOf(headers);
    sink.response(status, headers);
  }

  chunk(bytes: Uint8Array): void {
    this.#size += bytes.length;
    const sink = this.#chosen();
    if (sink === null) return;
    if (this.#codings.length === 0) {
      sink.chunk(bytes);
      return;
    }
    this.#encoded.push(Buffer.from(bytes));
    this.#encodedSize += bytes.length;
    if (this.#encodedSize > MAX_HELD) this.#flushEncoded('is too long to be decoded');
  }

  /** Returns the sink, if the call was recorded. */
  end(ended: Ending, error: string | null): CallSink | null {
    const sink = this.#chosen();
    if (sink === null) return null;
    if (this.#encoded.length > 0) {
      const decoded = decodeContent(Buffer.concat(this.#encoded), this.#codings);
      if (decoded === null) this.#flushEncoded('could not be decoded');
      else sink.chunk(decoded);
    }
    sink.end(ended, error);
    return sink;
  }

  #chosen(): CallSink | null {
    if (this.#sink === undefined) {
      this.#sink = this.#decide(this.start, this.#body());
      if (this.#sink === null || this.#requestEnded) this.#request = [];
      if (this.#socket !== null) this.#sink?.socket?.(this.#socket);
      this.#sink?.attributes?.(this.#attributes);
    }
    return this.#sink;
  }

  #body(): Uint8Array {
    const sent = Buffer.concat(this.#request);
    const codings = codingsOf(this.start.headers);
    const body = this.#requestSize > MAX_HELD ? null : codings.length === 0 ? sent : decodeContent(sent, codings);
    if (body === null)
      this.#onGap('the body of a request was too long, or encoded in a way that could not be undone: it was not read');
    return body ?? new Uint8Array();
  }

  #flushEncoded(what: string): void {
    this.#onGap(`a response encoded as ${this.#codings.join(', ')} ${what}: it was recorded as it is`);
    this.#codings = [];
    for (const piece of this.#encoded) this.#sink?.chunk(piece);
    this.#encoded = [];
  }
}
