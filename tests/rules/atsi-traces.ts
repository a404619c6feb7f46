import type { RecordOf } from '../../src/evidence/bundle.ts';
import { COVERAGE_SUBJECTS, type CoverageSubject } from '../../src/evidence/records/trace.ts';
import { atsi } from '../../src/rules/atsi.ts';
import type { Profile } from '../../src/rules/profile.ts';
import { body, profile, sha256, Trace } from './support.ts';

/** Traces of artifacts and their renders, for the tests of ATSI. */

const EVERYTHING = Object.fromEntries(COVERAGE_SUBJECTS.map((subject) => [subject, true])) as Record<
  CoverageSubject,
  boolean
>;

type Artifact = Partial<RecordOf<'artifacts'>>;
type Render = Partial<RecordOf<'artifact_renders'>>;

export const ACTIVE = '<p onclick="steal()">hello</p>';
export const INERT = '<p>hello</p>';

export const by = (policy: Partial<Profile['atsi']> = {}) => profile({ atsi: policy });
export const judge = (trace: Trace, policy: Partial<Profile['atsi']> = {}) => atsi.judge(trace.graph(), by(policy));

/** An exchange and an artifact that it produced, in a trace that watched for renders or did not. */
export const produced = (text: string, fields: Artifact = {}, artifact_render = true) =>
  new Trace()
    .add('trace_metadata', 'trace', { coverage: { ...EVERYTHING, artifact_render } })
    .add('exchanges', 'x')
    .add('artifacts', 'a', { exchange_id: 'x', content: body(text), media_type: 'text/html', ...fields });

export const render = (trace: Trace, input: string, fields: Render = {}) =>
  trace.add('artifact_renders', 'v', {
    artifact_record_id: 'a',
    interpreted_as: 'text/html',
    input_sha256: sha256(input),
    ...fields,
  });

export const rendered = (text: string, fields: Render = {}, artifact: Artifact = {}) =>
  render(produced(text, artifact), text, fields);

/** A stream of chunks, each continuing the one before unless told otherwise. */
export const chunks = (parts: readonly { readonly text: string | null; readonly append: boolean }[]) => {
  const trace = new Trace().add('trace_metadata', 'trace').add('exchanges', 'x');
  for (const [i, { text, append }] of parts.entries()) {
    trace.add('artifacts', `c${i}`, {
      exchange_id: 'x',
      content: text === null ? null : body(text),
      part_kind: text === null ? null : 'text',
      part_index: text === null ? null : 0,
      append,
      appends_to: append ? `c${i - 1}` : null,
    });
  }
  return trace;
};

export const joined = (texts: readonly string[]) => chunks(texts.map((text, i) => ({ text, append: i > 0 })));
