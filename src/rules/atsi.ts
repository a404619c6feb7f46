import type { Reason } from '../base/reasons.ts';
import type { Node } from '../relate/nodes.ts';
import { Assembler, Chunks } from './atsi-content.ts';
import { createDetect } from './atsi-detect.ts';
import { judgeRender, type Told } from './atsi-render.ts';
import { isWholeAndInert, judgeUnrendered } from './atsi-unrendered.ts';
import type { Rule, Statement } from './rule.ts';

/** Said of artifacts that are no triggers: under no type that they state do they hold active content. */
const NO_TRIGGER: ReadonlySet<Reason> = new Set([
  'ATSI_ACTIVE_ONLY_AS_HTML',
  'ATSI_UNRENDERED_NOT_JUDGED',
  'ATSI_REMOTE_LOAD_UNRENDERED',
]);

/** The first statement under each key; the others are counted as they come, since each may list thousands of chunks. */
class Merged {
  readonly #of: string;
  readonly #first = new Map<string, { readonly statement: Statement; others: number }>();

  constructor(of: 'renders' | 'artifacts') {
    this.#of = of;
  }

  add({ key, statement }: Told): void {
    const known = this.#first.get(key);
    if (known === undefined) this.#first.set(key, { statement, others: 0 });
    else known.others++;
  }

  statements(): readonly Statement[] {
    return [...this.#first.values()].map(({ statement, others }) =>
      others === 0
        ? statement
        : {
            ...statement,
            explanation: `${statement.explanation} Further ${this.#of} with the same result: ${others}.`,
          },
    );
  }
}

/** Digests of what was rendered: one artifact is recorded by each side that saw it, and only one side hands it to a renderer. */
const shownContents = (
  artifacts: readonly Node<'artifacts'>[],
  chunks: Chunks,
  assembler: Assembler,
): ReadonlySet<string> => {
  const digests = new Set<string>();
  for (const artifact of artifacts) {
    if (!chunks.isRendered(artifact)) continue;
    const chunk = chunks.of(artifact);
    if (chunk.fault === null) digests.add(assembler.digest(chunk));
  }
  return digests;
};

/** ATSI, artifact-triggered script injection: the bytes a renderer received hold active content under the type it took them for. */
export const atsi: Rule = {
  watches: 'artifact_render',
  judge: (graph, { atsi: policy }) => {
    const artifacts = graph.nodes('artifacts');
    const chunks = new Chunks(graph);
    const assembler = new Assembler();
    const detect = createDetect(policy.inert_marker);
    const renders = graph.nodes('artifact_renders');
    const run = { graph, chunks, assembler, detect, sandboxed: policy.sandboxed_renderers };
    const rendered = new Merged('renders');
    for (const render of renders) for (const told of judgeRender(run, render)) rendered.add(told);
    const unseen = { ...run, shown: shownContents(artifacts, chunks, assembler) };
    const unrendered = new Merged('artifacts');
    let triggers = renders.length;
    for (const artifact of artifacts) {
      if (chunks.isRendered(artifact)) continue;
      if (chunks.isAlone(artifact) ? isWholeAndInert(artifact, detect) : !chunks.isLast(artifact)) continue;
      const chunk = chunks.of(artifact);
      const statement = judgeUnrendered(unseen, chunk);
      if (statement === null) continue;
      if (!NO_TRIGGER.has(statement.reason)) triggers++;
      unrendered.add({ key: `${statement.reason} ${chunk.first.id}`, statement });
    }
    return { triggers, statements: [...rendered.statements(), ...unrendered.statements()] };
  },
};
