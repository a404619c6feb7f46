import type { CaptureContext } from '../context.ts';
import type { CallStart } from '../wire/call.ts';
import type { WireRecorder } from '../wire/wire-recorder.ts';

export type WatchedRecording = { readonly context: CaptureContext; readonly wire: WireRecorder };

/** Takes down a call, step by step. */
export type CallTaker = Pick<WireRecorder, 'call' | 'socket' | 'request' | 'response' | 'chunk' | 'end'>;

/** Where something was seen: in which thread, by its writer, and in the asynchronous context of which test and which served call. */
export type Seen = { readonly writer: string; readonly cause: string | null; readonly test: string | null };

/** Which recording gets what watched processes tell. */
export type Recordings = {
  /** Those under way: each is told what concerns a whole process. */
  underWay(): readonly WatchedRecording[];
  /** Who takes a call down. */
  takersOf(start: CallStart, seen: Seen): readonly CallTaker[];
  /** What an event of a server belongs to. */
  recordingsOf(seen: Seen): readonly WatchedRecording[];
  /** A thread runs tests, and will tell each. */
  runsTests(writer: string): void;
  testBegins(writer: string, test: string, name: string): void;
  testEnds(test: string): void;
};

/** Everything in each of the recordings given, whatever the test. */
export const allIn = (recordings: readonly WatchedRecording[]): Recordings => {
  const takers = recordings.map(({ wire }) => wire);
  return {
    underWay: () => recordings,
    takersOf: () => takers,
    recordingsOf: () => recordings,
    runsTests: () => {},
    testBegins: () => {},
    testEnds: () => {},
  };
};
