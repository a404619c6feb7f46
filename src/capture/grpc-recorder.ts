import { encodeUtf8 } from '../base/utf8.ts';
import type { CaptureContext } from './context.ts';
import type { Ending } from './ending.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';
import { grpcMethod, isExtendedCard } from './grpc-messages.ts';
import { recordEvent } from './observations.ts';
import { recordPartReferences } from './part-references.ts';
import { recordCard } from './record-card.ts';

/** What is used of @grpc/grpc-js, by shape: it is an optional peer of the SDK, and never imported. */
export type GrpcMetadata = { toJSON(): Readonly<Record<string, readonly (string | Uint8Array)[]>> };
export type GrpcStatus = { readonly code: number; readonly details: string; readonly metadata: GrpcMetadata };

/** By code (gRPC, statuscodes.md). */
const STATUS_NAMES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;
/** The other codes end a call as any answer does. */
const ENDINGS: ReadonlyMap<string | undefined, Ending> = new Map([
  ['CANCELLED', 'aborted'],
  ['DEADLINE_EXCEEDED', 'timeout'],
  ['UNAVAILABLE', 'reset'],
]);

function* headersOf(metadata: GrpcMetadata): Generator<[string, string]> {
  for (const [name, values] of Object.entries(metadata.toJSON())) {
    for (const value of values) yield [name, typeof value === 'string' ? value : Buffer.from(value).toString()];
  }
}

export type GrpcStart = {
  /** The agent that sends. */
  readonly agent: string | null;
  /** The interface URL in use, and the path of the method below it. */
  readonly url: string;
  readonly path: string;
  readonly isStream: boolean;
  readonly metadata: GrpcMetadata;
};

/** Records one gRPC call as its client sees it: metadata, typed messages, status. No method of it throws; the constructor may. */
export class GrpcRecorder {
  readonly #context: CaptureContext;
  readonly #start: GrpcStart;
  readonly #url: string;
  readonly #endpoint: { readonly endpoint_id: string; readonly agent: string | null } | undefined;
  readonly #exchange: ExchangeRecorder;
  #messages = 0;

  constructor(context: CaptureContext, start: GrpcStart) {
    const { session, scope } = context;
    const running = scope.getStore();
    this.#context = context;
    this.#start = start;
    this.#url = start.url.replace(/\/$/, '') + start.path;
    this.#endpoint = running?.endpoint;
    this.#exchange = new ExchangeRecorder(context, {
      observer: 'sdk-client',
      endpoint_id: this.#endpoint?.endpoint_id ?? null,
      client_agent: start.agent,
      server_agent: this.#endpoint?.agent ?? null,
      binding: 'GRPC',
      method: 'POST',
      url: this.#url,
      headers: headersOf(start.metadata),
    });
    this.#exchange.request(null);
    if (this.#exchange.reference !== null) running?.sent?.push(this.#exchange.reference);
    running?.calls?.push(this.#exchange);
    if (grpcMethod(start.path) === null)
      session.gap(`${this.#exchange.id}: its gRPC messages are not those of A2A 1.0, and were not read`);
  }

  request(message: unknown): void {
    const { agent, path } = this.#start;
    this.#see(agent, null, () => grpcMethod(path)?.request(message as never) ?? []);
  }

  /** The metadata with which the response begins. */
  response(metadata: GrpcMetadata): void {
    this.#context.session.attempt('record gRPC metadata', () =>
      // No HTTP status reaches an interceptor.
      this.#exchange.response(null, headersOf(metadata)),
    );
  }

  message(message: unknown): void {
    const { path, isStream } = this.#start;
    const wire_event = isStream ? this.#messages++ : null;
    if (isExtendedCard(path)) this.#card(message);
    else this.#see(this.#endpoint?.agent ?? null, wire_event, () => grpcMethod(path)?.response(message as never) ?? []);
  }

  end({ code, details, metadata }: GrpcStatus): void {
    this.#context.session.attempt('record a gRPC status', () => {
      this.#context.redactor.headers(headersOf(metadata));
      const name = STATUS_NAMES[code];
      this.#exchange.attribute('grpc_status', name ?? String(code));
      if (details !== '') this.#exchange.attribute('grpc_message', details);
      this.#exchange.end(ENDINGS.get(name) ?? 'complete');
    });
  }

  #json(value: unknown): string {
    return this.#context.redactor.json(JSON.stringify(value));
  }

  #see(agent: string | null, wire_event: number | null, read: () => readonly unknown[]): void {
    const exchange_id = this.#exchange.reference;
    if (exchange_id === null) return;
    const sighting = { observer: 'sdk-client', agent, exchange_id, wire_event } as const;
    this.#context.session.attempt('record a gRPC message', () => {
      for (const value of read()) {
        const parts = recordEvent(this.#context, sighting, this.#json(value), false);
        for (const part of parts) recordPartReferences(this.#context, sighting.observer, part);
      }
    });
  }

  #card(message: unknown): void {
    this.#context.session.attempt('record an extended card', () => {
      const [card] = grpcMethod(this.#start.path)?.response(message as never) ?? [];
      recordCard(this.#context, 'candidate_cards', 'sdk-client', encodeUtf8(this.#json(card)), {
        url: this.#context.redactor.text(this.#url),
        status: null,
        extended: true,
        endpoint_id: this.#endpoint?.endpoint_id ?? null,
      });
    });
  }
}
