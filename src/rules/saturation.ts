import type { Graph } from '../relate/graph.ts';
import type { Link, Node } from '../relate/nodes.ts';
import { anchorMissing, factMissing } from './anchors.ts';
import type { Profile } from './profile.ts';
import type { Rule, Statement } from './rule.ts';
import { compareLoad, describeExcess } from './saturation-load.ts';
import { unfinishedTasks } from './saturation-unfinished.ts';

/** A snapshot whose endpoint is known, with the half-open tasks that state changes support. */
type Sample = {
  readonly node: Node<'task_load_snapshots'>;
  readonly sampled: Link<'endpoints'>;
  readonly slots: readonly Link<'task_transitions'>[];
  /** Snapshots so far that may be of this series but cannot be placed. */
  readonly unplaced: number;
};

const pathTo = (graph: Graph, { node, sampled, slots }: Sample, threshold: number): Statement['path'] => {
  for (const slot of slots.slice(0, threshold)) {
    const [cause] = graph.sources(slot.node, 'EXCHANGE_CAUSED_TRANSITION');
    if (cause !== undefined) return [cause.node, cause.edge, slot.node, slot.edge, node];
  }
  return [sampled.node, sampled.edge, node];
};

/** As many slots as the threshold asks for: more would support the same statement. */
const groundsOf = ({ node, sampled, slots }: Sample, slotCount: number): Statement['path'] => [
  node,
  sampled.node,
  sampled.edge,
  ...slots.slice(0, slotCount).flatMap((slot) => [slot.node, slot.edge]),
];

/** One agent at one endpoint, its snapshots in sequence order. */
const judgeSeries = (graph: Graph, samples: readonly Sample[], limits: Profile['hotf']): readonly Statement[] => {
  const threshold = limits.awaiting_input_threshold;
  const onset = samples.findIndex((sample) => sample.slots.length >= threshold);
  const previous = samples[onset - 1];
  const baseline = previous?.unplaced === samples[onset]?.unplaced ? previous : undefined;
  const beforeOnset = baseline === undefined ? 'no snapshot is known' : `snapshot ${baseline.node.id} is the last`;

  const basisOf = (sample: Sample) => ({
    path: pathTo(graph, sample, threshold),
    support: [...groundsOf(sample, threshold), ...(baseline === undefined ? [] : groundsOf(baseline, 0))],
    required: groundsOf(sample, threshold),
  });
  const told = ({ node, sampled, slots }: Sample, why: string): string =>
    `Agent ${node.record.agent} at endpoint ${sampled.node.id}, snapshot ${node.id}: state changes support ${slots.length} half-open tasks, ${node.record.awaiting_input_count} are stated, the threshold is ${threshold}; ${why}.`;
  const state = (reason: Statement['reason'], sample: Sample, why: string): Statement => ({
    reason,
    affected: sample.node,
    ...basisOf(sample),
    explanation: told(sample, why),
  });

  const unsupported = samples
    .filter(({ node, slots }) => node.record.awaiting_input_count >= threshold && slots.length < threshold)
    .map((sample): Statement => {
      const why = `of ${sample.node.record.awaiting_input_count - sample.slots.length} stated tasks the state changes are missing`;
      const { node } = sample;
      const path = pathTo(graph, sample, threshold);
      const missing = ['TASK_OCCUPIES_SLOT'];
      const reason = 'HOTF_COUNT_NOT_SUPPORTED';
      return { reason, affected: node, path, support: groundsOf(sample, 0), explanation: told(sample, why), missing };
    });
  if (onset < 0) return unsupported;

  const undecided: Statement[] = [];
  for (const sample of samples.slice(onset)) {
    if (sample.slots.length < threshold) continue;
    const load = compareLoad(sample.node.record, baseline?.node.record ?? null, limits);
    if (load.risen.length > 0) {
      const why = `${describeExcess(load.risen)}; before the onset ${beforeOnset}, and it was not above`;
      return [...unsupported, ...undecided, state('HOTF_DEGRADED_BY_HALF_OPEN_TASKS', sample, why)];
    }
    // A measurement that an agent never makes is said once, not for each of its snapshots.
    if (undecided.length > 0) continue;
    if (load.unmeasured.length > 0) {
      const why = `whether the service was degraded cannot be told, as ${load.unmeasured.join(', ')} was not measured in it or in the last snapshot before the onset (${baseline?.node.id ?? 'none is known'})`;
      undecided.push(factMissing(sample.node, load.unmeasured, told(sample, why), basisOf(sample)));
    } else if (load.incomparable.length > 0) {
      const why = `${describeExcess(load.incomparable)}; before the onset ${beforeOnset}`;
      undecided.push({ ...state('HOTF_NO_BASELINE', sample, why), missing: ['TaskLoadSnapshot'] });
    }
  }
  if (undecided.length > 0) return [...unsupported, ...undecided];
  const why = `no limit is passed that was not passed before; before the onset ${beforeOnset}`;
  return [...unsupported, state('HOTF_THRESHOLD_WITHOUT_DEGRADATION', samples[onset]!, why)];
};

/** HOTF, half-open task flooding: slots held by tasks that wait for input, then service that was not degraded before is. */
export const saturation: Rule = {
  watches: 'task_load',
  judge: (graph, profile) => {
    const snapshots = graph.nodes('task_load_snapshots');
    const statements: Statement[] = [];
    const series = new Map<string, Sample[]>();
    const unplaced = new Map<string | null, number>();
    for (const node of snapshots) {
      const { agent } = node.record;
      const [sampled] = graph.sources(node, 'ENDPOINT_SAMPLED_LOAD');
      if (sampled === undefined || agent === null) {
        unplaced.set(agent, (unplaced.get(agent) ?? 0) + 1);
        const explanation = `Snapshot ${node.id} does not say whose tasks it counts.`;
        statements.push(
          sampled === undefined
            ? anchorMissing(node, ['ENDPOINT_SAMPLED_LOAD'])
            : factMissing(node, ['agent'], explanation, { path: [sampled.node, sampled.edge, node] }),
        );
        continue;
      }
      const key = JSON.stringify([sampled.node.id, agent]);
      const samples = series.get(key) ?? [];
      series.set(key, samples);
      const slots = [...graph.sources(node, 'TASK_OCCUPIES_SLOT')];
      samples.push({ node, sampled, slots, unplaced: (unplaced.get(agent) ?? 0) + (unplaced.get(null) ?? 0) });
    }
    const judged = [...series.values()].flatMap((samples) => judgeSeries(graph, samples, profile.hotf));
    const unfinished = unfinishedTasks(graph, profile.hotf.awaiting_input_threshold);
    return { triggers: snapshots.length, statements: [...statements, ...judged, ...unfinished] };
  },
};
