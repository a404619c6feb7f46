import type { Crypto } from '../base/crypto.ts';
import { kernel } from '../base/kernel/kernel.ts';
import { ABSENT, UNCLEAR } from '../base/wire-tape.ts';
import { PART_KINDS } from '../evidence/records/artifacts.ts';
import type { RowTable } from '../evidence/row-table.ts';
import { ARTIFACT_PATHS, PART_PATHS, PAYLOAD_PATHS } from '../evidence/wire/paths.ts';
import { type PlainText, tapePath, tapePaths } from '../evidence/wire/plain-text.ts';
import { PlainBody } from './plain-body.ts';
import { membersNamed, PlainRow } from './plain-row.ts';

const MEMBERS = [
  'raw',
  'wire_event',
  'wire_issue',
  'payload',
  'artifact_index',
  'part_index',
  'task_id',
  'context_id',
  'artifact_id',
  'name',
  'append',
  'last_chunk',
  'part_kind',
  'media_type',
  'filename',
  'part_url',
  'content',
] as const;
const ARTIFACT = tapePath('artifact');
const ARTIFACTS = tapePath('artifacts');
const APPEND = tapePath('append');
const LAST_CHUNK = tapePath('lastChunk');
const MESSAGE = tapePath(PAYLOAD_PATHS.task.message);
const ARTIFACT_ID = tapePaths(ARTIFACT_PATHS.artifact_id);
const NAME = tapePaths(ARTIFACT_PATHS.name);
const PARTS = tapePaths(ARTIFACT_PATHS.parts);
const MEDIA_TYPE = tapePaths(PART_PATHS.media_type);
const FILENAME = tapePaths(PART_PATHS.filename);
const CONTENT = PART_KINDS.flatMap((kind) => tapePaths(PART_PATHS.content[kind]).map((path) => ({ kind, path })));

/** Artifacts of one response, held against its text. */
export class PlainArtifact {
  private readonly table: RowTable;
  private readonly text: PlainText;
  private readonly held: PlainRow;
  private readonly content: PlainBody;
  private readonly at: ReturnType<typeof membersNamed<(typeof MEMBERS)[number]>>;

  constructor(table: RowTable, text: PlainText, crypto: Crypto) {
    this.table = table;
    this.text = text;
    this.held = new PlainRow(table, text.tape);
    this.content = new PlainBody(crypto);
    this.at = membersNamed(table, MEMBERS);
  }

  isHeld(row: number): boolean {
    const { table, held, at, text } = this;
    const { tape, ids, payload } = text;
    held.take(row, tape.after);
    if (ids === null || !held.isNull(at.raw) || !held.isNull(at.wire_event) || !held.isNull(at.wire_issue))
      return false;
    const place = table.bytes[table.startOf(at.payload) + 1];
    const isUpdate = place === 0x61;
    const isMessage = place === 0x6d;
    const carrier = isUpdate ? this.ofUpdate() : isMessage ? this.ofMessage() : this.ofTask();
    const part = carrier < 0 ? ABSENT : this.part(carrier);
    return (
      part >= 0 &&
      held.isString(at.task_id, tape.find(payload, ids.task_id)) &&
      held.isString(at.context_id, tape.find(payload, ids.context_id)) &&
      held.isString(at.artifact_id, isMessage ? ABSENT : tape.first(carrier, ARTIFACT_ID)) &&
      held.isString(at.name, isMessage ? ABSENT : tape.first(carrier, NAME)) &&
      (isUpdate ? held.isFlag(at.append, tape.find(payload, APPEND)) : held.isNull(at.append)) &&
      (isUpdate ? held.isFlag(at.last_chunk, tape.find(payload, LAST_CHUNK)) : held.isNull(at.last_chunk)) &&
      held.isString(at.media_type, tape.first(part, MEDIA_TYPE)) &&
      held.isString(at.filename, tape.first(part, FILENAME)) &&
      this.isPart(part)
    );
  }

  private ofUpdate(): number {
    const { kind, payload, tape } = this.text;
    return kind === 'artifact_update' && this.held.isNull(this.at.artifact_index)
      ? tape.find(payload, ARTIFACT)
      : ABSENT;
  }

  private ofTask(): number {
    const { kind, payload, tape } = this.text;
    if (kind !== 'task' || this.held.isNull(this.at.artifact_index)) return ABSENT;
    const list = tape.find(payload, ARTIFACTS);
    return this.text.isList(list) ? this.text.item(list, this.table.integerOf(this.at.artifact_index)) : ABSENT;
  }

  private ofMessage(): number {
    const { kind, payload, tape } = this.text;
    if (!this.held.isNull(this.at.artifact_index)) return ABSENT;
    return kind === 'message' ? payload : kind === 'artifact_update' ? ABSENT : tape.find(payload, MESSAGE);
  }

  private part(carrier: number): number {
    const list = this.text.tape.first(carrier, PARTS);
    if (!this.text.isList(list) || this.held.isNull(this.at.part_index)) return ABSENT;
    return this.text.item(list, this.table.integerOf(this.at.part_index));
  }

  /** Its one member of the oneof: text that the record holds as it stands, or the URL of it. */
  private isPart(part: number): boolean {
    const { tape } = this.text;
    let kind: (typeof PART_KINDS)[number] | null = null;
    let node = ABSENT;
    for (const { kind: named, path } of CONTENT) {
      const there = tape.find(part, path);
      if (there === UNCLEAR) return false;
      if (tape.isNull(there)) continue;
      if (kind !== null) return false;
      kind = named;
      node = there;
    }
    const { held, at, table } = this;
    if (kind === null || !table.standsAscii(table.startOf(at.part_kind) + 1, `${kind}"`)) return false;
    if (kind === 'url') return held.isNull(at.content) && held.isString(at.part_url, node);
    return kind === 'text' && held.isNull(at.part_url) && !held.isNull(at.content) && this.isContent(node);
  }

  private isContent(node: number): boolean {
    const { tape } = this.text;
    const { content, held, at } = this;
    if (tape.mark(node) !== 0x22 || !content.locate(held, at.content) || !content.read(held, held.after)) return false;
    const [start, end] = [tape.start(node), tape.end(node)];
    const { textStart } = content.place;
    if (kernel().run.same(start, held.place(textStart), end - start) !== 0) return true;
    return content.isSaidBy(held, tape.bytes.subarray(start, end));
  }
}
