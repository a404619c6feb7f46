import { encodeBase64 } from '../base/base64.ts';
import type { Crypto, Sha256Stream } from '../base/crypto.ts';
import { type EventStream, splitEvents } from '../base/sse.ts';
import { decodeUtf8, encodeUtf8 } from '../base/utf8.ts';
import { makeBodyFromParts } from '../evidence/body.ts';
import type { Body } from '../evidence/fields.ts';
import type { SegmentEntry } from '../store/entry.ts';
import { EventSplitter } from './event-splitter.ts';
import type { Redactor } from './redact.ts';

/** Beyond this a body is counted and hashed, no longer searched for credentials, and never kept. */
const MAX_HELD = 64 * 1024 * 1024;

/** One closed event of an event stream, redacted. */
export type StreamPiece = {
  /** Its place among the events of the stream, from 0, and its data, bytes where that is no UTF-8; null for what is no event, such as a comment. */
  readonly event: { readonly index: number; readonly data: string | Uint8Array } | null;
  /** What was kept of the stream; null from the first byte beyond the limit on. */
  readonly segment: Pick<SegmentEntry, 'encoding' | 'text'> | null;
  /** Whether the kept body holds all of the event. */
  readonly held: boolean;
};

export type BodyOptions = { readonly limit: number; readonly crypto: Crypto; readonly redactor: Redactor };

/** Takes the bytes of a body as they come; gives the body as evidence. Memory is bounded whatever comes. */
export class BodyRecorder {
  readonly #options: BodyOptions;
  readonly #splitter: EventSplitter | null;
  readonly #kept: Uint8Array[] = [];
  #keptSize = 0;
  #hash: Sha256Stream;
  #size = 0;
  #whole: Uint8Array[] = [];
  #wholeSize = 0;
  #overflowed = false;
  #events = 0;
  #isFirst = true;

  /** `isStream`: the body is read as an event stream, piece by piece. */
  constructor(options: BodyOptions, isStream: boolean) {
    this.#options = options;
    this.#splitter = isStream ? new EventSplitter() : null;
    this.#hash = options.crypto.sha256Stream();
  }

  /** Returns the events that the chunk closed; none of a body that is no event stream. */
  push(chunk: Uint8Array): StreamPiece[] {
    if (this.#overflowed) {
      this.#account(chunk);
      return [];
    }
    if (this.#splitter === null) {
      this.#whole.push(Buffer.from(chunk));
      this.#wholeSize += chunk.length;
      if (this.#wholeSize > MAX_HELD) this.#overflow(this.#takeWhole());
      return [];
    }
    const pieces = this.#splitter.push(chunk).map((piece) => this.#piece(piece));
    if (this.#splitter.pending > MAX_HELD) this.#overflow(this.#splitter.rest());
    return pieces;
  }

  /** Whether the body, or one event of it, was too long to be held: what came after was not read. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** Ends the body. `tail`: what an event stream held behind its last blank line, redacted; null when that was nothing. */
  end(): { readonly body: Body; readonly text: string | null; readonly tail: string | null } {
    if (this.#splitter !== null) {
      const rest = this.#options.redactor.bytes(this.#overflowed ? new Uint8Array() : this.#splitter.rest());
      this.#keep(rest);
      const unclosed = rest.length > 0 && this.#split(decodeUtf8(rest) ?? 'data').unterminated !== null;
      return { body: this.#body(), text: null, tail: unclosed ? (decodeUtf8(rest) ?? '') : null };
    }
    const bytes = this.#overflowed ? null : this.#options.redactor.bytes(this.#takeWhole());
    if (bytes !== null) this.#keep(bytes);
    return { body: this.#body(), text: bytes === null ? null : decodeUtf8(bytes), tail: null };
  }

  #body(): Body {
    return makeBodyFromParts(Buffer.concat(this.#kept), this.#size, this.#hash.hex());
  }

  #takeWhole(): Uint8Array {
    const whole = Buffer.concat(this.#whole);
    this.#whole = [];
    return whole;
  }

  #overflow(held: Uint8Array): void {
    this.#overflowed = true;
    this.#keep(this.#options.redactor.bytes(held));
  }

  #account(bytes: Uint8Array): void {
    this.#size += bytes.length;
    this.#hash.update(bytes);
  }

  /** Returns whether all of it lies within the limit. */
  #keep(bytes: Uint8Array): boolean {
    const room = this.#options.limit - this.#keptSize;
    const kept = bytes.subarray(0, Math.max(0, room));
    this.#kept.push(kept);
    this.#keptSize += kept.length;
    this.#account(bytes);
    return kept.length === bytes.length;
  }

  #piece(piece: Uint8Array): StreamPiece {
    const text = decodeUtf8(piece);
    const redacted = text === null ? this.#options.redactor.bytes(piece) : encodeUtf8(this.#redactEvent(text));
    const isWhole = this.#keep(redacted);
    const readable = decodeUtf8(redacted);
    // Its line ends are ASCII, so that events are counted right although the data is no text.
    const [event] = this.#split(readable ?? Buffer.from(redacted).toString('latin1')).events;
    this.#isFirst = false;
    return {
      event:
        event === undefined
          ? null
          : { index: this.#events++, data: readable === null ? Buffer.from(event.data, 'latin1') : event.data },
      segment: !isWhole
        ? null
        : readable === null
          ? { encoding: 'base64', text: encodeBase64(redacted) }
          : { encoding: 'utf8', text: readable },
      held: isWhole,
    };
  }

  /** Splits one piece. A byte-order mark is skipped at the beginning of the stream alone: a line end before any other piece says it is none. */
  #split(text: string): EventStream {
    return splitEvents(this.#isFirst ? text : `\n${text}`);
  }

  /** The data of an event is a text by itself. Replacing credentials in it makes no line more or less. */
  #redactEvent(text: string): string {
    const { redactor } = this.#options;
    const [event] = this.#split(text).events;
    if (event === undefined) return redactor.text(text);
    const lines = redactor.json(event.data).split('\n');
    let out = '';
    let done = 0;
    const shift = this.#isFirst ? 0 : 1;
    for (const [at, { start, end }] of event.slices.entries()) {
      out += text.slice(done, start - shift) + (lines[at] ?? '');
      done = end - shift;
    }
    return out + text.slice(done);
  }
}
