import { parseWire } from '../base/wire-json.ts';
import type { CaptureContext } from './context.ts';
import type { RecordedPart } from './observations.ts';
import { recordedUris } from './references.ts';
import type { Observer } from './session.ts';

/** The strings of a part as JSON. */
const jsonOf = ({ part_kind, part_url, content }: RecordedPart): string => {
  if (part_kind === 'url') return JSON.stringify({ url: part_url });
  if (part_kind === 'text') return JSON.stringify(content?.text ?? '');
  // Bytes that are text, such as a page: what they link to is in no string of the body.
  if (part_kind === 'raw') return content?.encoding === 'utf8' ? JSON.stringify(content.text) : '';
  return part_kind === 'data' ? (content?.text ?? '') : '';
};

/** Records every URI in a recorded part, where no body of the exchange holds it: the artifact then is the place of the reference. */
export const recordPartReferences = (context: CaptureContext, observer: Observer, part: RecordedPart): void => {
  const { artifact_record_id, exchange_id, wire_event } = part;
  const text = jsonOf(part);
  const root = parseWire(text);
  if (root === null) return;
  for (const uri of new Set(recordedUris(context, { text, root }).map((place) => place.uri))) {
    const place = { exchange_id, artifact_record_id, body: null, wire_event, pointer: null };
    const id = context.session.record('uri_references', observer, { uri, ...place });
    if (id !== null) context.trail.refers({ id, uri, exchange_id });
  }
};
