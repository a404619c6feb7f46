import type { RecordOf } from '../../src/evidence/bundle.ts';
import { asrf } from '../../src/rules/asrf.ts';
import type { AsrfPolicy } from '../../src/rules/detectors/uri/policy.ts';
import { PUBLIC_ADDRESS, PUBLIC_WEB } from './detectors/uri/policies.ts';
import { profile, Trace } from './support.ts';

/** Traces of references and the dereferences that follow them, for the tests of ASRF. */

type Dereference = Partial<RecordOf<'uri_dereferences'>>;

export const by = (policy: Partial<AsrfPolicy> = {}) => profile({ asrf: { ...PUBLIC_WEB, ...policy } });
export const judge = (trace: Trace, policy: Partial<AsrfPolicy> = {}) => asrf.judge(trace.graph(), by(policy));

export const referred = (uri = 'https://allowed.example/') =>
  new Trace().add('exchanges', 'x').add('uri_references', 'r', { uri, exchange_id: 'x' });

/** Adds a hop to a public address, and its response if it has a status. */
export const hop = (trace: Trace, id: string, fields: Dereference): Trace => {
  trace.add('uri_dereferences', id, { connected_address: PUBLIC_ADDRESS, ...fields });
  if (typeof fields.status === 'number') {
    trace.add('dereference_responses', `${id}-response`, { dereference_id: id, status: fields.status });
  }
  return trace;
};

export const dereferenced = (uri: string, fields: Dereference = {}) =>
  hop(referred(uri), 'd', { reference_id: 'r', uri, ...fields });

export const redirected = (location: string, fields: Dereference = {}) =>
  hop(
    dereferenced('https://allowed.example/start', { status: 302, response_headers: [['location', location]] }),
    'd1',
    { redirect_of: 'd', hop: 1, uri: location, ...fields },
  );
