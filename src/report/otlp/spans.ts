import type { Told } from '../face.ts';
import type { Attribute } from './attributes.ts';

export type SpanEvent = {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
};
export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly events: readonly SpanEvent[];
  readonly status: { readonly code?: number; readonly message?: string };
};
/** Spans of one agent. */
export type Service = { readonly name: string; readonly spans: Span[] };

/** A status of a span (opentelemetry-proto trace.proto). */
const ERROR = 2;

/** Builds spans whose ids follow from the digest of the bundle: the same bundle gives the same trace. */
export class Spans {
  private readonly services = new Map<string, Service>();
  private readonly events = new Map<string, SpanEvent[]>();
  private readonly failed = new Map<string, string>();
  private readonly told: Told;
  private readonly traceId: string;

  constructor(told: Told) {
    this.told = told;
    this.traceId = told.crypto.sha256Hex(`a2aft otlp trace ${told.crypto.sha256Hex(told.files.bundle)}`).slice(0, 32);
  }

  idOf(key: string): string {
    return this.told.crypto.sha256Hex(`a2aft otlp span ${this.traceId} ${key}`).slice(0, 16);
  }

  event(key: string, event: SpanEvent): void {
    const events = this.events.get(key);
    if (events === undefined) this.events.set(key, [event]);
    else events.push(event);
  }

  fail(key: string, reason: string): void {
    this.failed.set(key, this.failed.get(key) ?? reason);
  }

  add(
    service: string,
    key: string,
    parent: string | null,
    span: Pick<Span, 'name' | 'kind' | 'startTimeUnixNano' | 'endTimeUnixNano' | 'attributes'>,
  ): void {
    const same = this.services.get(service) ?? { name: service, spans: [] };
    this.services.set(service, same);
    const failed = this.failed.get(key);
    same.spans.push({
      traceId: this.traceId,
      spanId: this.idOf(key),
      ...(parent === null ? {} : { parentSpanId: this.idOf(parent) }),
      ...span,
      events: this.events.get(key) ?? [],
      status: failed === undefined ? {} : { code: ERROR, message: failed },
    });
  }

  all(): readonly Service[] {
    return [...this.services.values()];
  }
}
