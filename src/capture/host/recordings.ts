import type { CaptureContext } from '../context.ts';
import type { CallStart } from '../wire/call.ts';
import type { WireRecorder } from '../wire/wire-recorder.ts';

export type WatchedRecording = { readonly context: CaptureContext; readonly wire: WireRecorder };

/** Takes down a call, step by step. */
export type CallTaker = Pick<WireRecorder, 'call' | 'socket' | 'request' | 'response' | 'chunk' | 'end'>;

/** Which recording gets what watched processes tell. */
export type Recordings = {
  /** Those under way: each is told what concerns a whole process. */
  underWay(): readonly WatchedRecording[];
  /** Who takes a call down; `test` is the one in whose asynchronous context it was seen. */
  takersOf(start: CallStart, test: string | null): readonly CallTaker[];
  /** What an event belongs to that was published while `cause` was served. */
  recordingsOf(cause: string | null, test: string | null): readonly WatchedRecording[];
  testBegins(test: string, name: string): void;
  testEnds(test: string): void;
};

/** Everything in each of the recordings given, whatever the test. */
export const allIn = (recordings: readonly WatchedRecording[]): Recordings => {
  const takers = recordings.map(({ wire }) => wire);
  return {
    underWay: () => recordings,
    takersOf: () => takers,
    recordingsOf: () => recordings,
    testBegins: () => {},
    testEnds: () => {},
  };
};
