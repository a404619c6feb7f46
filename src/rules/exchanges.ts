import { parseWire } from '../base/wire-json.ts';
import type { Graph } from '../relate/graph.ts';
import type { Element, Link, Node } from '../relate/nodes.ts';
import { named } from './anchors.ts';
import { cardInterfaces } from './card-interfaces.ts';
import { quoted, quotedList } from './detectors/uri/quoted.ts';
import { lateUpdates } from './late-updates.ts';
import type { Profile } from './profile.ts';
import type { Statement } from './rule.ts';

type Exchange = Node<'exchanges'>;

const observed = (
  reason: Statement['reason'],
  exchange: Exchange,
  explanation: string,
  support: readonly Element[] = [],
): Statement => ({ reason, affected: exchange, path: [exchange], support, explanation });

const ending = (exchange: Exchange): Statement | null => {
  const { ended } = exchange.record;
  if (ended === 'complete') return null;
  const { status, url, binding } = exchange.record;
  const unseen = binding === 'GRPC' ? 'HTTP status is not seen of gRPC' : 'no response came';
  const response = status === null ? unseen : `the response had HTTP status ${status}`;
  const explanation = `${named(exchange)} with ${quoted(url)} ended ${quoted(ended)}, not complete; ${response}.`;
  return observed('EXCHANGE_NOT_COMPLETE', exchange, explanation);
};

const wireIssues = (exchange: Exchange): Statement | null => {
  const { wire_issue } = exchange.record;
  if (wire_issue === null) return null;
  const issues = Object.entries(wire_issue).map(([field, issue]) => `${field}: ${issue}`);
  if (issues.length === 0) return null;
  const explanation = `Fields of ${named(exchange)} that could not be read without doubt: ${quotedList(issues.toSorted())}.`;
  return observed('EXCHANGE_WIRE_ISSUE', exchange, explanation);
};

/** JSON strings are one id however they are escaped; of other tokens each spelling is an id of its own, since parsers differ. */
const isSameId = (a: string, b: string): boolean => {
  if (a === b) return true;
  const [left, right] = [parseWire(a), parseWire(b)];
  return left?.kind === 'string' && right?.kind === 'string' && left.value === right.value;
};

const TOKEN_SHOWN = 200;
/** A token is JSON text already: quoting it would escape it twice. */
const shown = (token: string): string => (token.length > TOKEN_SHOWN ? `${token.slice(0, TOKEN_SHOWN)}…` : token);

const isId = (token: string | null): token is string => token !== null && token !== 'null';

const responseId = (exchange: Exchange): Statement | null => {
  const { binding, request_id: asked, response_id: answered } = exchange.record;
  if (binding !== 'JSONRPC' || !isId(asked) || asked === answered) return null;
  const { response_body, event_count, wire_issue } = exchange.record;
  if (response_body === null || response_body.size === 0) return null;
  if (event_count === 0 || wire_issue?.response !== undefined || wire_issue?.response_id !== undefined) return null;
  if (!isId(answered)) {
    const explanation = `${named(exchange)} has the JSON-RPC id ${shown(asked)}, its response ${answered ?? 'none'}.`;
    return observed('RESPONSE_ID_ABSENT', exchange, explanation);
  }
  if (isSameId(asked, answered)) return null;
  const explanation = `${named(exchange)} has the JSON-RPC id ${shown(asked)}, its response ${shown(answered)} (JSON tokens as sent).`;
  return observed('RESPONSE_ID_DIFFERS', exchange, explanation);
};

const RESTING: readonly (string | null)[] = [
  'completed',
  'canceled',
  'failed',
  'rejected',
  'input-required',
  'auth-required',
];

/** The last transition of each task that the exchange brought; those of tasks whose id was not read count as one. */
const lastTransitions = (graph: Graph, exchange: Exchange): readonly Link<'task_transitions'>[] => {
  const last = new Map<string | null, Link<'task_transitions'>>();
  for (const link of graph.targets(exchange, 'EXCHANGE_CAUSED_TRANSITION')) last.set(link.node.record.task_id, link);
  return [...last.values()];
};

const stream = (graph: Graph, exchange: Exchange): Statement | null => {
  const { ended, event_count, wire_issue } = exchange.record;
  const isStream = event_count !== null || wire_issue?.event_count !== undefined;
  if (!isStream || ended !== 'complete') return null;
  const without = (explanation: string, support: readonly Element[] = []): Statement =>
    observed('STREAM_WITHOUT_FINAL_STATE', exchange, explanation, support);
  if (event_count === 0) return without(`The event stream of ${named(exchange)} ended without any event.`);
  const transitions = lastTransitions(graph, exchange);
  const unsettled = transitions.find(({ node }) => !RESTING.includes(node.record.state));
  if (unsettled !== undefined) {
    const { task_id, state } = unsettled.node.record;
    const task = task_id === null ? 'a task whose id was not read' : `task ${quoted(task_id)}`;
    const explanation = `The event stream of ${named(exchange)} ended when the last state of ${task} was ${state ?? 'one that could not be read'} (${named(unsettled.node)}).`;
    return without(explanation, [unsettled.edge, unsettled.node]);
  }
  const update = [...graph.targets(exchange, 'EXCHANGE_PRODUCED_ARTIFACT')].find(
    ({ node }) => node.record.payload === 'artifact_update',
  );
  if (transitions.length > 0 || update === undefined) return null;
  const explanation = `The event stream of ${named(exchange)} brought ${named(update.node)}, and ended without any state of its task.`;
  return without(explanation, [update.edge, update.node]);
};

/**
 * Takes a graph; returns what is worth knowing of exchanges, cards and streams as such, although it belongs to no condition family:
 * statements of level warning and note, in the order of the exchanges, then of the cards. No profile switches them off.
 */
export const observeExchanges: (graph: Graph, profile: Profile) => readonly Statement[] = (graph) => {
  const statements: Statement[] = [];
  // An exchange may have brought thousands of parts: they are followed only where some are updates.
  const hasUpdates = graph.nodes('artifacts').some(({ record }) => record.payload === 'artifact_update');
  for (const exchange of graph.nodes('exchanges')) {
    for (const said of [ending(exchange), stream(graph, exchange), responseId(exchange), wireIssues(exchange)])
      if (said !== null) statements.push(said);
    if (hasUpdates) for (const late of lateUpdates(graph, exchange)) statements.push(late);
  }
  for (const disagreeing of cardInterfaces(graph)) statements.push(disagreeing);
  return statements;
};
