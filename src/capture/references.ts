import { PayloadText } from '../evidence/wire/payload-text.ts';
import { URI_LIMIT, type UriPlace, urisIn } from '../evidence/wire/reference.ts';
import type { WireText } from '../evidence/wire/text.ts';
import type { CaptureContext } from './context.ts';
import type { Fields, Observer } from './session.ts';

type Where = Pick<Fields<'uri_references'>, 'exchange_id' | 'artifact_record_id' | 'body' | 'wire_event'>;

/** The URIs of a text; a fetch of one beyond the limit would be nobody's, so that there are more is a gap. */
export const recordedUris = ({ session }: CaptureContext, text: WireText): readonly UriPlace[] =>
  urisIn(text, () => session.gap(`a text names more than ${URI_LIMIT} URIs: the others are not followed`));

/** Records every URI in the strings of a JSON text that the capture keeps at that place. */
export const recordReferences = (context: CaptureContext, observer: Observer, json: string, where: Where): void => {
  const { whole } = PayloadText.of(json);
  if (!('read' in whole)) return;
  for (const { uri, pointer } of recordedUris(context, whole.read)) {
    const id = context.session.record('uri_references', observer, { uri, pointer, ...where });
    if (id !== null) context.trail.refers({ id, uri, exchange_id: where.exchange_id });
  }
};
