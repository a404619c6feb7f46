import { type Payloads, payloadsIn } from './payload-kinds.ts';
import { readText, type Whole } from './text.ts';

/** One JSON text in which transitions and artifacts are observed; what is read off it is kept, so that many records of one text cost one reading. */
export class PayloadText {
  readonly whole: Whole;
  /** Under this name `wire_issue` states an issue of the whole text. */
  readonly of: 'raw' | 'response';
  readonly payloads: Payloads;
  private readonly kept = new Map<string, unknown>();

  constructor(whole: Whole, of: 'raw' | 'response') {
    this.whole = whole;
    this.of = of;
    // A record's own text may be a JSON-RPC response or a bare payload, and nothing in it that a peer wrote may decide which.
    this.payloads = 'read' in whole ? payloadsIn(whole.read.root, 'either') : { payloads: [] };
  }

  /** Takes a JSON-RPC response, the data of a stream event, or a StreamResponse, Task or Message. */
  static of(text: string, of: 'raw' | 'response' = 'response'): PayloadText {
    return new PayloadText(readText(text), of);
  }

  once<T>(key: string, read: () => T): T {
    if (!this.kept.has(key)) this.kept.set(key, read());
    return this.kept.get(key) as T;
  }
}

/** A text that nothing is read from: no body, no event, or a binding whose bodies are not JSON. */
export const noPayload = (of: 'raw' | 'response'): PayloadText => new PayloadText({ empty: true }, of);
