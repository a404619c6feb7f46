import { FAMILY_NAMES, WORDS } from '../../base/words.ts';
import { COLLECTION_INFO, type Collection } from '../../evidence/collections.ts';
import type { Report, ReportStatement } from '../model.ts';
import { quoted, sentence } from './evidence-text.ts';
import { type Content, el, type PageElement } from './node.ts';
import { bounded, levelOf, list, pathOf, recordLink, type State, scrollable, section, shape, terms } from './parts.ts';
import type { Seen } from './seen.ts';

const byReason = <T extends { readonly reason: string }>(entries: readonly T[]): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const group = groups.get(entry.reason);
    if (group === undefined) groups.set(entry.reason, [entry]);
    else group.push(entry);
  }
  return groups;
};

/** What the registry says of a reason, once for however many records have it. */
const explained = (report: Report, reason: string): Content => {
  const entry = report.reasons[reason];
  if (entry === undefined) return null;
  return el(
    'div',
    { class: 'explained' },
    terms([
      ['What it means', entry.means],
      ['What it does not mean', entry.not],
      ['What to do', entry.next],
      ['How it can be a false alarm', entry.false_positives],
      ...(entry.techniques.length === 0 ? [] : [['See', entry.techniques.join(', ')] as const]),
    ]),
  );
};

const statement = ({
  affected,
  explanation,
  evidence_path: path,
  missing,
  minimal_evidence: minimal,
}: ReportStatement): PageElement =>
  el(
    'div',
    { class: 'statement' },
    terms([
      ['Affected record', recordLink(affected)],
      ['What was seen', sentence(explanation)],
      ...(missing.length === 0 ? [] : [['What is missing', sentence(missing.join(', '))] as const]),
      ...(path.length === 0 ? [] : [['Supporting path', pathOf(path)] as const]),
    ]),
    minimal.length === 0
      ? null
      : el(
          'details',
          {},
          el(
            'summary',
            {},
            `Minimal evidence, ${minimal.length} in all: records and relationships none of which can be missed`,
          ),
          list(
            minimal.map((element) =>
              'relation' in element
                ? [recordLink(element.source), ` ${element.relation} `, recordLink(element.destination)]
                : recordLink(element),
            ),
          ),
        ),
  );

const group = (report: Report, state: State, reason: string, head: string | null, body: Content): PageElement =>
  el(
    'article',
    { class: `reason ${state}` },
    el('h3', {}, shape(state), report.reasons[reason]?.title ?? reason),
    el('p', { class: 'code' }, el('code', {}, reason), head === null ? null : ` ${head}`),
    body,
    explained(report, reason),
  );

const statements = (report: Report, state: State, entries: readonly ReportStatement[]): Content =>
  [...byReason(entries)].map(([reason, same]) => {
    const family = same[0]?.family ?? null;
    return group(
      report,
      state,
      reason,
      family === null ? null : `family ${family}, ${FAMILY_NAMES[family]}`,
      bounded(same, statement, 'record'),
    );
  });

const placeOf = ({ rows }: Seen, at: Report['refusals'][number]['at']): Content => {
  const collection = at.collection as Collection | undefined;
  const linked =
    rows.length > 0 &&
    typeof at.id === 'string' &&
    collection !== undefined &&
    Object.hasOwn(COLLECTION_INFO, collection);
  const parts = [
    at.input,
    collection === undefined || linked ? undefined : `${collection} ${at.id ?? '(no id)'}`,
    at.pointer === undefined ? undefined : at.pointer === '' ? 'as a whole' : `at ${at.pointer}`,
    at.offset === undefined ? undefined : `byte ${at.offset}`,
  ].filter((part) => part !== undefined);
  return [
    linked ? recordLink({ type: COLLECTION_INFO[collection].node, id: at.id as string }) : null,
    linked ? ' ' : null,
    quoted(parts.join(', ')),
  ];
};

const refusals = (seen: Seen): Content =>
  [...byReason(seen.report.refusals)].map(([reason, same]) =>
    group(
      seen.report,
      'refused',
      reason,
      null,
      bounded(
        same,
        ({ at, detail }) =>
          el(
            'div',
            { class: 'statement' },
            terms([
              ['Where', placeOf(seen, at)],
              ['What was seen', sentence(detail)],
            ]),
          ),
        'place',
      ),
    ),
  );

const STATUS: Readonly<Record<Report['families'][number]['status'], State>> = {
  INDICATED: 'found',
  CONSISTENT: 'verified',
  INCONCLUSIVE: 'open',
  NOT_OBSERVED: 'claimed',
};

const families = ({ families }: Report): Content =>
  families.length === 0
    ? null
    : scrollable(
        'The condition families',
        el(
          'table',
          { class: 'families' },
          el('caption', {}, 'The condition families'),
          el(
            'thead',
            {},
            el(
              'tr',
              {},
              ['Family', 'Condition', 'Status', 'Records judged'].map((name) => el('th', { scope: 'col' }, name)),
            ),
          ),
          el(
            'tbody',
            {},
            families.map(({ family, status, triggers }) =>
              el(
                'tr',
                {},
                el('th', { scope: 'row' }, family),
                el('td', {}, FAMILY_NAMES[family]),
                el(
                  'td',
                  { class: STATUS[status], title: WORDS[status] },
                  status === 'NOT_OBSERVED' ? null : shape(STATUS[status]),
                  status.replace('_', ' ').toLowerCase(),
                ),
                el('td', { class: 'number' }, String(triggers)),
              ),
            ),
          ),
        ),
      );

const REFUSED: Readonly<Partial<Record<Report['verdict'], string>>> = {
  COULD_NOT_CHECK: 'What could not be read',
  INTEGRITY_REFUSED: 'Why it is refused',
  NOT_PROFILE_ADMISSIBLE: 'Why this profile cannot judge it',
};

const part = (title: string, content: Content): Content =>
  Array.isArray(content) && content.length === 0 ? null : [el('h3', { class: 'part' }, title), content];

/** Findings and whatever else keeps a verdict from being consistent, each with what it means, what it does not mean, and what to do. */
export const findingsOf = (seen: Seen): PageElement => {
  const { report } = seen;
  const observed = (level: string): readonly ReportStatement[] =>
    report.observations.filter(({ reason }) => levelOf(report, reason) === level);
  return section(
    'statements',
    REFUSED[report.verdict] ?? 'Findings',
    refusals(seen),
    statements(report, 'found', report.findings),
    part(
      'Not conclusive as a whole',
      report.verdict_reasons.map(({ reason, detail }) =>
        group(
          report,
          'open',
          reason,
          null,
          el('div', { class: 'statement' }, terms([['What was seen', sentence(detail)]])),
        ),
      ),
    ),
    part('Could not be judged', statements(report, 'open', report.inconclusive)),
    part('Warnings', statements(report, 'open', observed('warning'))),
    report.findings.length + report.refusals.length === 0 && report.families.length > 0
      ? el('p', {}, 'No rule names a record as fitting its condition.')
      : null,
    families(report),
    part('Notes', statements(report, 'claimed', observed('note'))),
  );
};
