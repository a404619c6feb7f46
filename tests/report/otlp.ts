import type { Told } from '../../src/report/face.ts';
import { PLAIN } from '../../src/report/layout.ts';
import { otlp } from '../../src/report/otlp/otlp.ts';

type Value = { stringValue: string } | { intValue: string } | { boolValue: boolean };
type Attributes = { key: string; value: Value }[];
export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attributes;
  events: { name: string; timeUnixNano: string; attributes: Attributes }[];
  status: { code?: number; message?: string };
};
export type Service = {
  resource: { attributes: Attributes };
  scopeSpans: { scope: { name: string; attributes: Attributes }; spans: Span[] }[];
};

export const otlpText = (told: Told): string => [...otlp(told, PLAIN)].join('');
export const servicesIn = (told: Told): Service[] =>
  (JSON.parse(otlpText(told)) as { resourceSpans: Service[] }).resourceSpans;
export const spansIn = (told: Told): Span[] =>
  servicesIn(told).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

const plain = (value: Value): unknown =>
  'intValue' in value ? Number(value.intValue) : 'boolValue' in value ? value.boolValue : value.stringValue;

/** Attributes as an object: a name is a key of ours, so none is `__proto__`. */
export const valuesOf = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
