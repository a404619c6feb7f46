import type { Ending } from '../ending.ts';
import type { CallSink, CallStart } from './call.ts';
import type { Endpoint } from './card-desk.ts';
import { messageFacts, traceIdOf } from './message-facts.ts';
import type { Binding } from './recognise.ts';
import type { Routed } from './routing.ts';
import { exchangeOf, exchangeSink } from './sinks.ts';
import { agentOf, answered, type WireState } from './wire-state.ts';

/** A server is asked, as A2A. */
export const served = (state: WireState, start: CallStart, body: Uint8Array, binding: Binding): CallSink => {
  const { context, observer, desk, sides } = state;
  const { process, url } = start;
  const by = { process, side: 'server', agent: null } as const;
  const endpoint = desk.isOfOther(process, url) ? null : desk.endpointFor(url, binding, by);
  const agent = endpoint?.agent ?? desk.servingAgent(start);
  const facts = { observer, endpoint_id: endpoint?.endpoint_id ?? null, client_agent: null, server_agent: agent };
  const recorder = exchangeOf(context, start, body, { ...facts, binding });
  sides.serves(start, { agent, process, exchange_id: recorder.reference });
  return exchangeSink(recorder);
};

/** A client asks, as A2A; `given`: the endpoint that sent it on to here. */
export const sent = (
  state: WireState,
  start: CallStart,
  body: Uint8Array,
  binding: Binding,
  given: Endpoint | null,
): CallSink => {
  const { context, observer, clock, desk, sides, routing, load, view } = state;
  const { session } = context;
  const { process, url } = start;
  const client_agent = agentOf(state, start);
  const endpoint = given ?? desk.endpointFor(url, binding, { process, side: 'client', agent: client_agent });
  const server_agent = endpoint?.agent ?? desk.agentAt(url);
  const endpoint_id = endpoint?.endpoint_id ?? null;
  const began = clock();
  const recorder = exchangeOf(context, start, body, {
    observer,
    endpoint_id,
    client_agent,
    server_agent,
    binding,
  });
  const exchange_id = recorder.reference;
  view?.exchange(exchange_id, start);
  const facts = messageFacts(binding, url, body);
  if (endpoint_id !== null) {
    load.reached(server_agent, endpoint_id);
    load.asked(server_agent);
    for (const capability of facts.skills) {
      session.record('capability_invocations', observer, {
        exchange_id,
        capability,
        basis: 'requested',
        caller_agent: client_agent,
      });
    }
  }
  let step: Routed | null = null;
  if (facts.isSend && exchange_id !== null && client_agent !== null) {
    const before = sides.before(start.cause, client_agent);
    const trace = traceIdOf(start.headers);
    step = routing.sent({
      ...facts,
      exchange_id,
      source: client_agent,
      destination: server_agent,
      trace,
      served: before,
    });
  }
  sides.sends(start, { process, step });
  let status = 0;
  return exchangeSink(recorder, {
    socket: (socket) => sides.connected(start, socket),
    response: (code, headers) => {
      status = code;
      if (endpoint_id !== null) load.answered(server_agent, (clock() - began) * 1_000);
      answered(state, start, code, headers, { kind: 'exchange', binding, endpoint });
    },
    end: (ended) => {
      if (exchange_id !== null) routing.ended(exchange_id, outcomeOf(status, ended), recorder.answer);
      if (endpoint_id !== null) load.ended(server_agent, ended, status !== 0);
    },
  });
};

const outcomeOf = (status: number, ended: Ending): 'ok' | 'failed' | null => {
  if (status === 0) return ended === 'aborted' ? null : 'failed';
  return status < 400 && ended === 'complete' ? 'ok' : 'failed';
};
