import type { ServedRequest } from '../../../harness/lab/network.ts';
import {
  agentAt,
  at,
  type Case,
  callsOf,
  type Expected,
  hold,
  hostOf,
  keptHeaders,
  parsed,
  rawPairs,
  wholeBody,
} from './compare.ts';

/** What an exchange record must hold of one call, by the log of the server that served it. */
const exchangeOf = ({ bundle }: Case, call: ServedRequest): Expected<'exchanges'> => {
  const [request, response] = [parsed(call.body), parsed(call.response)];
  const headers = keptHeaders(rawPairs(call.headers));
  return {
    endpoint_id: bundle.endpoints.find(({ url }) => hostOf(url) === call.host)?.endpoint_id,
    server_agent: agentAt(call.host),
    binding: 'JSONRPC',
    method: call.method,
    url: `http://${call.host}${call.path}`,
    status: call.status,
    ended: 'complete',
    request_headers: headers,
    response_headers: keptHeaders(Object.entries(call.responseHeaders)),
    request_body: wholeBody(call.body),
    response_body: wholeBody(call.response),
    protocol_version: headers.find(([name]) => name === 'a2a-version')?.[1],
    rpc_method: at(request, 'method'),
    request_id: JSON.stringify(request.id),
    message_id: at(request, 'params', 'message', 'messageId'),
    request_task_id: at(request, 'params', 'message', 'taskId'),
    request_context_id: at(request, 'params', 'message', 'contextId'),
    response_id: JSON.stringify(response.id),
    error_code: at(response, 'error', 'code'),
    response_task_id: at(response, 'result', 'task', 'id') ?? at(response, 'result', 'message', 'taskId'),
    response_context_id: at(response, 'result', 'task', 'contextId') ?? at(response, 'result', 'message', 'contextId'),
    event_count: null,
    wire_issue: null,
  };
};

/** Who sent each call, in order: the desk, and in a round the agent that says it handed on. */
const sendersOf = ({ run }: Case, calls: number): string[] => {
  const handedOn = run.witness.log.flatMap((entry) => (entry.what === 'handed_on' ? [entry.from] : []));
  return [...Array.from({ length: calls - handedOn.length }, () => 'desk'), ...handedOn];
};

/** Each call stands twice in a bundle: as its client saw it, and as its server did, which cannot tell who the client was. */
export const exchanges = (given: Case): string[] =>
  ['sdk-client', 'sdk-server'].flatMap((observer) => {
    const calls = callsOf(given, observer);
    const senders = sendersOf(given, calls.length);
    return hold(
      'exchanges',
      given.bundle.exchanges.filter((exchange) => exchange.observer === observer),
      calls.map((call, place) => ({
        ...exchangeOf(given, call),
        client_agent: observer === 'sdk-client' ? senders[place] : null,
      })),
    );
  });

/** The id of the exchange in which an observer saw a call. */
export const exchangeIdOf = ({ bundle }: Case, observer: string, call: ServedRequest | undefined): string | undefined =>
  bundle.exchanges.find((exchange) => exchange.observer === observer && exchange.request_body?.text === call?.body)
    ?.exchange_id;

export const capabilityInvocations = (given: Case): string[] => {
  const { bundle, run } = given;
  const ran = run.witness.log.filter((entry) => entry.what === 'skill_ran');
  return hold(
    'capability_invocations',
    bundle.capability_invocations,
    ran.map(({ skill, text }) => {
      const call = run.witness.served.find(({ body }) => body.includes(JSON.stringify(text)));
      return {
        exchange_id: exchangeIdOf(given, 'sdk-server', call),
        capability: skill,
        basis: 'executed',
        caller_agent: 'desk',
        observer: 'application',
      };
    }),
  );
};

export const routingEvents = (given: Case): string[] => {
  const { bundle, run } = given;
  const handedOn = run.witness.log.filter((entry) => entry.what === 'handed_on');
  const calls = callsOf(given, 'sdk-client').slice(-handedOn.length);
  return hold(
    'routing_events',
    bundle.routing_events,
    handedOn.map(({ from, to, section }, place) => {
      const result = parsed(calls[place]!.response).result;
      const exchange_id = exchangeIdOf(given, 'sdk-client', calls[place]);
      return {
        exchange_id,
        source_agent: from,
        destination_agent: to,
        predecessor: place === 0 ? 'root' : bundle.routing_events[place - 1]?.routing_id,
        joined_by: place === 0 ? null : 'application',
        outcome: calls[place]!.status === 200 ? 'ok' : 'failed',
        progress: at(result, 'task', 'artifacts', 0) !== null,
        progress_transition_id: null,
        progress_artifact_record_id:
          section === null
            ? null
            : bundle.artifacts.find((part) => part.artifact_id === section && part.exchange_id === exchange_id)
                ?.artifact_record_id,
        task_id: at(result, 'task', 'id'),
        context_id: at(result, 'task', 'contextId') ?? at(result, 'message', 'contextId'),
        observer: 'application',
      };
    }),
  );
};
