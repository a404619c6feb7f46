import { keyOf } from '../trail.ts';
import type { CallSink, CallStart } from '../wire/call.ts';
import { isCardRequest } from '../wire/recognise.ts';
import { servedCardSink } from '../wire/sinks.ts';
import { HeldCall } from './held-call.ts';
import type { CallTaker, WatchedRecording } from './recordings.ts';

const MAX_CARDS = 256;
/** Beyond, a card is not kept for later tests: the test that fetches it has it all the same. */
const MAX_CARD = 1 << 20;

/** The cards that were fetched or served so far, whatever the test: an agent that was met before a test began has its name in it. */
export class CardShelf {
  readonly #cards = new Map<string, { readonly process: string; readonly bytes: Uint8Array }>();

  /** Who takes a call down for the shelf; nobody, where it asks for no card. */
  takersOf(start: CallStart): readonly CallTaker[] {
    return isCardRequest(start) ? [new HeldCall(start, () => this.#sink(start))] : [];
  }

  /** Tells a recording that begins of the cards: they name agents there, and were chosen by nobody. */
  tell({ context, wire }: WatchedRecording): void {
    if (this.#cards.size > 0)
      context.session.note(
        'agent cards that were fetched or served before this test began name agents, and are no evidence',
      );
    for (const { process, bytes } of this.#cards.values()) wire.desk.served(process, context.redactor.bytes(bytes));
  }

  #sink({ process, url }: CallStart): CallSink {
    return servedCardSink((bytes) => {
      if (bytes.length > MAX_CARD) return;
      const key = keyOf(process, url);
      this.#cards.delete(key);
      this.#cards.set(key, { process, bytes });
      if (this.#cards.size > MAX_CARDS) this.#cards.delete(this.#cards.keys().next().value!);
    });
  }
}
