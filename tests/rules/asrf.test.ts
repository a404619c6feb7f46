import { describe, expect, it } from 'vitest';
import { asrf } from '../../src/rules/asrf.ts';
import { by, dereferenced, hop, judge, redirected, referred } from './asrf-traces.ts';
import {
  expectAnchored,
  expectMinimal,
  expectNothingWithoutEdges,
  expectPath,
  findings,
  shown,
  Trace,
  told,
} from './support.ts';

describe('condition and control', () => {
  it.each([
    ['file:///etc/passwd', 'ASRF_SCHEME_OUTSIDE_POLICY'],
    ['gopher://allowed.example/', 'ASRF_SCHEME_OUTSIDE_POLICY'],
    ['view-source:http://127.0.0.1/', 'ASRF_SCHEME_OUTSIDE_POLICY'],
    ['http://allowed.example:6379/', 'ASRF_PORT_OUTSIDE_POLICY'],
    ['http://metadata.google.internal/', 'ASRF_HOST_OUTSIDE_POLICY'],
    ['http://0251.0376.0251.0376/', 'ASRF_HOST_OUTSIDE_POLICY'],
    ['http://[64:ff9b::a9fe:a9fe]/', 'ASRF_HOST_OUTSIDE_POLICY'],
  ])('finds %s, once, also when the connection failed', (uri, reason) => {
    for (const outcome of ['connected', 'connect_failed'] as const) {
      const { triggers, statements } = judge(dereferenced(uri, { outcome }));
      expect([triggers, ...told(statements)]).toEqual([1, `${reason} d`]);
      expectMinimal(asrf.judge, statements[0]!, by());
    }
  });

  it('says nothing of a dereference inside policy', () => {
    expect(judge(dereferenced('https://allowed.example/', { status: 200 }))).toEqual({ triggers: 1, statements: [] });
  });

  it('finds the hop that left policy, by a path over every hop', () => {
    const trace = redirected('https://next.example/', { status: 302 });
    hop(trace, 'd2', { redirect_of: 'd1', hop: 2, uri: 'http://127.0.0.1/', connected_address: null, status: 200 });
    const { statements } = judge(trace);
    expect(told(statements)).toEqual(['ASRF_HOST_OUTSIDE_POLICY d2']);
    expectPath(statements[0]!);
    expect(shown(statements[0]!.path)).toEqual([
      'RuntimeExchange x',
      'EXCHANGE_REFERENCED_URI',
      'UriReferenceEvidence r',
      'URI_REFERENCE_DEREFERENCED',
      'UriDereferenceEvidence d',
      'DEREFERENCE_REDIRECTED_TO',
      'UriDereferenceEvidence d1',
      'DEREFERENCE_REDIRECTED_TO',
      'UriDereferenceEvidence d2',
    ]);
    expect(shown(expectMinimal(asrf.judge, statements[0]!, by()))).toContain('DEREFERENCE_RECEIVED_RESPONSE');
  });

  it('starts the path of a reference in an artifact at the exchange that produced it', () => {
    const trace = new Trace()
      .add('exchanges', 'x')
      .add('artifacts', 'a', { exchange_id: 'x' })
      .add('uri_references', 'r', { artifact_record_id: 'a' });
    hop(trace, 'd', { reference_id: 'r', uri: 'file:///etc/passwd' });
    const { statements } = judge(trace);
    expect(told(statements)).toEqual(['ASRF_SCHEME_OUTSIDE_POLICY d']);
    expectPath(statements[0]!);
    expect(shown(statements[0]!.path).slice(0, 4)).toEqual([
      'RuntimeExchange x',
      'EXCHANGE_PRODUCED_ARTIFACT',
      'ArtifactEvidence a',
      'ARTIFACT_REFERENCED_URI',
    ]);
    expectAnchored(asrf.judge, trace, by(), ['ARTIFACT_REFERENCED_URI', 'URI_REFERENCE_DEREFERENCED']);
  });

  it('prints the address as it stands and the IPv4 address it embeds', () => {
    const [finding] = findings(judge(dereferenced('http://[::ffff:a9fe:a9fe]/')));
    expect(finding!.explanation).toContain('::ffff:a9fe:a9fe');
    expect(finding!.explanation).toContain('169.254.169.254');
  });
});

describe('anchors', () => {
  const condition = () => redirected('http://127.0.0.1/', { connected_address: null, status: 200 });

  it('is INCONCLUSIVE without any one anchor edge, and names it', () => {
    expectAnchored(asrf.judge, condition(), by(), [
      'EXCHANGE_REFERENCED_URI',
      'URI_REFERENCE_DEREFERENCED',
      'DEREFERENCE_REDIRECTED_TO',
    ]);
    expectAnchored(asrf.judge, dereferenced('file:///', { status: 200 }), by(), ['DEREFERENCE_RECEIVED_RESPONSE']);
  });
  it('needs the response of the hop that left policy', () => {
    const trace = condition();
    const outcome = asrf.judge(
      trace.graph(({ source_id, relation }) => relation !== 'DEREFERENCE_RECEIVED_RESPONSE' || source_id !== 'd1'),
      by(),
    );
    expect(told(outcome.statements)).toEqual(['ANCHOR_MISSING d1']);
    expect(outcome.statements[0]!.missing).toEqual(['DEREFERENCE_RECEIVED_RESPONSE']);
  });
  it('is INCONCLUSIVE for every dereference on records without edges', () => {
    expectNothingWithoutEdges(asrf.judge, condition(), by());
  });
  it('does not judge a hop that stands before the one it follows', () => {
    const trace = hop(referred(), 'd1', { redirect_of: 'd', hop: 1, uri: 'file:///' });
    hop(trace, 'd', { reference_id: 'r', status: 302 });
    expect(told(judge(trace).statements)).toEqual(['ANCHOR_MISSING d1']);
  });
});
