import { TAXONOMIES, type Taxonomy, TECHNIQUE_NAMES, taxonomyOf, techniqueUrl } from '../../base/reasons/techniques.ts';
import type { Report } from '../model.ts';

const TAXONOMY_NAMES = Object.keys(TAXONOMIES) as readonly Taxonomy[];

/** GitHub cuts a description there; ours are far shorter. */
const DESCRIPTION = 1024;

/** A level of the reason registry in the two words of SARIF 2.1.0 sections 3.27.9 and 3.27.10: only what fails has a level. */
export const kindOf = (level: string): { readonly kind: string; readonly level: string } => {
  switch (level) {
    case 'inconclusive':
      return { kind: 'open', level: 'none' };
    case 'note':
      return { kind: 'informational', level: 'none' };
    case 'warning':
      return { kind: 'fail', level: 'warning' };
    default:
      return { kind: 'fail', level: 'error' };
  }
};

/** The codes of a report as rules, and a reference to each technique as the result that names it carries it. */
export const rulesOf = (reasons: Report['reasons']) =>
  Object.entries(reasons).map(([id, entry]) => ({
    id,
    shortDescription: { text: entry.title },
    fullDescription: { text: entry.means.slice(0, DESCRIPTION) },
    help: {
      text: [
        entry.means,
        `Does not mean: ${entry.not}`,
        `Next: ${entry.next}`,
        `False alarms: ${entry.false_positives}`,
      ].join('\n\n'),
    },
    defaultConfiguration: { level: kindOf(entry.level).level },
    properties: { tags: ['security', ...entry.techniques.map(tagOf)] },
  }));

/** GitHub knows a weakness by a tag of this form. */
const tagOf = (technique: string): string =>
  technique.startsWith('CWE-') ? `external/cwe/${technique.toLowerCase()}` : technique;

/** References to techniques (SARIF 2.1.0 section 3.52). */
export const taxaOf = (techniques: readonly string[]) =>
  techniques.map((id) => {
    const name = taxonomyOf(id);
    return { id, toolComponent: { name, index: TAXONOMY_NAMES.indexOf(name) } };
  });

/** The catalogues with those of their techniques that a report names. */
export const taxonomiesOf = (reasons: Report['reasons']) => {
  const used = [...new Set(Object.values(reasons).flatMap(({ techniques }) => techniques))].sort();
  return TAXONOMY_NAMES.map((name) => {
    const { version, organization, title, home } = TAXONOMIES[name];
    return {
      name,
      version,
      organization,
      informationUri: home,
      shortDescription: { text: title },
      isComprehensive: false,
      taxa: used
        .filter((id) => taxonomyOf(id) === name)
        .map((id) => ({ id, shortDescription: { text: TECHNIQUE_NAMES[id] ?? id }, helpUri: techniqueUrl(id) })),
    };
  });
};

/** The driver's references to the catalogues. */
export const SUPPORTED_TAXONOMIES = TAXONOMY_NAMES.map((name, index) => ({ name, index }));
