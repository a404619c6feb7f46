import { describe, expect, it } from 'vitest';
import { COLLECTIONS } from '../../src/evidence/collections.ts';
import type { Told } from '../../src/report/face.ts';
import { otlpText, servicesIn, spansIn, valuesOf } from './otlp.ts';
import { COMMITTED, committed, hostile, SAMPLES } from './told.ts';

const ALL = [
  ...Object.entries(SAMPLES),
  ...COMMITTED.map((name): [string, () => Told] => [name, () => committed(name)]),
];
const asrf = () => committed(COMMITTED.find((name) => name.startsWith('asrf-1'))!);

describe('OTLP traces', () => {
  it.each(ALL)('of %s are one tree of spans of one trace, and the same each time', (_, make) => {
    const spans = spansIn(make());
    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(ids.size).toBe(spans.length);
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1);
    for (const { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano } of spans) {
      expect(traceId).toBe(spans[0]!.traceId);
      expect([traceId, spanId].join()).toMatch(/^[0-9a-f]{32},[0-9a-f]{16}$/);
      if (parentSpanId !== undefined) expect(ids).toContain(parentSpanId);
      expect(name).not.toBe('');
      expect([1, 2, 3]).toContain(kind);
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
    }
    expect(otlpText(make())).toBe(otlpText(make()));
  });

  it.each(COMMITTED)('of %s hold every record once, as a span or as an event', (name) => {
    const told = committed(name);
    const seen = spansIn(told).flatMap(({ attributes, events }) =>
      [attributes, ...events.map((event) => event.attributes)].map(valuesOf),
    );
    const sequences = seen.flatMap((values) => values['a2aft.sequence'] ?? []);
    const expected = COLLECTIONS.filter((collection) => collection !== 'trace_metadata').flatMap((collection) =>
      told.intact![collection].map(({ sequence }) => sequence),
    );
    const sorted = (numbers: readonly unknown[]) => numbers.map(Number).sort((a, b) => a - b);
    expect(sorted(sequences)).toEqual(sorted(expected));
  });

  it('put a request below the exchange that brought its URI, a redirect below its hop, and the finding on its span', () => {
    const services = servicesIn(asrf());
    expect(services.map(({ resource }) => valuesOf(resource.attributes)['service.name'])).toEqual([
      'forensictrace',
      'desk',
      'researcher',
    ]);
    const spans = spansIn(asrf());
    const byId = new Map(spans.map((span) => [valuesOf(span.attributes)['a2aft.id'], span]));
    const [exchange, hop, redirect] = ['exchange-10', 'dereference-12', 'dereference-14'].map((id) => byId.get(id)!);
    expect([redirect!.parentSpanId, hop!.parentSpanId]).toEqual([hop!.spanId, exchange!.spanId]);
    expect(redirect!.status).toEqual({ code: 2, message: 'ASRF_HOST_OUTSIDE_POLICY' });
    expect(exchange!.status).toEqual({});
    expect(redirect!.events.map(({ name }) => name)).toContain('ASRF_HOST_OUTSIDE_POLICY');
    expect(valuesOf(redirect!.attributes)).toMatchObject({
      'url.full': expect.stringContaining('169.254'),
      'http.response.status_code': 200,
    });
    expect(valuesOf(exchange!.attributes)).toMatchObject({
      'a2a.method.name': 'SendMessage',
      'http.request.method': 'POST',
    });
    // Its answer came 87 ms later.
    expect(BigInt(redirect!.endTimeUnixNano) - BigInt(redirect!.startTimeUnixNano)).toBe(87_000_000n);
  });

  it('of what was refused hold the verdict alone', () => {
    const [root, ...others] = spansIn(SAMPLES.altered!());
    expect(others).toEqual([]);
    expect(valuesOf(root!.attributes)).toMatchObject({
      'a2aft.verdict': 'INTEGRITY_REFUSED',
      'a2aft.incident': 'incident-1',
    });
    expect(root!.status).toMatchObject({ code: 2, message: 'RECORD_ALTERED' });
    const [unsigned] = spansIn(SAMPLES['not signed by a trusted key']!());
    expect(valuesOf(unsigned!.attributes)).toMatchObject({ 'a2aft.claimed_incident': 'incident-1' });
    expect(spansIn(SAMPLES.empty!())[0]).toMatchObject({ startTimeUnixNano: '0', endTimeUnixNano: '0' });
  });

  it('say that their names are experimental', () => {
    for (const { scopeSpans } of servicesIn(asrf()))
      expect(valuesOf(scopeSpans[0]!.scope.attributes)).toEqual({ 'a2aft.schema': 'experimental' });
  });

  it('hold the words of a stranger cut and neutralised', () => {
    const text = otlpText(hostile());
    expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text.replaceAll('\n', ''))).toBe(false);
    expect(text.length).toBeLessThan(200_000);
    for (const { name, events } of spansIn(hostile()))
      for (const shown of [name, ...events.map((event) => event.name)]) {
        expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(shown)).toBe(false);
        expect(shown.length).toBeLessThan(1000);
      }
  });
});
