import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { similarityBp } from '../../../../src/evidence/similarity.ts';
import {
  confusableNames,
  foldCase,
  lettersMarksDigits,
  skeleton,
  UNICODE_VERSION,
} from '../../../../src/rules/detectors/names/confusable.ts';
import {
  CASE_FOLDING,
  CONFUSABLES,
  DEFAULT_IGNORABLE,
  LETTERS_MARKS_DIGITS,
} from '../../../../src/rules/detectors/names/confusables.generated.ts';

const pinned = { name: 'Acme Travel Agent', provider: 'Acme Corp', skillIds: ['book_flight', 'refund'] };
const THRESHOLD_BP = 7500;
const none = (field: string): string | null => (field === '(none)' ? null : field);
const rows = readFileSync(new URL('../../../cases/names/cards.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('name\t'))
  .map((line) => line.split('\t') as [string, string, string, string, string, string]);

describe('candidates of the reports, none trusted', () => {
  test('every row is read', () => expect(rows).toHaveLength(7));

  test.each(rows)('%s by %s with %s', (name, provider, skills, similarity, expected) => {
    const bp = similarityBp(pinned, { name, provider: none(provider), skillIds: none(skills)?.split(',') ?? [] });
    if (similarity !== '-') expect(bp).toBe(Number(similarity));
    expect(confusableNames(pinned.name, name) || bp >= THRESHOLD_BP ? 'INDICATED' : 'CARD_UNKNOWN').toBe(expected);
  });
});

describe('confusable names', () => {
  test.each([
    ['identical', 'Acme Travel Agent'],
    ['capitals', 'ACME TRAVEL AGENT'],
    ['other separators', '-acme.travel/agent-'],
    ['no-break spaces', 'Acme\u00a0Travel\u202fAgent'],
    ['Cyrillic letters', '\u0410\u0441m\u0435 Travel Agent'],
    ['Cyrillic capital among capitals', '\u0410CME TRAVEL AGENT'],
    ['rn for m', 'Acrne Travel Agent'],
    ['capital I for l', 'Acme TraveI Agent'],
    ['digit one for l', 'Acme Trave1 Agent'],
    ['fullwidth letters', '\uff21cm\uff45 Travel Agent'],
    ['mathematical letters', '\u{1d400}cme Travel Agent'],
    ['zero width space', 'Ac\u200bme Travel Agent'],
    ['soft hyphen and joiner', 'Ac\u00adme Tra\u2060vel Agent'],
    ['right-to-left override', '\u202eAcme Travel Agent\u202c'],
    ['isolates', '\u2066Acme\u2069 Travel Agent'],
    ['tag characters', 'Acme Travel Agent\u{e0041}\u{e007f}'],
    ['Hangul filler', 'Acme\u3164Travel Agent'],
    ['an emoji', 'Acme Travel Agent \u2708\ufe0f'],
    ['a code point no version assigns', 'Acme\u{1fffd} Travel Agent'],
  ])('%s', (_, name) => {
    expect(confusableNames('Acme Travel Agent', name)).toBe(true);
    expect(confusableNames(name, 'Acme Travel Agent')).toBe(true);
  });

  test.each([
    ['a sibling', 'Acme Billing Agent'],
    ['generic words', 'Travel Agent'],
    ['a longer name', 'Acme Travel Agents'],
    ['a number more', 'Acme Travel Agent 2'],
    ['a mark more', 'Acm\u0301e Travel Agent'],
    ['only dropped characters', '--'],
    ['nothing', ''],
  ])('not %s', (_, name) => {
    expect(confusableNames('Acme Travel Agent', name)).toBe(false);
  });

  test('names without letter, mark or digit are confusable only when they look the same', () => {
    expect(confusableNames('\u{1f680}', '\u2708')).toBe(false);
    expect(confusableNames('\u{1f680}', '\u{1f680}\u200b')).toBe(true);
    expect(confusableNames('', '')).toBe(true);
  });

  test('a name made to be costly is told apart without normalizing it', () => {
    expect(confusableNames('Acme', `Acme${'\u0301\u0323'.repeat(1_000_000)}`)).toBe(false);
    expect(
      confusableNames('\ufdfa', '\u0635\u0644\u0649 l\u0644\u0644o \u0639\u0644\u0649o \u0648\u0633\u0644\u0645'),
    ).toBe(false);
  });

  test('prototypes of several code points are compared whole', () => {
    expect(confusableNames('mmmm', 'rnrnrnrn')).toBe(true);
    expect(confusableNames('\u{1d426}', 'rn')).toBe(true);
  });

  test('composed and decomposed spellings are one', () => {
    expect(confusableNames('Caf\u00e9', 'Cafe\u0301')).toBe(true);
    expect(confusableNames('\uac00', '\u1100\u1161')).toBe(true);
  });

  const name = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 20 }));
  test('symmetric, and true of a name with itself and with its folded form', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(confusableNames(a, a)).toBe(true);
        expect(confusableNames(a, b)).toBe(confusableNames(b, a));
        const letters = lettersMarksDigits(a);
        expect(letters === '' || confusableNames(a, `(${foldCase(letters)})`)).toBe(true);
      }),
    );
  });
});

describe('full case folding', () => {
  test.each([
    ['sharp s', 'Stra\u00dfe', 'strasse'],
    ['capital sharp s', 'STRA\u1e9eE', 'strasse'],
    ['Turkish dotted I folds without the Turkic exception', '\u0130', 'i\u0307'],
    ['Turkish dotless i stays', '\u0131', '\u0131'],
    ['Cherokee small letters fold to capitals', '\uab70\u13f8', '\u13a0\u13f0'],
    ['Cherokee capitals stay', '\u13a0', '\u13a0'],
    ['final sigma', '\u03a3\u03c2', '\u03c3\u03c3'],
    ['the Kelvin sign', '\u212a', 'k'],
    ['a ligature', '\ufb03', 'ffi'],
    ['beyond the basic plane', '\u{10400}', '\u{10428}'],
    ['unpaired surrogates stay', '\ud800A', '\ud800a'],
  ])('%s', (_, value, expected) => expect(foldCase(value)).toBe(expected));

  test('confusable across case', () => {
    expect(confusableNames('Stra\u00dfe', 'STRASSE')).toBe(true);
    expect(confusableNames('\uab70\uab71', '\u13a0\u13a1')).toBe(true);
    expect(confusableNames('istanbul', '\u0131stanbul')).toBe(true);
  });
});

describe('the table', () => {
  const sources = (text: string): string[] => {
    let point = 0;
    return text.split(' ').map((entry) => {
      point += Number.parseInt(entry, 36);
      return String.fromCodePoint(point);
    });
  };

  test('holds what the files of its version hold', () => {
    expect(UNICODE_VERSION).toBe('15.0.0');
    expect(sources(CONFUSABLES)).toHaveLength(6311);
    expect(sources(CASE_FOLDING)).toHaveLength(1530);
  });

  test('no source is its own skeleton', () => {
    expect(sources(CONFUSABLES).filter((source) => skeleton(source) === source)).toEqual([]);
  });

  test.each([
    ['m', 'rn'],
    ['0', 'O'],
    ['I', 'l'],
    ['\u0440', 'p'],
    ['\u0131', 'i'],
    ['\ufdfa', '\u0635\u0644\u0649 l\u0644\u0644o \u0639\u0644\u0649o \u0648\u0633\u0644\u0645'],
    ['\u{2fa1d}', '\u{2a600}'],
  ])('%s has the prototype %s', (source, prototype) => expect(skeleton(source)).toBe(prototype));

  test('the classes agree with the engine on all that its version and ours assign', () => {
    const members = (text: string): Set<number> => {
      const points = new Set<number>();
      let end = 0;
      for (const run of text.split(' ')) {
        const [distance, length] = run.split(':').map((part) => Number.parseInt(part, 36)) as [number, number];
        for (let point = end + distance; point < end + distance + length; point++) points.add(point);
        end += distance + length;
      }
      return points;
    };
    const ignorable = members(DEFAULT_IGNORABLE);
    const kept = members(LETTERS_MARKS_DIGITS);
    const keptByEngine = /^[\p{L}\p{M}\p{Nd}]$/u;
    const wrong: number[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point);
      if (ignorable.has(point) !== /^\p{Default_Ignorable_Code_Point}$/u.test(character)) wrong.push(point);
      else if (kept.has(point) && !keptByEngine.test(character)) wrong.push(point);
      else if (kept.has(point) && lettersMarksDigits(character) !== character) wrong.push(point);
    }
    expect(wrong).toEqual([]);
    expect(kept.size).toBe(138_967);
  });

  test('every bidi control is default-ignorable', () => {
    for (const control of '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
      expect(confusableNames(`A${control}b`, 'Ab') && confusableNames(control, '')).toBe(true);
  });
});
