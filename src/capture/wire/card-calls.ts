import type { CallSink, CallStart } from './call.ts';
import { cardBody, exchangeOf, exchangeSink, servedCardSink } from './sinks.ts';
import { agentOf, answered, type WireState } from './wire-state.ts';

/** A client fetches a card. */
export const fetchedCard = (state: WireState, start: CallStart, body: Uint8Array): CallSink => {
  const { context, observer, desk, view } = state;
  const { redactor } = context;
  const facts = {
    observer,
    endpoint_id: null,
    client_agent: agentOf(state, start),
    server_agent: null,
    references: false,
  };
  const recorder = exchangeOf(context, start, body, { ...facts, binding: 'HTTP+JSON' });
  view?.exchange(recorder.reference, start);
  const card = cardBody();
  let status = 0;
  const sink = exchangeSink(recorder, {
    response: (code, headers) => {
      status = code;
      answered(state, start, code, headers, { kind: 'card' });
    },
    end: (ended) => {
      const whole = status >= 200 && status < 300 ? card.whole(ended) : null;
      if (whole === null) return;
      desk.fetched(start.process, redactor.text(start.url), status, redactor.bytes(whole), recorder.reference);
    },
  });
  return {
    ...sink,
    chunk: (bytes) => {
      card.chunk(bytes);
      sink.chunk(bytes);
    },
  };
};

/** A server is asked for a card: its agent goes by that name from then on. */
export const servedCard = ({ context, desk }: WireState, { process }: CallStart): CallSink =>
  servedCardSink((bytes) => desk.served(process, context.redactor.bytes(bytes)));
