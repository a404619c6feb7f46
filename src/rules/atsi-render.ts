import type { Reason } from '../base/reasons.ts';
import type { Graph } from '../relate/graph.ts';
import type { Element, Link, Node } from '../relate/nodes.ts';
import { anchorMissing, factMissing } from './anchors.ts';
import { type Assembler, type Chunk, type Chunks, type Content, PASSED, renderedContent } from './atsi-content.ts';
import { cutOf, type Detect, indicatorsTold, isInertType, loadsTold } from './atsi-detect.ts';
import type { Detection } from './detectors/markup/detect.ts';
import type { Statement } from './rule.ts';

/** What one run of the rule holds. */
type Run = {
  readonly graph: Graph;
  readonly chunks: Chunks;
  readonly assembler: Assembler;
  readonly detect: Detect;
  readonly sandboxed: readonly string[];
};

/** A render with its anchors. */
type Anchored = {
  readonly render: Node<'artifact_renders'>;
  readonly rendered: Link<'artifacts'>['edge'];
  readonly chunk: Chunk;
  readonly producer: Link<'exchanges'>;
};

const verdictsOn = (detection: Detection, sandboxed: boolean): readonly (readonly [Reason, string])[] => {
  const { verdict, indicators, remoteLoads, notes, reason } = detection;
  const loads = remoteLoads.length === 0 ? null : `remote loads ${loadsTold(remoteLoads)}`;
  if (verdict === 'active') {
    const why = `active content ${indicatorsTold(indicators)}${loads === null ? '' : `; ${loads}`}`;
    return [[sandboxed ? 'ATSI_ACTIVE_CONTENT_SANDBOXED' : 'ATSI_ACTIVE_CONTENT_INTERPRETED', why]];
  }
  const found: (readonly [Reason, string])[] = [];
  if (verdict === 'inconclusive') found.push(['ATSI_NOT_JUDGED', reason ?? '']);
  if (loads !== null) found.push([sandboxed ? 'ATSI_REMOTE_LOAD_SANDBOXED' : 'ATSI_REMOTE_LOAD', loads]);
  if (notes.length > 0) found.push(['ATSI_LATENT_ACTIVE_CONTENT', indicatorsTold(notes)]);
  return found;
};

const judgeAnchored = (
  { assembler, detect, sandboxed }: Run,
  { render, rendered, chunk, producer }: Anchored,
  content: Content | string,
): readonly Statement[] => {
  const { renderer, interpreted_as: interpretedAs, mode, input_sha256: input } = render.record;
  const artifact = chunk.node;
  const path: readonly Element[] = [producer.node, producer.edge, artifact];
  const held = typeof content === 'string' ? [] : content.support;
  // A sanitizer that changed nothing gave what the artifact holds already.
  const needed = typeof content === 'string' || content.member === 'output' ? [] : held;
  const told = () =>
    `Render ${render.id} by ${renderer} of artifact ${artifact.id}, ${mode} as ${interpretedAs ?? 'an unknown type'}`;
  const state = (reason: Reason, why: string): Statement => ({
    reason,
    affected: artifact,
    path,
    support: [rendered, render, ...held],
    required: [...path, rendered, render, ...needed],
    explanation: `${told()}: ${why}.`,
  });
  const undecided = { path: [...path, rendered, render], support: held };
  const lacking = (reason: Reason, why: string, missing: string): Statement => ({
    ...undecided,
    reason,
    affected: render,
    explanation: `${told()}: ${why}.`,
    missing: [missing],
  });

  if (mode === 'source') {
    if (typeof content === 'string' || cutOf(content) !== null) return [];
    const type = interpretedAs ?? artifact.record.media_type ?? 'text/html';
    const { verdict, indicators } = detect(content, type, producer);
    return verdict === 'active' ? [state('ATSI_ACTIVE_SHOWN_AS_SOURCE', indicatorsTold(indicators))] : [];
  }
  if (interpretedAs === null) return [factMissing(render, ['interpreted_as'], `${told()}.`, undecided)];
  if (typeof content === 'string') {
    if (chunk.fault !== null) return [lacking('ATSI_CONTENT_NOT_HELD', content, 'content')];
    if (content === PASSED) return [state('ATSI_NOT_JUDGED', content)];
    const support = assembler.joined(chunk);
    const untraced = lacking('ATSI_INPUT_NOT_TRACED', `it received SHA-256 ${input}; ${content}`, 'input_sha256');
    return [{ ...untraced, support, required: [...untraced.path, ...support] }];
  }
  if (isInertType(interpretedAs)) return [];
  const cut = cutOf(content);
  if (cut !== null) return [lacking('ATSI_CONTENT_NOT_HELD', cut, content.member)];
  const detection = detect(content, interpretedAs, producer);
  return verdictsOn(detection, sandboxed.includes(renderer)).map(([reason, why]) =>
    state(reason, `${why} (in ${content.says})`),
  );
};

/** What a run says of one render, and the key under which equal results are counted: those of one stream are one. */
export type Told = { readonly key: string; readonly statement: Statement };

const toldOf = (statement: Statement, chunk: Chunk | null): Told => {
  const about = chunk === null || chunk.before === null ? statement.affected : chunk.first;
  return { key: `${statement.reason} ${about.type} ${about.id}`, statement };
};

/** Judges one render: its anchors, then which bytes it received, then what they are under the type it took them for. */
export const judgeRender = (run: Run, render: Node<'artifact_renders'>): readonly Told[] => {
  const { graph } = run;
  const [artifact] = graph.sources(render, 'ARTIFACT_RENDERED');
  if (artifact === undefined) return [toldOf(anchorMissing(render, ['ARTIFACT_RENDERED']), null)];
  const [producer] = graph.sources(artifact.node, 'EXCHANGE_PRODUCED_ARTIFACT');
  if (producer === undefined) {
    const path = [artifact.node, artifact.edge, render];
    return [toldOf(anchorMissing(render, ['EXCHANGE_PRODUCED_ARTIFACT'], { path }), null)];
  }
  const chunk = run.chunks.of(artifact.node);
  const content = renderedContent(graph, render, chunk, run.assembler);
  const statements = judgeAnchored(run, { render, rendered: artifact.edge, chunk, producer }, content);
  return statements.map((statement) => toldOf(statement, chunk));
};
