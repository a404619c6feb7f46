import type { CoverageSubject } from '../../evidence/records/trace.ts';
import { openRecording, type Recording, type RecordingOptions } from '../recording.ts';
import type { Observer } from '../session.ts';
import { WireRecorder } from '../wire/wire-recorder.ts';

/** What a capture from outside the program watches, by who observes. */
const WATCHED: Readonly<Record<'process-hook' | 'proxy', readonly CoverageSubject[]>> = {
  'process-hook': ['discovery', 'routing', 'task_load', 'client_wire', 'server_wire'],
  proxy: ['server_wire', 'task_load'],
};

/** What the hook cannot see; docs/CAPTURE.md says the same. */
const HOOK_NOTES = [
  'hook: a process may leave out or forge what it tells before it is recorded; the recorder orders, signs and keeps what came',
  'hook: HTTP/2, gRPC, raw sockets and programs that are no Node are not seen; of these only their other side is',
  'hook: what an agent executed, sanitised and rendered is not seen; skills that a message names count as requested',
  'hook: headers are kept as `content-type`, `content-encoding`, `a2a-version`, `a2a-extensions` and `location` alone',
  'hook: the event bus of @a2a-js/sdk 1.x is seen, another one is not',
];

export type WireRecordingOptions = Omit<RecordingOptions, 'watches' | 'notes'> & {
  /** Of a proxy: whether a request to a URL passes it. */
  readonly passes?: (url: string) => boolean;
  readonly observer: Extract<Observer, 'process-hook' | 'proxy'>;
  readonly notes?: readonly string[];
  readonly pinned: ReadonlySet<string>;
  /** Cards of the profile, as bytes. */
  readonly trusted: readonly Uint8Array[];
};

export type WireRecording = Recording & { readonly wire: WireRecorder };

/** Opens the record of one incident that is told from outside the program. Throws as openRecording does. */
export const openWireRecording = ({
  observer,
  pinned,
  trusted,
  notes = [],
  passes,
  ...options
}: WireRecordingOptions): WireRecording => {
  const own = observer === 'process-hook' ? HOOK_NOTES : [];
  const recording = openRecording({ ...options, watches: WATCHED[observer], notes: [...own, ...notes] });
  const wire = new WireRecorder(recording.context, { observer, pinned, clock: Date.now, ...(passes && { passes }) });
  for (const bytes of trusted) wire.desk.trust(bytes);
  return { ...recording, wire };
};
