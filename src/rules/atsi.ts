import type { Reason } from '../base/reasons.ts';
import type { Graph, Node } from '../relate/graph.ts';
import { Assembler, chunksOf } from './atsi-content.ts';
import { createDetect } from './atsi-detect.ts';
import { judgeRender } from './atsi-render.ts';
import { judgeUnrendered } from './atsi-unrendered.ts';
import type { Rule, Statement } from './rule.ts';

/** Said of artifacts that are no triggers: under no type that they state do they hold active content. */
const NO_TRIGGER: ReadonlySet<Reason> = new Set([
  'ATSI_ACTIVE_ONLY_AS_HTML',
  'ATSI_UNRENDERED_NOT_JUDGED',
  'ATSI_REMOTE_LOAD_UNRENDERED',
]);

/** One statement for each reason and record: the first render gives it, the others are counted. */
const merged = (statements: readonly Statement[]): readonly Statement[] => {
  const first = new Map<string, { readonly statement: Statement; others: number }>();
  for (const statement of statements) {
    const key = `${statement.reason} ${statement.affected.type} ${statement.affected.id}`;
    const known = first.get(key);
    if (known === undefined) first.set(key, { statement, others: 0 });
    else known.others++;
  }
  return [...first.values()].map(({ statement, others }) =>
    others === 0
      ? statement
      : { ...statement, explanation: `${statement.explanation} Further renders with the same result: ${others}.` },
  );
};

const isLast = (graph: Graph, artifact: Node<'artifacts'>): boolean =>
  graph.sources(artifact, 'ARTIFACT_APPENDS_TO').length === 0;

/** ATSI, artifact-triggered script injection: the bytes a renderer received hold active content under the type it took them for. */
export const atsi: Rule = {
  watches: 'artifact_render',
  judge: (graph, { atsi: policy }) => {
    const chunks = chunksOf(graph);
    const assembler = new Assembler();
    const detect = createDetect(policy.inert_marker);
    const renders = graph.nodes('artifact_renders');
    const rendered = renders.flatMap((render) =>
      judgeRender({ graph, chunks, assembler, detect, sandboxed: policy.sandboxed_renderers }, render),
    );
    const unrendered = [...chunks.values()]
      .filter((chunk) => !chunk.rendered && isLast(graph, chunk.node))
      .flatMap((chunk) => judgeUnrendered(graph, chunk, assembler, detect) ?? []);
    const triggered = unrendered.filter(({ reason }) => !NO_TRIGGER.has(reason)).length;
    return { triggers: renders.length + triggered, statements: [...merged(rendered), ...unrendered] };
  },
};
