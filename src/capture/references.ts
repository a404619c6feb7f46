import { PayloadText } from '../evidence/wire/payload-text.ts';
import { urisIn } from '../evidence/wire/reference.ts';
import type { CaptureContext } from './context.ts';
import type { Fields, Observer } from './session.ts';

type Where = Pick<Fields<'uri_references'>, 'exchange_id' | 'artifact_record_id' | 'body' | 'wire_event'>;

/** Records every URI in the strings of a JSON text that the capture keeps at that place. */
export const recordReferences = (context: CaptureContext, observer: Observer, json: string, where: Where): void => {
  const { whole } = PayloadText.of(json);
  if (!('read' in whole)) return;
  for (const { uri, pointer } of urisIn(whole.read)) {
    const id = context.session.record('uri_references', observer, { uri, pointer, ...where });
    if (id !== null) context.trail.refers({ id, uri, exchange_id: where.exchange_id });
  }
};
