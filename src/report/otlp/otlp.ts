import { VERSION } from '../../base/version.ts';
import type { Face } from '../face.ts';
import { jsonLine } from '../json.ts';
import { attributes } from './attributes.ts';
import { servicesOf } from './trace.ts';

const SCOPE = { name: 'forensictrace', version: VERSION, attributes: attributes({ 'a2aft.schema': 'experimental' }) };

/**
 * The trace in the JSON encoding of OTLP (opentelemetry-proto 1.x, ExportTraceServiceRequest), a resource for each agent, a span a line. Experimental:
 * the conventions for A2A are not merged upstream, so names may change with the version of the scope.
 */
export const otlp: Face = function* (told) {
  yield '{"resourceSpans":[';
  let service = '\n';
  for (const { name, spans } of servicesOf(told)) {
    const resource = { attributes: attributes({ 'service.name': name }) };
    yield `${service}{"resource":${jsonLine(resource)},"scopeSpans":[{"scope":${jsonLine(SCOPE)},"spans":[`;
    let before = '\n';
    for (const span of spans) {
      yield before + jsonLine(span);
      before = ',\n';
    }
    yield '\n]}]}';
    service = ',\n';
  }
  yield '\n]}\n';
};
