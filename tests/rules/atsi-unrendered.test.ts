import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { atsi } from '../../src/rules/atsi.ts';
import { ACTIVE, by, chunks, judge, produced, render, rendered } from './atsi-traces.ts';
import { body, expectMinimal, findings, level, sha256, shown, told } from './support.ts';

describe('artifacts that nobody was seen to render', () => {
  it('observes active content where renders were watched, else is INCONCLUSIVE', () => {
    const seen = judge(produced(ACTIVE));
    expect([seen.triggers, ...told(seen.statements)]).toEqual([1, 'ATSI_ACTIVE_UNRENDERED a']);
    expect(level(seen.statements[0]!)).toBe('warning');
    expect(shown(expectMinimal(atsi.judge, seen.statements[0]!, by()))).toContain('TraceMetadata trace');

    const { triggers, statements } = judge(produced(ACTIVE, {}, false));
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
    expect(judge(produced(text, fields, false))).toEqual({ triggers: 0, statements: [] });
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
    const { triggers, statements } = judge(produced(text, fields, false));
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

  it('is INCONCLUSIVE for a sanitizer output that was cut', () => {
    const trace = produced(ACTIVE).add('sanitizers', 's', { artifact_record_id: 'a', output: cut });
    const { statements } = judge(render(trace, 'all of it'));
    expect(told(statements)).toEqual(['ATSI_CONTENT_NOT_HELD v']);
    expect(statements[0]!.missing).toEqual(['output']);
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

it('says nothing of the copies of an artifact that was rendered from another record of the same bytes', () => {
  const copied = (content: string) =>
    rendered(ACTIVE).add('artifacts', 'copy', { exchange_id: 'x', content: body(content), media_type: 'text/html' });
  expect(told(judge(copied(ACTIVE)).statements)).toEqual(['ATSI_ACTIVE_CONTENT_INTERPRETED a']);
  expect(told(judge(copied(`${ACTIVE} `)).statements)).toEqual([
    'ATSI_ACTIVE_CONTENT_INTERPRETED a',
    'ATSI_ACTIVE_UNRENDERED copy',
  ]);
});
