import { WORDS } from '../../base/words.ts';
import type { Report } from '../model.ts';
import { quoted, sentence } from './evidence-text.ts';
import { el, type PageElement } from './node.ts';
import { counted, list, MOST_ENTRIES, scrollable, section, terms } from './parts.ts';
import type { Seen } from './seen.ts';
import { KINDS, TERMS } from './vocabulary.ts';

const STEPS: Readonly<Record<Report['stages'][number]['stage'], string>> = {
  read: 'Files read',
  signature: 'Signature',
  commitments: 'Digests of records and relationships',
  identifiers: 'Ids and form of records',
  edges: 'Relationships derived again',
  profile: 'Profile is the one named',
  admissibility: 'Records agree with their wire text',
  rules: 'Six rules',
};

const steps = ({ stages }: Report): PageElement =>
  el(
    'ol',
    { class: 'steps' },
    stages.map(({ stage, status }) =>
      el('li', { class: status }, `${STEPS[stage]}: `, el('strong', {}, status.replaceAll('_', ' '))),
    ),
  );

/** Gaps and notes in the words of the capture: what it says that it did not see. */
const stated = ({ rows }: Seen): readonly string[] => {
  const capture = rows.find(({ collection }) => collection === 'trace_metadata')?.fields as
    | {
        coverage: Readonly<Record<string, boolean>>;
        coverage_notes: readonly string[];
        gaps: readonly { at: string; what: string }[];
      }
    | undefined;
  if (capture === undefined) return [];
  const unwatched = Object.keys(capture.coverage).filter((subject) => !capture.coverage[subject]);
  return [
    ...(unwatched.length === 0
      ? []
      : [`Not watched: ${unwatched.map((subject) => subject.replaceAll('_', ' ')).join(', ')}.`]),
    ...capture.coverage_notes,
    ...capture.gaps.map(({ at, what }) => `Gap at ${at}: ${what}`),
  ];
};

const unlinked = ({ unlinked }: Report): PageElement | null =>
  unlinked.length === 0
    ? null
    : el(
        'details',
        {},
        el('summary', {}, `${counted(unlinked.length, 'record')} that no relationship touches`),
        list(unlinked.slice(0, MOST_ENTRIES).map(({ type, id }) => [`${type} `, quoted(id)])),
        unlinked.length > MOST_ENTRIES ? el('p', { class: 'cut' }, 'The JSON report holds them all.') : null,
      );

/** What was checked, what was not, and what no receipt can prove. */
export const coverageOf = (seen: Seen): PageElement => {
  const { report } = seen;
  const own = stated(seen);
  return section(
    'coverage',
    'What was covered, and what was not',
    el('h3', {}, 'Not checked'),
    list(report.not_checked),
    own.length === 0
      ? null
      : [
          el('h3', {}, 'Not seen, as the capture itself says'),
          list(own.slice(0, MOST_ENTRIES).map((text) => sentence(text, 1000))),
        ],
    el('h3', {}, 'What no receipt can prove'),
    list(report.not_provable),
    el('h3', {}, 'Checked'),
    steps(report),
    list(report.checked),
    unlinked(report),
  );
};

/** The files as received, by role and digest. */
export const inputsOf = ({ report }: Seen): PageElement =>
  section(
    'inputs',
    'Files as received',
    scrollable(
      'Files as received',
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ['File', 'SHA-256', 'Bytes'].map((name) => el('th', { scope: 'col' }, name)),
          ),
        ),
        el(
          'tbody',
          {},
          report.inputs.map(({ input, sha256, size }) =>
            el(
              'tr',
              {},
              el('th', { scope: 'row' }, quoted(input)),
              el('td', {}, el('code', {}, sha256)),
              el('td', { class: 'number' }, String(size)),
            ),
          ),
        ),
      ),
    ),
    el(
      'p',
      { class: 'colophon' },
      `forensictrace ${report.verifier.version}, mode ${report.mode}, confusables of Unicode ${report.verifier.confusables_unicode}. Profile `,
      report.profile_id === null ? 'not known' : quoted(report.profile_id),
      report.other_profile ? ', which is not the one that the receipt names.' : '.',
    ),
  );

const sayable = (word: string): string => (/^[A-Z]{2,4}$/.test(word) ? word : word.replaceAll('_', ' ').toLowerCase());

/** Every word of the page that is not everybody's. */
export const glossaryOf = (): PageElement =>
  section(
    'glossary',
    'Glossary',
    terms(TERMS),
    el('h3', {}, 'Words of the report'),
    terms(Object.entries(WORDS).map(([word, means]) => [sayable(word), means] as const)),
    el('h3', {}, 'Kinds of records'),
    terms(Object.values(KINDS).map(({ name, means }) => [name, means] as const)),
  );
