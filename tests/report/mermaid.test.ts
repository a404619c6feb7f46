import { describe, expect, it } from 'vitest';
import type { Bundle } from '../../src/evidence/bundle.ts';
import type { Told } from '../../src/report/face.ts';
import { PLAIN } from '../../src/report/layout.ts';
import { mermaid } from '../../src/report/mermaid.ts';
import { COMMITTED, committed, hostile, SAMPLES } from './told.ts';

const textOf = (told: Told): string => [...mermaid(told, PLAIN)].join('');

/** A label holds letters and digits of any script and marks without meaning to Mermaid, nothing else; a backslash begins our own escape. */
const LABEL = String.raw`(?:[\p{L}\p{N} .,/_=+()?…-]|\\x[0-9a-f]{2}|\\u[0-9a-f]{4})+`;
const LINES = new RegExp(
  `^(?:sequenceDiagram|  participant (?:v|p\\d+|others) as ${LABEL}|  Note over (?:v|p\\d+|others): ${LABEL}|  (?:p\\d+|others)->>(?:p\\d+|others): ${LABEL})$`,
  'u',
);

describe('the Mermaid diagram', () => {
  it.each([
    ...Object.entries(SAMPLES),
    ...COMMITTED.map((name): [string, () => Told] => [name, () => committed(name)]),
  ])('of %s has lines of these forms alone, and is the same each time', (_, make) => {
    const text = textOf(make());
    const lines = text.trimEnd().split('\n');
    expect(lines.filter((line) => !LINES.test(line))).toEqual([]);
    expect(lines[0]).toBe('sequenceDiagram');
    expect(textOf(make())).toBe(text);
  });

  it('has the exchanges in runtime order between their agents, and each finding after its exchange', () => {
    const told = committed(COMMITTED.find((name) => name.startsWith('asrf-1'))!);
    const lines = textOf(told)
      .split('\n')
      .map((line) => line.trim());
    expect(lines).toContain('participant p1 as desk');
    const exchanges = lines.filter((line) => line.includes('->>'));
    expect(exchanges.map((line) => line.split(' ')[1])).toEqual(['exchange-8', 'exchange-10']);
    const at = lines.findIndex((line) => line.includes('exchange-10'));
    expect(lines[at + 1]).toBe('Note over p2: finding ASRF_HOST_OUTSIDE_POLICY uri_dereferences/dereference-14');
  });

  it('of what was refused shows no agent and no exchange', () => {
    const text = textOf(SAMPLES.altered!());
    expect(text).not.toMatch(/->>|participant p/);
    expect(text).toContain('Note over v: INTEGRITY_REFUSED');
  });

  it('writes what Mermaid would act on as escapes', () => {
    const text = textOf(hostile());
    expect(text).toContain('\\x3cscript\\x3e');
    expect(text.replaceAll('->>', '')).not.toMatch(/[<>%#;{}"'`[\]&]/);
  });

  it('says how much it leaves out', () => {
    const told = SAMPLES.consistent!();
    const [exchange] = told.intact!.exchanges;
    const exchanges = Array.from({ length: 250 }, (_, at) => ({
      ...exchange!,
      exchange_id: `exchange-${at}`,
      server_agent: `agent-${at}`,
      sequence: at,
    }));
    const text = textOf({ ...told, intact: { ...told.intact!, exchanges } as Bundle });
    expect(text.match(/->>/g)).toHaveLength(200);
    expect(text).toContain('50 more exchanges, all in the JSON report');
    expect(text).toContain('participant others as 161 other agents');
  });
});
