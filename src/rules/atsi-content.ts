import { portableCrypto } from '../base/portable-crypto.ts';
import { bodyBytes } from '../evidence/body.ts';
import type { Body } from '../evidence/fields.ts';
import type { Element, Graph, Link, Node } from '../relate/graph.ts';

type Artifact = Node<'artifacts'>;

/** An artifact record joined to the chunk that it continues; each chunk comes after the one before it, so there is no cycle. */
export type Chunk = {
  readonly node: Artifact;
  readonly before: Chunk | null;
  readonly join: Link<'artifacts'>['edge'] | null;
  /** Chunks and bytes up to here: what putting them together costs. */
  readonly cost: number;
  /** Why the content up to here cannot be put together; null when it can. */
  readonly fault: string | null;
  /** The edge to the chunk before is not there. */
  readonly detached: boolean;
  /** The content up to here was rendered. */
  readonly rendered: boolean;
};

/** Content of known digest: the bodies that make it up, in order. */
export type Content = {
  readonly bodies: readonly Body[];
  readonly sha256: string;
  readonly says: string;
  /** The record member that holds it. */
  readonly member: 'content' | 'output';
  /** What it rests on beyond the artifact. */
  readonly support: readonly Element[];
};

/** An attacker can have every prefix of a long stream rendered, which costs the square of its length. */
const ASSEMBLY_LIMIT = 64 * 1024 * 1024;

const faultOf = ({ id, record }: Artifact): string | null => {
  if (record.content !== null) {
    const { truncated, size } = record.content;
    return truncated === null ? null : `of artifact ${id} ${truncated} of ${size} bytes were kept`;
  }
  if (record.part_kind === 'url') return `artifact ${id} is given by reference alone`;
  return record.wire_issue === null ? null : `the content of artifact ${id} could not be read`;
};

const chunkOf = (graph: Graph, node: Artifact, known: ReadonlyMap<Artifact, Chunk>): Chunk => {
  const { appends_to, content } = node.record;
  const [join] = graph.targets(node, 'ARTIFACT_APPENDS_TO');
  const before = (join && known.get(join.node)) ?? null;
  const detached = appends_to !== null && before === null;
  return {
    node,
    before,
    join: before === null ? null : join!.edge,
    cost: (before?.cost ?? 0) + 1 + (content?.size ?? 0),
    fault: before?.fault ?? (detached ? `the chunk that artifact ${node.id} continues is not known` : faultOf(node)),
    detached: detached || before?.detached === true,
    rendered:
      graph.targets(node, 'ARTIFACT_RENDERED').length > 0 || ((content?.size ?? 0) === 0 && before?.rendered === true),
  };
};

/** Every artifact record, in sequence order. */
export const chunksOf = (graph: Graph): ReadonlyMap<Artifact, Chunk> => {
  const known = new Map<Artifact, Chunk>();
  for (const node of graph.nodes('artifacts')) known.set(node, chunkOf(graph, node, known));
  return known;
};

const elementsOf = (chain: readonly Chunk[]): readonly Element[] =>
  chain.flatMap(({ node, join }) => (join === null ? [node] : [join, node]));

/** Puts chunks together, up to a total that bounds one run. */
export class Assembler {
  #spent = 0;

  /** Takes a chunk; returns the content up to it, or in words why that is not to be had. */
  assemble(last: Chunk): Content | string {
    if (last.fault !== null) return last.fault;
    if (last.before === null) {
      const body = last.node.record.content;
      return body === null
        ? `artifact ${last.node.id} has no content`
        : { bodies: [body], sha256: body.sha256, says: `artifact ${last.node.id}`, member: 'content', support: [] };
    }
    const chain = this.#chain(last);
    if (chain === null) return `putting chunks together passed ${ASSEMBLY_LIMIT} bytes`;
    const bodies = chain.flatMap(({ node }) => node.record.content ?? []);
    const hash = portableCrypto.sha256Stream();
    for (const body of bodies) hash.update(bodyBytes(body));
    return {
      bodies,
      sha256: hash.hex(),
      says: `the ${chain.length} chunks up to artifact ${last.node.id}`,
      member: 'content',
      support: elementsOf(chain),
    };
  }

  /** Takes a chunk; returns the records and edges that join it to the first one, as far as they can be listed. */
  joined(last: Chunk): readonly Element[] {
    return last.before === null ? [] : elementsOf(this.#chain(last) ?? []);
  }

  #chain(last: Chunk): readonly Chunk[] | null {
    this.#spent += last.cost;
    if (this.#spent > ASSEMBLY_LIMIT) return null;
    const chain: Chunk[] = [];
    for (let at: Chunk | null = last; at !== null; at = at.before) chain.push(at);
    return chain.reverse();
  }
}

/**
 * The content that a renderer received: a sanitizer's output, the artifact record itself, or the chunks up to it, whichever
 * has the digest of its input; else in words why none has.
 */
export const renderedContent = (
  graph: Graph,
  render: Node<'artifact_renders'>,
  chunk: Chunk,
  assembler: Assembler,
): Content | string => {
  const input = render.record.input_sha256;
  const sanitizers = [
    ...graph.targets(render, 'RENDER_SANITIZER_STATE'),
    ...graph.targets(chunk.node, 'ARTIFACT_SANITIZED'),
  ];
  for (const { node, edge } of sanitizers) {
    const { output, name } = node.record;
    if (output?.sha256 !== input) continue;
    return {
      bodies: [output],
      sha256: input,
      says: `the output of sanitizer ${name} (${node.id})`,
      member: 'output',
      support: [edge, node],
    };
  }
  const own = chunk.node.record.content;
  if (own?.sha256 === input)
    return { bodies: [own], sha256: input, says: `artifact ${chunk.node.id}`, member: 'content', support: [] };
  const whole = assembler.assemble(chunk);
  if (typeof whole === 'string' || whole.sha256 === input) return whole;
  const tried =
    sanitizers.length === 0 ? 'no sanitizer is known' : `${sanitizers.length} sanitizer edges gave no such output`;
  return `${whole.says} has SHA-256 ${whole.sha256}, and ${tried}`;
};
