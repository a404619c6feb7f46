import type { ServedRequest } from '../../../harness/lab/network.ts';
import { agentAt, type Case, type Expected, hold, keptHeaders, parsed, rawPairs, wholeBody } from './compare.ts';
import { exchangeIdOf } from './exchanges.ts';

type Place = { readonly uri: string; readonly pointer: string };

/** Every URI in the strings of a JSON text, in document order. */
const urisOf = (value: unknown, pointer = ''): Place[] => {
  if (typeof value === 'string') return [...value.matchAll(/https?:\/\/\S+/g)].map(([uri]) => ({ uri, pointer }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => urisOf(member, `${pointer}/${name}`));
};

const isRead = ({ method, host }: ServedRequest): boolean => method === 'GET' && agentAt(host) === null;

/** The calls whose bodies, as the servers logged them, hold a URI: each as client and server saw it. */
export const uriReferences = (given: Case): string[] => {
  const happened = given.run.witness.served.flatMap((call) => {
    if (call.path !== '/a2a') return [];
    return (['request', 'response'] as const).flatMap((body) =>
      urisOf(parsed(body === 'request' ? call.body : call.response)).flatMap((place) =>
        ['sdk-client', 'sdk-server'].map((observer) => ({
          ...place,
          body,
          observer,
          exchange_id: exchangeIdOf(given, observer, call),
          artifact_record_id: null,
          wire_event: null,
        })),
      ),
    );
  });
  const orderOf = ({ uri, pointer, exchange_id, body }: Expected<'uri_references'>): string =>
    JSON.stringify([exchange_id, body, pointer, uri]);
  const inOrder = <T extends Expected<'uri_references'>>(list: readonly T[]): T[] =>
    [...list].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  return hold('uri_references', inOrder(given.bundle.uri_references), inOrder(happened));
};

/** The requests that the URI services logged, in order, as hops of one dereference. */
export const uriDereferences = (given: Case): string[] => {
  const { bundle, run } = given;
  const hops = run.witness.served.filter(isRead);
  return hold(
    'uri_dereferences',
    bundle.uri_dereferences,
    hops.map((served, hop) => {
      const uri = `http://${served.host}${served.path}`;
      const place = run.witness.places.get(served.host);
      const asked = bundle.exchanges.filter((one) => one.request_body?.text.includes(uri) === true);
      const inServer = asked.find(({ observer }) => observer === 'sdk-server')?.exchange_id;
      const reference = bundle.uri_references.find((one) => one.uri === uri && one.exchange_id === inServer);
      return {
        reference_id: hop === 0 ? reference?.reference_id : null,
        redirect_of: hop === 0 ? null : bundle.uri_dereferences[hop - 1]?.dereference_id,
        hop,
        agent: run.witness.log.find((entry) => entry.what === 'uri_read')?.agent,
        uri,
        method: served.method,
        resolved_addresses: place?.addresses.length === 0 ? [served.host] : place?.addresses,
        connected_address: place?.address,
        dial_override: { host: served.host, address: place?.address },
        via_proxy: null,
        outcome: 'connected',
        status: served.status,
        ended: 'complete',
        request_headers: keptHeaders(rawPairs(served.headers)),
        response_headers: keptHeaders(Object.entries(served.responseHeaders)),
        request_body: null,
        observer: 'application',
      } satisfies Expected<'uri_dereferences'>;
    }),
  );
};

export const dereferenceResponses = ({ bundle, run }: Case): string[] =>
  hold(
    'dereference_responses',
    bundle.dereference_responses,
    run.witness.served.filter(isRead).map((served, hop) => ({
      dereference_id: bundle.uri_dereferences[hop]?.dereference_id,
      status: served.status,
      body: wholeBody(served.response),
      observer: 'application',
    })),
  );
