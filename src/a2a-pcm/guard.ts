import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { decodeUtf8 } from '../base/utf8.ts';
import { parseWire } from '../base/wire-json.ts';
import { type JsonBinding, type PcmPart, pcmPartsOf } from '../pcm/a2a-parts.ts';
import { finding } from '../pcm/finding.ts';
import { PCM_LIMITS } from '../pcm/limits.ts';
import type { PcmReason } from '../pcm/reasons.ts';
import { type Asked, answerRefusal } from './answer.ts';
import type { AcceptedMessage, PcmReceiver, RefusedMessage } from './receiver.ts';

/** A middleware of Express, or of Connect. */
export type GuardMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

export type PcmGuard = {
  /** To mount before the handler of the SDK for this binding, and behind no other parser. */
  before(binding: JsonBinding): GuardMiddleware;
  /**
   * For an executor: the messages of the request that it serves, each verified, spent and accepted, in the order of its parts. Throws Error where the
   * request did not pass this guard (gRPC, a route before which it is not mounted).
   */
  accepted(): readonly AcceptedMessage[];
};

export type GuardOptions = {
  /** Bytes of one request, after content decoding. Default: twice the longest message. */
  readonly maxBodyBytes?: number;
};

/** Verifying a message takes milliseconds, and whoever sends it has not been told apart from a stranger. */
const MAX_PARTS = 16;
const JSON_TYPES = ['application/json', 'application/a2a+json'];

const badInput = (reason: PcmReason, at: string, detail: string): RefusedMessage => ({
  verdict: 'bad-input',
  findings: [finding(reason, at, detail)],
});

const isJson = ({ headers }: IncomingMessage): boolean =>
  JSON_TYPES.includes((headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase());

const versionOf = ({ headers }: IncomingMessage): string => String(headers['a2a-version'] ?? '0.3');

/** A request as the SDK will see it, and the messages that it carries. */
type Read = { readonly value: unknown; readonly parts: readonly PcmPart[] };

const readRequest = (bytes: Uint8Array, binding: JsonBinding): Read | RefusedMessage => {
  const text = decodeUtf8(bytes);
  const root = text === null || text.startsWith('\ufeff') ? null : parseWire(text);
  if (root === null) return badInput('PCM_A2A_BODY', '', 'the request is no JSON in UTF-8');
  // A batch is answered call by call, so a refusal of one would leave the others to be done.
  const calls = root.kind === 'array' ? root.items : [root];
  const read = calls.map((call) => pcmPartsOf(call, binding));
  const ambiguous = read.find((one) => one.ambiguous !== null)?.ambiguous;
  if (typeof ambiguous === 'string') return badInput('PCM_A2A_BODY', ambiguous, 'an object names a member twice');
  const parts = read.flatMap((one) => one.parts);
  if (root.kind === 'array' && parts.length > 0)
    return badInput('PCM_A2A_BATCH', '', 'a batch carries a message: send each call by itself');
  // The SDK parses a text again that it is given as a string: what it then finds was not looked at.
  if (root.kind === 'string') return badInput('PCM_A2A_BODY', '', 'the request is a string');
  if (parts.length > MAX_PARTS)
    return badInput('PCM_A2A_PARTS', '', `${parts.length} messages, and this guard verifies ${MAX_PARTS}`);
  return { value: JSON.parse(text!) as unknown, parts };
};

const idOf = (value: unknown): Asked['id'] => {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

/** Verifies in the order of the parts and stops at the first refusal: what came before it is spent. */
const receiveAll = async (
  parts: readonly PcmPart[],
  receiver: PcmReceiver,
): Promise<readonly AcceptedMessage[] | RefusedMessage> => {
  const accepted: AcceptedMessage[] = [];
  for (const part of parts) {
    if ('refused' in part) return { verdict: 'bad-input', findings: [part.refused] };
    const received = await receiver.receive(part.bytes);
    if ('findings' in received) return received;
    accepted.push(received);
  }
  return accepted;
};

/**
 * Takes a receiver; returns a guard of an A2A server. It reads the body of a request before the SDK parses it, verifies each part of the media type
 * `application/vnd.pcm+json`, and answers with an A2A error when one is not accepted: the executor then never runs (docs/PCM-A2A.md). A fault of a
 * shared state goes to the error handler of the application.
 */
export const createPcmGuard = (receiver: PcmReceiver, options: GuardOptions = {}): PcmGuard => {
  const { maxBodyBytes = 2 * PCM_LIMITS.messageBytes } = options;
  const scope = new AsyncLocalStorage<readonly AcceptedMessage[]>();
  // The guard decodes the text itself, as UTF-8: a charset would have two readers see two texts.
  const readBody = express.raw({ type: () => true, limit: maxBodyBytes }) as unknown as GuardMiddleware;

  const guard = async (
    binding: JsonBinding,
    request: IncomingMessage & { body?: unknown },
    response: ServerResponse,
  ) => {
    const asked = { binding, version: versionOf(request), id: null };
    if (request.body === undefined) return [];
    if (!(request.body instanceof Uint8Array)) throw new Error('another parser stands before the guard of PCM');
    const read = readRequest(request.body, binding);
    if ('findings' in read) return answerRefusal(response, read, asked);
    const accepted = await receiveAll(read.parts, receiver);
    if ('findings' in accepted) return answerRefusal(response, accepted, { ...asked, id: idOf(read.value) });
    request.body = read.value;
    return accepted;
  };

  return {
    before: (binding) => (request, response, next) => {
      if (!isJson(request)) {
        scope.run([], next);
        return;
      }
      const refuse = (refused: RefusedMessage): void => {
        if (response.headersSent) return;
        // What else is sent would be read on, to nobody's use.
        response.setHeader('connection', 'close');
        answerRefusal(response, refused, { binding, version: versionOf(request), id: null });
      };
      const tooLong = badInput('PCM_A2A_BODY_TOO_LONG', '', `the request is longer than ${maxBodyBytes} bytes`);
      let received = 0;
      // Express says that a body is too long once it has ended: one without end would never be answered.
      request.on('data', (piece: Uint8Array) => {
        received += piece.length;
        if (received > maxBodyBytes) refuse(tooLong);
      });
      readBody(request, response, (error) => {
        if (response.headersSent) return;
        if (error !== undefined) {
          const isTooLong = (error as { status?: number }).status === 413;
          refuse(isTooLong ? tooLong : badInput('PCM_A2A_BODY', '', 'the request cannot be read'));
          return;
        }
        guard(binding, request, response).then(
          (accepted) => accepted !== undefined && scope.run(accepted, next),
          (fault: unknown) => next(fault),
        );
      });
    },
    accepted: () => {
      const accepted = scope.getStore();
      if (accepted === undefined) throw new Error('no guard stands before this call: nothing it carries was verified');
      return accepted;
    },
  };
};
