import { decodeBase64 } from '../base/base64.ts';
import { parseWire } from '../base/wire-json.ts';
import type { RecordOf, Records } from '../evidence/bundle.ts';
import type { Body } from '../evidence/fields.ts';
import type { ExchangeTexts } from '../evidence/wire/exchange.ts';
import { TextStrings } from '../evidence/wire/reference.ts';
import type { Whole } from '../evidence/wire/text.ts';
import { type Inadmissible, shown } from './admissibility-refusals.ts';

type Reference = RecordOf<'uri_references'>;
type Artifact = RecordOf<'artifacts'>;

/** A reference is held by the string it points to in a body of its exchange, or by the content of its artifact (FORMAT.md section 9). */
export class ReferenceCheck {
  private readonly records: Records;
  /** By id; gathered when the first reference asks. */
  private artifacts: ReadonlyMap<string, Artifact> | null = null;
  private readonly refusals: Inadmissible;
  private readonly strings = new WeakMap<Whole, TextStrings>();
  private readonly contents = new WeakMap<Artifact, Content>();

  constructor(records: Records, refusals: Inadmissible) {
    this.records = records;
    this.refusals = refusals;
  }

  /** `texts` of the exchange that the reference names; null when it names none, or none that is there. */
  check(reference: Reference, texts: ExchangeTexts | null): void {
    const { artifact_record_id, body } = reference;
    const artifact = artifact_record_id === null ? undefined : this.artifact(artifact_record_id);
    if (artifact !== undefined && !this.heldByArtifact(reference.uri, artifact)) {
      this.refuse(reference, 'artifact_record_id', `the content of ${artifact_record_id} does not contain it`);
    }
    // With an artifact and no body named, the artifact is where it stands.
    if (texts === null || (artifact_record_id !== null && body === null)) return;
    const bodies = body === null ? (['request', 'response'] as const) : [body];
    if (bodies.some((name) => this.heldByBody(reference, name, texts))) return;
    const place = `${bodies.join(' or ')}, event ${reference.wire_event}, pointer ${shown(reference.pointer)}`;
    this.refuse(reference, 'uri', `what stands there (${place}) does not contain it`);
  }

  private artifact(id: string): Artifact | undefined {
    this.artifacts ??= new Map(this.records.artifacts.map((artifact) => [artifact.artifact_record_id, artifact]));
    return this.artifacts.get(id);
  }

  private heldByBody(reference: Reference, name: 'request' | 'response', texts: ExchangeTexts): boolean {
    const { uri, pointer, wire_event } = reference;
    if (name === 'request' && wire_event !== null) return false;
    const whole = name === 'request' ? texts.request : texts.response(wire_event)?.whole;
    if (whole === undefined || 'empty' in whole) return false;
    // Seen in what the cut took away, or in a text that has no pointers: nothing kept contradicts it.
    if ('issue' in whole) return pointer === null && whole.peers_read;
    const strings = this.strings.get(whole) ?? new TextStrings(whole.read);
    this.strings.set(whole, strings);
    return strings.hold(uri, pointer);
  }

  private heldByArtifact(uri: string, artifact: Artifact): boolean {
    if (artifact.part_url?.includes(uri)) return true;
    if (artifact.content === null) return artifact.wire_issue !== null;
    const content = this.contents.get(artifact) ?? readContent(artifact, artifact.content);
    this.contents.set(artifact, content);
    return content.text.includes(uri) || content.strings?.hold(uri, null) === true;
  }

  private refuse(reference: Reference, member: string, why: string): void {
    this.refusals.refuse(
      'uri_references',
      reference,
      member,
      'INADMISSIBLE_REFERENCE',
      `uri is ${shown(reference.uri)}; ${why}`,
    );
  }
}

/** The content of an artifact; of a data part, whose text is JSON, its strings too. */
type Content = { readonly text: string; readonly strings: TextStrings | null };

const readContent = ({ part_kind }: Artifact, body: Body): Content => {
  const bytes = body.encoding === 'base64' ? decodeBase64(body.text) : null;
  const text = bytes === null ? body.text : new TextDecoder('utf-8').decode(bytes);
  const root = part_kind === 'data' ? parseWire(text) : null;
  return { text, strings: root === null ? null : new TextStrings({ text, root }) };
};
