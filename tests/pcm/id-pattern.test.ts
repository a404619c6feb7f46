import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileIdPattern } from '../../src/pcm/id-pattern.ts';

const matches = (pattern: string, text: string): boolean | string => {
  const compiled = compileIdPattern(pattern);
  return typeof compiled === 'string' ? compiled : compiled.matches(text);
};

it.each([
  ['[a-z]+-[0-9]+', 'abc-12', true],
  ['[a-z]+-[0-9]+', 'abc-12\n', false],
  ['[a-z]+-[0-9]+', 'abc-12x', false],
  ['^ord_\\d{4}$', 'ord_1234', true],
  ['ord|inv', 'inv', true],
  ['(?:a|b)*c?', 'ababc', true],
  ['(a+)+b', 'a'.repeat(128), false],
  ['(a|a)*(a|a)*b', 'a'.repeat(128), false],
  ['[^a-c]', 'd', true],
  ['[^a-c]', 'b', false],
  ['[-a]', '-', true],
  ['[a-]', '-', true],
  ['.', '\n', false],
  ['.', '😀', true],
  ['\\.\\-\\/', '.-/', true],
  ['\\w{2,3}', 'a_9', true],
  ['a\\\\$', 'a\\', true],
  ['a\\\\\\$', 'a\\$', true],
  ['\\d', '٣', false],
  ['a{0}', '', true],
  ['(a*)*', 'aaa', true],
  ['', '', true],
])('%s on %j: %s', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

it.each([
  '(?=a)',
  '(?<n>a)',
  '(?i:a)',
  '\\1',
  '\\b',
  '\\D',
  'a*?',
  'a++',
  'a**',
  '*a',
  'a{2,1}',
  'a{,2}',
  'a{1001}',
  '[]',
  '[z-a]',
  '[a',
  '(a',
  'a)',
  'a\\',
  'a^b',
  'a$b',
  '{',
  '[[:alpha:]]',
  '((a{1000}){1000}){1000}',
  '((){1000}){1000}',
  '('.repeat(70),
])('the pattern %s is refused', (pattern) => {
  expect(matches(pattern, 'a')).toBeTypeOf('string');
});

it('agrees with the engine of the runtime on whole texts', () => {
  const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '\\d', '1', '(?:ab|1)', '(a|b1)');
  const piece = fc
    .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,2}', '{0,}'))
    .map((parts) => parts.join(''));
  const pattern = fc
    .array(
      fc.array(piece, { maxLength: 3 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 2 },
    )
    .map((parts) => parts.join('|'));
  const text = fc.array(fc.constantFrom('a', 'b', '1', '😀', '\n'), { maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(pattern, text, (source, one) => {
      expect([source, one, matches(source, one)]).toEqual([source, one, new RegExp(`^(?:${source})$`, 'u').test(one)]);
    }),
    { numRuns: 3000 },
  );
});
