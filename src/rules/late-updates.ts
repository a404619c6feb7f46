import type { Graph } from '../relate/graph.ts';
import type { Link, Node } from '../relate/nodes.ts';
import { named } from './anchors.ts';
import { quoted } from './detectors/uri/quoted.ts';
import type { Statement } from './rule.ts';

type Part = Link<'artifacts'>;
/** The parts of one artifact as one observer saw them come. */
type Sighting = { last: Part | undefined; late: Part | undefined; count: number };

/** Parts of one update come as several records, in part order. */
const isOfSameUpdate = ({ node: { record: a } }: Part, { node: { record: b } }: Part): boolean =>
  a.wire_event === b.wire_event && a.raw?.sha256 === b.raw?.sha256 && (a.part_index ?? 0) < (b.part_index ?? 0);

const follow = (sighting: Sighting, part: Part): void => {
  const { last } = sighting;
  if (last !== undefined && !isOfSameUpdate(last, part)) {
    sighting.late ??= part;
    sighting.count++;
  } else if (part.node.record.last_chunk === true) sighting.last = part;
};

/** Updates of an artifact after one that said lastChunk: one statement for each artifact of an exchange. */
export function* lateUpdates(graph: Graph, exchange: Node<'exchanges'>): Iterable<Statement> {
  const sightings = new Map<string, Sighting>();
  for (const part of graph.targets(exchange, 'EXCHANGE_PRODUCED_ARTIFACT')) {
    const { record } = part.node;
    if (record.payload !== 'artifact_update' || record.artifact_id === null) continue;
    const { artifact_id, task_id, observer, wire_event } = record;
    const key = JSON.stringify([observer, wire_event === null, task_id, artifact_id]);
    const sighting = sightings.get(key) ?? { last: undefined, late: undefined, count: 0 };
    sightings.set(key, sighting);
    follow(sighting, part);
  }
  for (const { last, late, count } of sightings.values()) {
    if (last === undefined || late === undefined) continue;
    const { node, edge } = late;
    yield {
      reason: 'ARTIFACT_UPDATE_AFTER_LAST_CHUNK',
      affected: node,
      path: [exchange, edge, node],
      support: [last.edge, last.node],
      explanation: `${named(node)} updates artifact ${quoted(node.record.artifact_id ?? '')} after ${named(last.node)}, which said lastChunk; parts that came after it: ${count}.`,
    };
  }
}
