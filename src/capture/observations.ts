import { encodeUtf8 } from '../base/utf8.ts';
import { makeBody } from '../evidence/body.ts';
import type { RecordOf } from '../evidence/bundle.ts';
import type { Body } from '../evidence/fields.ts';
import { type ArtifactPlace, artifactFields } from '../evidence/wire/artifact.ts';
import { observationsIn } from '../evidence/wire/observations.ts';
import { PayloadText } from '../evidence/wire/payload-text.ts';
import { readBody, readInvalidUtf8 } from '../evidence/wire/text.ts';
import { transitionFields } from '../evidence/wire/transition.ts';
import type { CaptureContext } from './context.ts';
import type { Observer } from './session.ts';
import { keyOf } from './trail.ts';

/** A part as it was recorded. */
export type RecordedPart = Pick<
  RecordOf<'artifacts'>,
  'artifact_record_id' | 'exchange_id' | 'wire_event' | 'part_kind' | 'part_url' | 'content'
>;
/** Each part that carries its own text holds a copy of it: a peer that sends millions of parts must not fill the disk. In body limits. */
const MAX_COPIED = 16;

/** Where a JSON text was seen. */
export type Sighting = {
  readonly observer: Observer;
  readonly agent: string | null;
  readonly exchange_id: string | null;
  readonly wire_event: number | null;
  /** Tells apart several views of the same exchange that one observer has; by default the observer's only one. */
  readonly view?: string;
};

/** Records every transition and artifact part that a response holds; `body` is as the exchange keeps it. Returns the parts. */
export const recordResponse = (context: CaptureContext, sighting: Sighting, body: Body): readonly RecordedPart[] =>
  recordText(context, sighting, new PayloadText(readBody(body), 'response'), null);

/**
 * The same of one JSON text that is an event of a stream, or of the server's event bus; bytes where it is no UTF-8.
 * `held`: the exchange keeps it; else the records carry it themselves. Returns the parts that were recorded.
 */
export const recordEvent = (
  context: CaptureContext,
  sighting: Sighting,
  data: string | Uint8Array,
  held: boolean,
): readonly RecordedPart[] => {
  if (held) {
    const text = typeof data === 'string' ? PayloadText.of(data) : new PayloadText(readInvalidUtf8(data), 'response');
    return recordText(context, sighting, text, null);
  }
  const raw = makeBody(typeof data === 'string' ? encodeUtf8(data) : data, context.bodyLimit, context.crypto);
  return recordText(context, sighting, new PayloadText(readBody(raw), 'raw'), raw);
};

const recordText = (
  context: CaptureContext,
  sighting: Sighting,
  text: PayloadText,
  raw: Body | null,
): readonly RecordedPart[] => {
  const parts: RecordedPart[] = [];
  let room = MAX_COPIED * context.bodyLimit;
  for (const { kind, ...place } of observationsIn(text)) {
    room -= raw?.text.length ?? 0;
    if (room < 0) {
      context.session.gap('a message has too many parts for each to be recorded with the text it stands in');
      break;
    }
    if (kind === 'transition') recordTransition(context, sighting, text, raw);
    else {
      const part = recordPart(context, sighting, text, raw, place as ArtifactPlace);
      if (part !== null) parts.push(part);
    }
  }
  return parts;
};

const recordTransition = (context: CaptureContext, sighting: Sighting, text: PayloadText, raw: Body | null): void => {
  const { session, trail } = context;
  const { observer, view = observer, ...seen } = sighting;
  const fields = transitionFields(text);
  const key = keyOf(view, seen.agent, fields.task_id);
  const previous = fields.task_id === null ? undefined : trail.transitions.get(key);
  // A task that is shown again, as by a poll, has entered no state.
  const isSnapshot = !('issue' in text.payloads) && text.payloads.payloads.every(({ kind }) => kind === 'task');
  if (isSnapshot && fields.state !== null && previous?.state === fields.state) return;
  const id = session.record('task_transitions', observer, {
    ...seen,
    raw,
    ...fields,
    previous_transition_id: previous?.id ?? null,
  });
  if (id === null) return;
  if (fields.task_id !== null) trail.transitions.set(key, { id, state: fields.state });
  const { exchange_id, agent } = seen;
  trail.listener?.state({ id, observer, exchange_id, agent, task_id: fields.task_id, state: fields.state });
};

const recordPart = (
  context: CaptureContext,
  sighting: Sighting,
  text: PayloadText,
  raw: Body | null,
  place: ArtifactPlace,
): RecordedPart | null => {
  const { session, trail, bodyLimit, crypto } = context;
  const { observer, view = observer, ...seen } = sighting;
  const { content, ...fields } = artifactFields(text, place);
  const chain =
    place.payload === 'artifact_update' && fields.artifact_id !== null
      ? trail.chunks(keyOf(view, seen.agent, fields.task_id, fields.artifact_id))
      : null;
  const chunk = { ...fields, ...place };
  const bytes = typeof content === 'string' ? encodeUtf8(content) : content;
  const body = bytes === null ? null : makeBody(bytes, bodyLimit, crypto);
  const id = session.record('artifacts', observer, {
    ...seen,
    raw,
    ...place,
    ...fields,
    appends_to: chain?.before(chunk) ?? null,
    content: body,
  });
  if (id === null) return null;
  chain?.add(chunk, id);
  if (fields.artifact_id !== null) trail.artifacts.set(keyOf(fields.task_id, fields.artifact_id), id);
  if (body !== null) trail.contents.set(body.sha256, id);
  trail.listener?.artifact({ id, exchange_id: seen.exchange_id, sha256: body?.sha256 ?? null });
  return { ...fields, ...seen, artifact_record_id: id, content: body };
};
