import type { Reason } from '../base/reasons.ts';
import type { Graph } from '../relate/graph.ts';
import type { Element, Link, Node } from '../relate/nodes.ts';
import { anchorMissing } from './anchors.ts';
import type { Assembler, Chunk, Content } from './atsi-content.ts';
import { type Detect, indicatorsTold, loadsTold } from './atsi-detect.ts';
import type { Detection } from './detectors/markup/detect.ts';
import type { Statement } from './rule.ts';

/** What an artifact that nobody was seen to render would be. */
type Potential = { readonly detection: Detection; readonly onlyAsHtml: boolean };

/** Without a media type, text is what a chat window takes it for: Markdown, and at worst HTML. */
const potentialOf = (
  chunk: Chunk,
  content: Content,
  producer: Link<'exchanges'> | undefined,
  detect: Detect,
): Potential => {
  const { media_type, part_kind } = chunk.node.record;
  const under = (type: string) => detect(content, type, producer);
  if (media_type !== null) return { detection: under(media_type), onlyAsHtml: false };
  if (part_kind === 'data') return { detection: under('application/json'), onlyAsHtml: false };
  const markdown = under('text/markdown');
  if (markdown.verdict === 'active') return { detection: markdown, onlyAsHtml: false };
  const html = under('text/html');
  return html.verdict === 'active' ? { detection: html, onlyAsHtml: true } : { detection: markdown, onlyAsHtml: false };
};

/** The reason and why; null where there is nothing to say. */
const judgePotential = ({ detection, onlyAsHtml }: Potential, watched: boolean): readonly [Reason, string] | null => {
  const { verdict, indicators, remoteLoads, reason } = detection;
  switch (verdict) {
    case 'active': {
      const why = `active content: ${indicatorsTold(indicators)}`;
      if (onlyAsHtml) return ['ATSI_ACTIVE_ONLY_AS_HTML', why];
      return [watched ? 'ATSI_ACTIVE_UNRENDERED' : 'ATSI_RENDER_NOT_WATCHED', why];
    }
    case 'inconclusive':
      return ['ATSI_UNRENDERED_NOT_JUDGED', reason ?? ''];
    case 'inert':
      return remoteLoads.length > 0 ? ['ATSI_REMOTE_LOAD_UNRENDERED', loadsTold(remoteLoads)] : null;
  }
};

type Run = {
  readonly graph: Graph;
  readonly assembler: Assembler;
  readonly detect: Detect;
  /** SHA-256 of each content that was rendered, whichever record it was rendered from. */
  readonly shown: ReadonlySet<string>;
};

/** Whether nothing can be said of an artifact of one chunk: most of what agents make is text that nothing of is active, and held whole. */
export const isWholeAndInert = ({ record }: Node<'artifacts'>, detect: Detect): boolean => {
  const { media_type } = record;
  return media_type !== null && detect.isInert(media_type) && record.content?.truncated === null;
};

/**
 * The last chunk of an artifact that no render is joined to. An anchor can be missing only from a trigger, and whether this is one
 * its content alone tells: so it is looked at first, and nothing of it is said.
 */
export const judgeUnrendered = ({ graph, assembler, detect, shown }: Run, chunk: Chunk): Statement | null => {
  const { node } = chunk;
  const { content, part_kind, appends_to, wire_issue } = node.record;
  if (part_kind === 'url' || (content === null && wire_issue === null && appends_to === null)) return null;
  if (chunk.detached) return anchorMissing(node, ['ARTIFACT_APPENDS_TO']);
  const producer: Link<'exchanges'> | undefined = graph.sources(node, 'EXCHANGE_PRODUCED_ARTIFACT').at(0);
  const state = (reason: Reason, why: string, support: readonly Element[], missing?: readonly string[]): Statement =>
    producer === undefined
      ? anchorMissing(node, ['EXCHANGE_PRODUCED_ARTIFACT'])
      : {
          reason,
          affected: node,
          path: [producer.node, producer.edge, node],
          support,
          required: [producer.node, producer.edge, node, ...support],
          explanation: `No render of artifact ${node.id} (media type ${node.record.media_type ?? 'not stated'}) is recorded; ${why}.`,
          ...(missing === undefined ? {} : { missing }),
        };

  const whole = assembler.assemble(chunk);
  if (typeof whole === 'string') return state('ATSI_CONTENT_NOT_HELD', whole, assembler.joined(chunk), ['content']);
  if (producer !== undefined && shown.has(whole.sha256)) return null;
  const [metadata] = graph.nodes('trace_metadata');
  const watched = metadata?.record.coverage.artifact_render === true;
  const judged = judgePotential(potentialOf(chunk, whole, producer, detect), watched);
  if (judged === null) return null;
  const [reason, why] = judged;
  const isObservation = reason !== 'ATSI_ACTIVE_UNRENDERED' && reason !== 'ATSI_RENDER_NOT_WATCHED';
  if (producer === undefined && isObservation) return null;
  const support = reason === 'ATSI_ACTIVE_UNRENDERED' && metadata ? [...whole.support, metadata] : whole.support;
  const missing = reason === 'ATSI_RENDER_NOT_WATCHED' ? ['coverage.artifact_render'] : undefined;
  return state(reason, `${why} (in ${whole.says})`, support, missing);
};
