import type { ArtifactFields, ArtifactPlace } from '../evidence/wire/artifact.ts';

type Kind = NonNullable<ArtifactFields['part_kind']>;
export type Chunk = Pick<ArtifactFields, 'append' | 'part_kind' | 'wire_issue'> & Pick<ArtifactPlace, 'part_index'>;

/** Contents of these kinds go on where the last one ended; a further URL or JSON value is one of its own. */
const JOINED: ReadonlySet<Kind | null> = new Set(['text', 'raw']);

/**
 * The chunks of one artifact as one observer saw them come: which record each continues. `append` false begins anew, `append` true goes on
 * with the last part of its kind. A chunk that could not be read may have held any kind, so everything after it continues it: what
 * is assembled across it is then known to be incomplete.
 */
export class ChunkChain {
  #recent: string | null = null;
  #unread: string | null = null;
  readonly #last = new Map<Kind, string>();

  /** The record that a chunk continues; null when it begins. */
  before({ append, part_kind, wire_issue }: Chunk): string | null {
    if (append === false) return null;
    if (part_kind === null) return this.#recent;
    if (wire_issue !== null || JOINED.has(part_kind)) return this.#last.get(part_kind) ?? this.#unread;
    return null;
  }

  /** Takes a chunk and the id of its record. */
  add({ append, part_kind, wire_issue, part_index }: Chunk, id: string): void {
    if (append === false && (part_index ?? 0) === 0) {
      this.#last.clear();
      this.#unread = null;
    }
    this.#recent = id;
    if (part_kind !== null) this.#last.set(part_kind, id);
    else if (wire_issue !== null) {
      this.#last.clear();
      this.#unread = id;
    }
  }
}
