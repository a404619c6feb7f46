import type { CaptureContext } from '../context.ts';
import type { Ending } from '../ending.ts';
import { ExchangeRecorder } from '../exchange-recorder.ts';
import { HopRecorder } from '../hop-recorder.ts';
import type { Fields, Observer } from '../session.ts';
import type { CallSink, CallSocket, CallStart } from './call.ts';

/** A longer body is no card. */
const MAX_CARD = 64 * 1024 * 1024;

export type ExchangeFacts = Pick<Fields<'exchanges'>, 'endpoint_id' | 'client_agent' | 'server_agent' | 'binding'> & {
  readonly observer: Observer;
  readonly references?: boolean;
};

/** Begins the record of an exchange that one process saw from one side. */
export const exchangeOf = (
  context: CaptureContext,
  { method, url, headers, side, process, attributes = {} }: CallStart,
  body: Uint8Array,
  facts: ExchangeFacts,
): ExchangeRecorder => {
  const recorder = new ExchangeRecorder(context, { ...facts, method, url, headers, view: `${process} ${side}` });
  recorder.attribute('side', side);
  recorder.attribute('process', process);
  for (const [name, value] of Object.entries(attributes)) recorder.attribute(name, value);
  recorder.request(body.length === 0 ? null : body);
  return recorder;
};

/** Follows an exchange; `told` is told first of each step, so that what is derived has its place before what comes next. */
export const exchangeSink = (recorder: ExchangeRecorder, told: Partial<CallSink> = {}): CallSink => ({
  socket: (socket) => {
    told.socket?.(socket);
    const { connected } = socket;
    if (connected !== null) recorder.attribute('connected_address', connected);
  },
  attributes: (told) => {
    for (const [name, value] of Object.entries(told)) recorder.attribute(name, value);
  },
  request: (body) => recorder.request(body),
  response: (status, headers) => {
    told.response?.(status, headers);
    recorder.response(status, headers);
  },
  chunk: (bytes) => recorder.chunk(bytes),
  end: (ended, error) => {
    if (error !== null) recorder.attribute('error', error);
    recorder.end(ended);
    told.end?.(ended, error);
  },
  undelivered: (ended) => recorder.undelivered(ended),
});

/** Collects the body of a card; null when it is too long or did not come whole. */
export const cardBody = () => {
  let pieces: Uint8Array[] = [];
  let size = 0;
  return {
    chunk: (bytes: Uint8Array): void => {
      size += bytes.length;
      if (size > MAX_CARD) pieces = [];
      else pieces.push(Buffer.from(bytes));
    },
    whole: (ended: Ending): Uint8Array | null =>
      ended !== 'complete' || size === 0 || size > MAX_CARD ? null : Buffer.concat(pieces),
  };
};

/** Follows the serving of a card; told of its bytes when it was served whole. */
export const servedCardSink = (onCard: (bytes: Uint8Array) => void): CallSink => {
  const card = cardBody();
  let isFound = false;
  return {
    response: (status) => {
      isFound = status >= 200 && status < 300;
    },
    chunk: (bytes) => card.chunk(bytes),
    end: (ended) => {
      const whole = isFound ? card.whole(ended) : null;
      if (whole !== null) onCard(whole);
    },
  };
};

const hostOf = (url: string): string => {
  try {
    return new URL(url).hostname.replace(/^\[|\]$/g, '').toLowerCase();
  } catch {
    return '';
  }
};

/** The proxy that a socket leads to, when it was not the URL's own host that was dialled. */
const proxyOf = (url: string, { dialled, remote }: CallSocket): string | null => {
  if (dialled === null) return null;
  const host = dialled.replace(/^\[|\]$/g, '').toLowerCase();
  return host === hostOf(url) ? null : `${host}:${remote?.split(':').at(-1) ?? ''}`;
};

export type HopFacts = Pick<Fields<'uri_dereferences'>, 'reference_id' | 'redirect_of' | 'hop' | 'agent'>;

/** Records one hop of a dereference; it is in evidence before anything goes out. */
export const hopOf = (
  context: CaptureContext,
  { method, url, headers }: CallStart,
  body: Uint8Array,
  facts: HopFacts,
  observer: Observer,
): HopRecorder => {
  const sent = body.length === 0 ? undefined : body;
  const recorder = new HopRecorder(context, { ...facts, uri: url, method, headers, body: sent }, observer);
  recorder.sending();
  return recorder;
};

export const hopSink = (
  recorder: HopRecorder,
  url: string,
  onResponse: NonNullable<CallSink['response']>,
): CallSink => {
  let isAnswered = false;
  return {
    socket: (socket) => {
      const { connected, resolved } = socket;
      const via_proxy = socket.via_proxy ?? proxyOf(url, socket);
      recorder.dialled({ host: hostOf(url), resolved, connected, override: null, via_proxy });
    },
    attributes: (told) => {
      for (const [name, value] of Object.entries(told)) recorder.attribute(name, value);
    },
    response: (status, headers) => {
      isAnswered = true;
      recorder.answered(status, headers, true);
      onResponse(status, headers);
    },
    chunk: (bytes) => recorder.chunk(bytes),
    end: (ended) => (isAnswered ? recorder.ended(ended) : recorder.failed(ended)),
  };
};
