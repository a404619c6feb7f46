import { describe, expect, it } from 'vitest';
import { detectActiveContent } from '../../../../src/rules/detectors/markup/detect.ts';

/** What GitHub's own renderer, marked and markdown-it make of these rows was looked at; CommonMark reads none as a table. */

const judge = (text: string) => detectActiveContent(new TextEncoder().encode(text), 'text/markdown');
const table = (...rows: readonly string[]) => ['| a | b |', '| :-- | --- |', ...rows].join('\n');

describe('tables of GitHub Flavored Markdown', () => {
  it.each([
    ['a code span torn at a pipe', table('| `<img src=x onerror=f()> | ` |')],
    ['a code span torn at a line end', table('| `x |', '| <img src=x onerror=f()>` |')],
    ['an attribute value torn at a line end', table('<a href="</style><script>f()</script>', '">')],
    ['a link in a torn code span', table('| ` [l](javascript:f()) | ` |')],
    ['the header row', 'text\n`<b onclick=f()>|`\n-|-'],
    ['one in a block quote', table('| `<b onclick=f()> | ` |').replace(/^/gm, '> ')],
    ['rows with carriage returns', table('| `<b onclick=f()> | ` |').replaceAll('\n', '\r\n')],
  ])('is INCONCLUSIVE, never inert: %s', (_case, text) => {
    const { verdict, reason, notes } = judge(text);
    expect([verdict, reason]).toEqual(['inconclusive', expect.stringContaining('as a table')]);
    expect(notes.map(({ kind }) => kind)).toContainEqual(expect.stringMatching(/^as-table:/));
  });

  it.each([
    ['code spans within their cells', table('| `<script>f()</script>` | `onerror=f()` |')],
    ['an escaped pipe in a code span', table('| `<img src=x \\| onerror=f()>` | x |')],
    ['a table in a fence', `\`\`\`\n${table('| `<img src=x onerror=f()> | ` |')}\n\`\`\``],
    ['rows without a delimiter row', '| a | b |\n| `<img src=x onerror=f()> | ` |'],
    ['links and prose', table('| [docs](https://ok.example/) | 1 - 2 |', '| a \\ | b |')],
  ])('stays inert: %s', (_case, text) => {
    expect(judge(text)).toMatchObject({ verdict: 'inert', notes: [], reason: null });
  });

  it('is active where CommonMark has it already', () => {
    expect(judge(table('| <img src=x onerror=f()> | x |')).verdict).toBe('active');
  });
});
