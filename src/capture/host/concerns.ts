import type { CallStart } from '../wire/call.ts';
import { bindingOf, isCardRequest, isPushNotification } from '../wire/recognise.ts';
import type { WatchedRecording } from './recordings.ts';

/** Whether a call is A2A by its wire alone. */
export const isA2A = ({ headers, ...start }: CallStart, body: Uint8Array): boolean => {
  const lower = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const shape = { ...start, headers: lower, body, known: null };
  return isCardRequest(shape) || isPushNotification(shape) || bindingOf(shape) !== null;
};

/** Whether a call would be evidence in a recording: it is A2A, or goes where a text of this recording leads. */
export const concerns = ({ context, wire }: WatchedRecording, start: CallStart, body: Uint8Array): boolean => {
  const written = context.redactor.text(start.url);
  const isReferred = context.trail.referenceOf(written) !== undefined || wire.desk.mentionOf(written) !== null;
  return isReferred || isA2A(start, body);
};
