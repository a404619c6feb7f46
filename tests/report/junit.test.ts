import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { Told } from '../../src/report/face.ts';
import { junit } from '../../src/report/junit.ts';
import { PLAIN } from '../../src/report/layout.ts';
import { COMMITTED, committed, hostile, SAMPLES } from './told.ts';

type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  readonly within: string;
};

/** The elements of well-formed XML 1.0, in document order; throws on any other text. */
const parse = (text: string): Element[] => {
  const parser = new SaxesParser();
  const elements: Element[] = [];
  const open: Element[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = {
      name,
      attributes: attributes as Record<string, string>,
      text: '',
      within: open.at(-1)?.name ?? '',
    };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (piece) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += piece;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text).close();
  return elements;
};

const textOf = (told: Told): string => [...junit(told, PLAIN)].join('');
const elementsOf = (told: Told): Element[] => parse(textOf(told));
const named = (elements: readonly Element[], name: string) => elements.filter((element) => element.name === name);

describe('JUnit XML', () => {
  it.each([
    ...Object.entries(SAMPLES),
    ...COMMITTED.map((name): [string, () => Told] => [name, () => committed(name)]),
  ])('of %s counts what it holds, fails exactly when the exit code is not 0, and is the same each time', (_, make) => {
    const told = make();
    const elements = elementsOf(told);
    const counts = { tests: 'testcase', failures: 'failure', errors: 'error', skipped: 'skipped' };
    for (const [attribute, name] of Object.entries(counts))
      for (const suite of [...named(elements, 'testsuites'), ...named(elements, 'testsuite')])
        expect([attribute, suite.attributes[attribute]]).toEqual([attribute, String(named(elements, name).length)]);
    for (const name of ['failure', 'error', 'skipped'])
      for (const { within } of named(elements, name)) expect(within).toBe('testcase');
    const against = named(elements, 'failure').length + named(elements, 'error').length;
    expect(against > 0).toBe(told.report.exit_code !== 0);
    expect(textOf(make())).toBe(textOf(told));
  });

  it('tells a failure from what could not be decided and from what was not looked at', () => {
    const results = (told: Told) =>
      elementsOf(told)
        .filter(({ within, name }) => within === 'testcase' && name !== 'skipped')
        .map(({ name, attributes }) => `${name} ${attributes.type ?? attributes.message}`);
    expect(results(SAMPLES.inconclusive!())).toEqual(['error CAPTURE_NOT_COMPLETE']);
    expect(results(SAMPLES.altered!())).toEqual(
      expect.arrayContaining(['failure INTEGRITY_REFUSED', 'failure RECORD_ALTERED']),
    );
    expect(results(SAMPLES.empty!())).toEqual(['error COULD_NOT_CHECK', 'error READ_EMPTY']);
    expect(results(hostile())).toEqual(['failure CAPABILITY_NOT_DECLARED']);
    expect(results(SAMPLES['root-only']!())).toEqual([]);
    const skipped = named(elementsOf(SAMPLES['root-only']!()), 'skipped').map(({ attributes }) => attributes.message);
    expect(skipped).toEqual(['not in this mode', 'not in this mode', 'not in this mode']);
  });

  it('shows the words of a stranger inert: no control, no markup, no character that XML has not', () => {
    const elements = elementsOf(hostile());
    const [failure] = named(elements, 'failure');
    expect(failure!.text).toContain('<script>alert(1)</script>');
    expect(failure!.text).toContain('\\u001b[2J\\x9b31m');
    expect(failure!.text).toContain('\\u{ffff}');
    expect(named(elements, 'script')).toEqual([]);
    expect(textOf(hostile()).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffe\uffff]/u);
    expect(() => parse(textOf(hostile()).replace('\\u001b', '\x1b'))).toThrow();
  });
});
