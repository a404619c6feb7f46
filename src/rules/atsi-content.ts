import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { bodyBytes } from '../evidence/body.ts';
import type { Body } from '../evidence/fields.ts';
import type { Graph } from '../relate/graph.ts';
import type { Element, Link, Node } from '../relate/nodes.ts';

type Artifact = Node<'artifacts'>;

/** An artifact record joined to the chunk that it continues; each chunk comes after the one before it, so there is no cycle. */
export type Chunk = {
  readonly node: Artifact;
  readonly before: Chunk | null;
  /** The chunk that all before it continue, or itself. */
  readonly first: Artifact;
  readonly join: Link<'artifacts'>['edge'] | null;
  /** What putting together the chunks up to here costs: their bytes, and some for listing each. */
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
  /** The record that the last of them is of. */
  readonly holder: Node['record'];
  readonly sha256: string;
  readonly says: string;
  /** The record member that holds it. */
  readonly member: 'content' | 'output';
  /** What it rests on beyond the artifact. */
  readonly support: readonly Element[];
};

/** An attacker can have every prefix of a long stream rendered, which costs the square of its length. */
const LISTING_COST = 8;
const ASSEMBLY_LIMIT = 64 * 1024 * 1024;
/** Said of content that is known but was not put together. */
export const PASSED = `putting chunks together passed ${ASSEMBLY_LIMIT} bytes`;

const faultOf = (artifact: Artifact): string | null => {
  const { record } = artifact;
  if (record.content !== null) {
    const { truncated, size } = record.content;
    return truncated === null ? null : `of artifact ${artifact.id} ${truncated} of ${size} bytes were kept`;
  }
  if (record.part_kind === 'url') return `artifact ${artifact.id} is given by reference alone`;
  return record.wire_issue === null ? null : `the content of artifact ${artifact.id} could not be read`;
};

const isRendered = (graph: Graph, node: Artifact): boolean => graph.targets(node, 'ARTIFACT_RENDERED').length > 0;

const chunkOf = (graph: Graph, node: Artifact, known: ReadonlyMap<Artifact, Chunk>): Chunk => {
  const { appends_to, content } = node.record;
  const join = graph.targets(node, 'ARTIFACT_APPENDS_TO').at(0);
  const before = (join && known.get(join.node)) ?? null;
  const detached = appends_to !== null && before === null;
  const size = content?.size ?? 0;
  return {
    node,
    before,
    first: before?.first ?? node,
    join: before === null ? null : join!.edge,
    cost: (before?.cost ?? 0) + LISTING_COST + size,
    fault: before?.fault ?? (detached ? `the chunk that artifact ${node.id} continues is not known` : faultOf(node)),
    detached: detached || before?.detached === true,
    rendered: isRendered(graph, node) || (size === 0 && before?.rendered === true),
  };
};

/** The artifact records of a graph as chunks. Most stand alone: such a one is made whenever it is asked for. */
export class Chunks {
  readonly #graph: Graph;
  readonly #joined = new Map<Artifact, Chunk>();

  constructor(graph: Graph) {
    this.#graph = graph;
    for (const node of graph.nodes('artifacts')) {
      const isJoined = node.record.appends_to !== null || !this.isLast(node);
      if (isJoined) this.#joined.set(node, chunkOf(graph, node, this.#joined));
    }
  }

  of(artifact: Artifact): Chunk {
    return this.#joined.get(artifact) ?? chunkOf(this.#graph, artifact, this.#joined);
  }

  /** Whether it continues no chunk, and none continues it. */
  isAlone(artifact: Artifact): boolean {
    return !this.#joined.has(artifact);
  }

  /** Whether no chunk continues it. */
  isLast(artifact: Artifact): boolean {
    return this.#graph.sources(artifact, 'ARTIFACT_APPENDS_TO').length === 0;
  }

  /** Whether the content up to it was rendered. */
  isRendered(artifact: Artifact): boolean {
    return this.#joined.get(artifact)?.rendered ?? isRendered(this.#graph, artifact);
  }
}

const elementsOf = (chain: readonly Chunk[]): readonly Element[] =>
  chain.flatMap(({ node, join }) => (join === null ? [node] : [join, node]));

/** The content of an artifact that is held by its one record. */
const ownContent = ({ id, record }: Artifact, body: Body): Content => ({
  bodies: [body],
  holder: record,
  sha256: body.sha256,
  says: `artifact ${id}`,
  member: 'content',
  support: [],
});

/** Puts chunks together; what one run lists and copies is bounded, so that a hostile stream costs no square of its length. */
export class Assembler {
  #spent = 0;
  readonly #outputs = new Map<Artifact, ReadonlyMap<string, Link<'sanitizers'>>>();
  readonly #hashes = new Map<Artifact, ReturnType<typeof sha256.create>>();

  /** Takes an artifact; returns the sanitizers that worked on it by the SHA-256 of what they gave. */
  outputs(graph: Graph, artifact: Artifact): ReadonlyMap<string, Link<'sanitizers'>> {
    const known = this.#outputs.get(artifact);
    if (known !== undefined) return known;
    const outputs = new Map<string, Link<'sanitizers'>>();
    for (const link of [...graph.targets(artifact, 'ARTIFACT_SANITIZED')].reverse()) {
      const { output } = link.node.record;
      if (output !== null) outputs.set(output.sha256, link);
    }
    this.#outputs.set(artifact, outputs);
    return outputs;
  }

  /** Takes a chunk without fault; returns the SHA-256 of the content up to it. All prefixes of a stream cost one pass. */
  digest(last: Chunk): string {
    const own = last.node.record.content;
    if (last.before === null && own !== null) return own.sha256;
    const unhashed: Chunk[] = [];
    let at: Chunk | null = last;
    for (; at !== null && !this.#hashes.has(at.node); at = at.before) unhashed.push(at);
    let hash = at === null ? sha256.create() : this.#hashes.get(at.node)!;
    for (const chunk of unhashed.reverse()) {
      const { content } = chunk.node.record;
      hash = hash.clone();
      if (content !== null) hash.update(bodyBytes(content));
      this.#hashes.set(chunk.node, hash);
    }
    return bytesToHex(hash.clone().digest());
  }

  /** Takes a chunk; returns the content up to it, or in words why that is not to be had. */
  assemble(last: Chunk): Content | string {
    if (last.fault !== null) return last.fault;
    if (last.before === null) {
      const body = last.node.record.content;
      return body === null ? `artifact ${last.node.id} has no content` : ownContent(last.node, body);
    }
    const chain = this.#chain(last);
    if (chain === null) return PASSED;
    return {
      bodies: chain.flatMap(({ node }) => node.record.content ?? []),
      holder: last.node.record,
      sha256: this.digest(last),
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
  const [used] = graph.targets(render, 'RENDER_SANITIZER_STATE');
  const outputs = assembler.outputs(graph, chunk.node);
  const sanitizer = used?.node.record.output?.sha256 === input ? used : outputs.get(input);
  if (sanitizer !== undefined) {
    const { id, record } = sanitizer.node;
    return {
      bodies: record.output === null ? [] : [record.output],
      holder: record,
      sha256: input,
      says: `the output of sanitizer ${record.name} (${id})`,
      member: 'output',
      support: [sanitizer.edge, sanitizer.node],
    };
  }
  const own = chunk.node.record.content;
  if (own?.sha256 === input) return ownContent(chunk.node, own);
  const { node, before, fault } = chunk;
  if (fault !== null) return fault;
  if (before === null && own === null) return `artifact ${node.id} has no content`;
  const whole = assembler.digest(chunk);
  if (whole === input) return assembler.assemble(chunk);
  const says = before === null ? `artifact ${node.id}` : `all chunks up to artifact ${node.id}`;
  const tried =
    used === undefined && outputs.size === 0
      ? 'no output of a sanitizer is known'
      : 'no sanitizer that is known gave the other';
  return `SHA-256 ${whole} is that of ${says}, and ${tried}`;
};
