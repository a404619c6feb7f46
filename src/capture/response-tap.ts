import type { ReadableByteStreamController, UnderlyingByteSource, UnderlyingSource } from 'node:stream/web';
import { type Ending, endingOf } from './ending.ts';

/** Told of a response as its consumer reads it; never throws. */
export type BodyListener = {
  chunk(bytes: Uint8Array): void;
  /** Called once. */
  end(ended: Ending, error?: unknown): void;
};

const isByteStream = (body: ReadableStream<Uint8Array>): boolean => {
  try {
    body.getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
};

const source = (
  body: ReadableStream<Uint8Array>,
  listener: BodyListener,
  signal: AbortSignal | null | undefined,
): UnderlyingSource<Uint8Array> => {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  // After a cancel the pending read ends as well, and must not be told as a second end.
  let settled = false;
  const settle = (ended: Ending, error?: unknown): void => {
    if (settled) return;
    settled = true;
    listener.end(ended, error);
  };
  return {
    pull: async (controller) => {
      reader ??= body.getReader();
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (settled) return;
          if (done) {
            settle('complete');
            controller.close();
            (controller as unknown as ReadableByteStreamController).byobRequest?.respond(0);
            return;
          }
          listener.chunk(value);
          if (value.length === 0) continue;
          controller.enqueue(value);
          return;
        }
      } catch (error) {
        settle(endingOf(error, signal), error);
        controller.error(error);
      }
    },
    cancel: async (reason) => {
      settle('aborted');
      await (reader ?? body).cancel(reason);
    },
  };
};

/** What the constructor of Response does not take over. */
const dress = (response: Response, original: Response): Response => {
  const get = (value: unknown): PropertyDescriptor => ({ value, configurable: true });
  return Object.defineProperties(response, {
    url: get(original.url),
    redirected: get(original.redirected),
    type: get(original.type),
    headers: get(original.headers),
    clone: get(() => dress(Object.getPrototypeOf(response).clone.call(response), original)),
  });
};

/**
 * Takes a response whose body nobody has read; returns one that gives its consumer the same, at the pace the consumer reads,
 * and tells the listener of every chunk before the consumer has it. A response without a body is returned as it is, its end told.
 * Throws TypeError or RangeError, the response untouched, where this runtime cannot make such a response.
 */
export const tapResponse = (response: Response, listener: BodyListener, signal?: AbortSignal | null): Response => {
  const { body } = response;
  if (body === null) {
    listener.end('complete');
    return response;
  }
  const pulled = source(body, listener, signal);
  const stream = isByteStream(body)
    ? new ReadableStream({ ...(pulled as object), type: 'bytes' } as UnderlyingByteSource)
    : new ReadableStream(pulled, { highWaterMark: 0 });
  const { status, statusText, headers } = response;
  const Constructor = response.constructor as typeof Response;
  return dress(new Constructor(stream, { status, statusText, headers }), response);
};
