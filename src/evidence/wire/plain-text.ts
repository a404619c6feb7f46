import { asciiBytes, asciiText } from '../../base/ascii.ts';
import { kernel } from '../../base/kernel/kernel.ts';
import { ABSENT, type TapePath, type TapeStep, UNCLEAR, WireTape } from '../../base/wire-tape.ts';
import {
  BARE_PAYLOADS,
  PAYLOAD_DISCRIMINATORS,
  PAYLOAD_KINDS,
  PAYLOAD_MEMBERS,
  PAYLOAD_PATHS,
  type PayloadKind,
} from './paths.ts';
import { type DottedPath, stepsOf } from './read-fields.ts';

const NAMES = new Map<string, TapeStep['name']>();

const nameOf = (name: string): TapeStep['name'] => {
  const known = NAMES.get(name) ?? { at: kernel().keep(asciiBytes(name)), length: name.length };
  NAMES.set(name, known);
  return known;
};

/** A path of paths.ts, its names in the memory of the kernel. */
export const tapePath = (path: DottedPath): TapePath =>
  stepsOf(path).map(({ name, other }) => ({
    name: nameOf(name),
    other: other === null ? null : nameOf(other),
  }));
export const tapePaths = (paths: readonly DottedPath[]): readonly TapePath[] => paths.map(tapePath);

const RESULT = tapePath('result');
const KIND = tapePath('kind');
const idsOf = ({ task_id, context_id }: (typeof PAYLOAD_PATHS)[PayloadKind]) => ({
  task_id: tapePath(task_id),
  context_id: tapePath(context_id),
});
/** Where the ids of each payload stand in it. */
const IDS = {
  task: idsOf(PAYLOAD_PATHS.task),
  message: idsOf(PAYLOAD_PATHS.message),
  status_update: idsOf(PAYLOAD_PATHS.status_update),
  artifact_update: idsOf(PAYLOAD_PATHS.artifact_update),
} as const satisfies Record<PayloadKind, unknown>;

const MEMBERS = PAYLOAD_KINDS.map((kind) => ({ kind, path: tapePath(PAYLOAD_MEMBERS[kind]) }));
const BARE = BARE_PAYLOADS.map(({ kind, all, any }) => ({ kind, all: tapePaths(all), any: tapePaths(any) }));
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const QUOTE = 0x22;
/** More than any `kind` that is known. */
const LONGEST_KIND = 32;

/**
 * A JSON text with the one payload that it holds, if any, found as `payloadsIn` finds it. What is repeated, of an unexpected kind, or holds two payloads is not
 * read: `read` is false, and the text must be read as a tree.
 */
export class PlainText {
  readonly tape = new WireTape(kernel());
  kind: PayloadKind | null = null;
  payload = ABSENT;
  /** Whether it stands in the member `result` of the outermost object. */
  isInResult = false;
  private found = 0;
  private readonly listed = new Map<number, Int32Array>();

  /** Takes where the text stands in the memory of the kernel. */
  read(start: number, end: number): boolean {
    this.kind = null;
    this.payload = ABSENT;
    this.isInResult = false;
    this.found = 0;
    this.listed.clear();
    return this.tape.read(start, end);
  }

  /** Where the ids of the payload stand in it; null when there is none. */
  get ids(): (typeof IDS)[PayloadKind] | null {
    return this.kind === null ? null : IDS[this.kind];
  }

  /** Finds the payload; false where it is not clear which it is. */
  findPayload(): boolean {
    const result = this.tape.find(0, RESULT);
    if (result === UNCLEAR || !this.heldBy(0)) return false;
    if (result !== ABSENT && this.tape.mark(result) === OPEN_OBJECT) {
      const before = this.found;
      if (!this.heldBy(result)) return false;
      this.isInResult = this.found > before;
    }
    return this.found <= 1;
  }

  /** The items of a list, by number: the first one is at hand, of more a list is made once. ABSENT beyond its end. */
  item(list: number, index: number): number {
    const { tape } = this;
    const after = tape.next(list);
    if (index === 0) return list + 1 < after ? list + 1 : ABSENT;
    let items = this.listed.get(list);
    if (items === undefined) {
      const nodes: number[] = [];
      for (let at = list + 1; at < after; at = tape.next(at)) nodes.push(at);
      items = Int32Array.from(nodes);
      this.listed.set(list, items);
    }
    return items[index] ?? ABSENT;
  }

  isList(node: number): boolean {
    return node >= 0 && this.tape.mark(node) === OPEN_ARRAY;
  }

  private hold(kind: PayloadKind, node: number): void {
    this.found++;
    this.kind = kind;
    this.payload = node;
  }

  private heldBy(holder: number): boolean {
    const { tape } = this;
    const before = this.found;
    for (const { kind, path } of MEMBERS) {
      const there = tape.find(holder, path);
      if (there === UNCLEAR) return false;
      if (there !== ABSENT && tape.mark(there) === OPEN_OBJECT) this.hold(kind, there);
    }
    const stated = tape.find(holder, KIND);
    if (stated === UNCLEAR) return false;
    const kind = stated === ABSENT ? undefined : this.discriminated(stated);
    if (kind === null) return false;
    if (kind !== undefined) this.hold(kind, holder);
    return kind !== undefined || this.found > before || this.bare(holder);
  }

  /** Null where the word has an escape. */
  private discriminated(node: number): PayloadKind | null | undefined {
    const { tape } = this;
    const [start, end] = [tape.start(node), tape.end(node)];
    if (tape.mark(node) !== QUOTE || end - start > LONGEST_KIND) return undefined;
    const word = asciiText(tape.bytes, start + 1, end - 1);
    return word.includes('\\') ? null : PAYLOAD_DISCRIMINATORS.get(word);
  }

  private bare(holder: number): boolean {
    const row = BARE.find(
      ({ all, any }) =>
        all.every((path) => this.has(holder, path)) && (any.length === 0 || any.some((path) => this.has(holder, path))),
    );
    if (row !== undefined) this.hold(row.kind, holder);
    return true;
  }

  private has(holder: number, path: TapePath): boolean {
    const there = this.tape.find(holder, path);
    return there === UNCLEAR || !this.tape.isNull(there);
  }
}
