import type { Ending } from '../ending.ts';

type Pairs = readonly (readonly [string, string])[];
export type Attributes = Readonly<Record<string, string>>;

/** One end of an HTTP call as it began. URL, headers and addresses are as the observer saw them; header names are lower-case. */
export type CallStart = {
  /** Unique in the capture. */
  readonly key: string;
  readonly side: 'client' | 'server' | 'proxy';
  /** Names the process that saw it. */
  readonly process: string;
  readonly method: string;
  readonly url: string;
  /** Where it came by the recorder's own proxy: the origin that this stands before, and the other URLs by which a text may name the request, that which its client asked for first. */
  readonly behind?: { readonly target: string; readonly names: readonly string[] };
  readonly headers: Pairs;
  /** The served call in whose asynchronous context it was sent. */
  readonly cause: string | null;
  readonly local: string | null;
  readonly remote: string | null;
  /** What the recorder's own proxy knows of it. */
  readonly attributes?: Attributes;
};

export type CallSocket = {
  readonly local: string | null;
  readonly remote: string | null;
  readonly connected: string | null;
  readonly resolved: readonly string[] | null;
  readonly dialled: string | null;
  /** The recorder's own proxy, when the socket is the one from it to the server. */
  readonly via_proxy?: string;
};

/** What takes a call down once it is known what it is. */
export type CallSink = {
  socket?(socket: CallSocket): void;
  attributes?(told: Attributes): void;
  /** The whole request body, when it came to its end only after the sink was chosen. */
  request?(body: Uint8Array): void;
  response(status: number, headers: Pairs): void;
  /** A piece of the response body, after content decoding. */
  chunk(bytes: Uint8Array): void;
  end(ended: Ending, error: string | null): void;
  /** The last byte was handed over and did not arrive. */
  undelivered?(ended: Ending): void;
};
