import * as z from 'zod';
import { REPORT_FAMILIES } from '../src/base/reasons/entry.ts';
import { REASONS } from '../src/base/reasons.ts';
import { RECORD_SCHEMAS } from '../src/evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS, type RecordType } from '../src/evidence/collections.ts';
import { Body, common } from '../src/evidence/fields.ts';
import { RELATIONS, type Relation } from '../src/evidence/relations.ts';
import { Result } from '../src/fleet/result.ts';
import { DERIVATION } from '../src/relate/derivation.ts';
import { Report } from '../src/report/model.ts';
import { FamilyDefinition } from '../src/rules/family.ts';
import { Profile } from '../src/rules/profile.ts';
import { kernelFiles } from './kernel-files.ts';
import { describeMembers, membersTable } from './schema-tables.ts';

export type Generated = { readonly file: string; readonly text: string };

/** Every file that follows from the code, with its text; `read` gives the present text of one that is generated in part. */
export const generatedFiles = (read: (file: string) => string): readonly Generated[] => [
  { file: 'docs/FORMAT.md', text: formatPage(read('docs/FORMAT.md')) },
  { file: 'docs/REASONS.md', text: reasonsPage() },
  { file: 'docs/PROFILES.md', text: profilesPage() },
  { file: 'schemas/report.schema.json', text: jsonSchema(Report, 'forensictrace report') },
  { file: 'schemas/result.schema.json', text: jsonSchema(Result, 'forensictrace verify-all: one result') },
  { file: 'schemas/profile.schema.json', text: jsonSchema(Profile, 'forensictrace verification profile') },
  { file: 'schemas/family.schema.json', text: jsonSchema(FamilyDefinition, 'forensictrace family definition') },
  ...kernelFiles(),
];

const jsonSchema = (schema: z.ZodType, title: string): string =>
  `${JSON.stringify({ title, ...z.toJSONSchema(schema, { unrepresentable: 'any', reused: 'ref' }) }, null, 2)}\n`;

const MARK = '<!-- generated from the schemas and the derivation table by `npm run generate` -->';

const formatPage = (page: string): string => {
  const written = page.split(/^## 9\. Record types/m)[0]?.trimEnd();
  return `${written}\n\n${recordTypes()}\n${derivation()}`;
};

const recordTypes = (): string => {
  const seen = new Set<RecordType>();
  const tables = COLLECTIONS.flatMap((collection) => {
    const { type } = COLLECTION_INFO[collection];
    if (seen.has(type)) return [];
    seen.add(type);
    const lists = COLLECTIONS.filter((other) => COLLECTION_INFO[other].type === type).map((other) => `\`${other}\``);
    const own = describeMembers(RECORD_SCHEMAS[collection]).filter(({ name }) => !Object.hasOwn(common, name));
    return [`### ${type}\n\nIn ${lists.join(', ')}.\n\n${membersTable(own)}`];
  });
  return `## 9. Record types\n\n${MARK}\n\nEvery member stands in every record of its type; only \`attributes\` may be absent. The length of a string is counted in UTF-16\ncode units; a list without a bound is limited by section 1.\n\n### Every record\n\n${membersTable(describeMembers(z.strictObject(common)))}\n### body\n\n${membersTable(describeMembers(Body))}\n${tables.join('\n')}`;
};

const derivation = (): string => {
  const rows = (Object.keys(RELATIONS) as Relation[]).map((relation) => {
    const [sources, destinations] = RELATIONS[relation];
    const names = (collections: readonly (keyof typeof COLLECTION_INFO)[]) =>
      collections.map((collection) => COLLECTION_INFO[collection].node).join(', ');
    const { on, metadata } = DERIVATION[relation];
    return `| ${relation} | ${names(sources)} | ${names(destinations)} | ${on} | ${metadata} |`;
  });
  return `## 10. Derivation of edges\n\n${MARK}\n\nOne row per relation. An edge exists for each pair of records of the stated types for which the joining condition holds; a\njoining field that is null, or names no record of that type, gives no edge. Equal edges are one edge.\n\n${SIMILARITY}\n\n| relation | source | destination | joining condition | metadata |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
};

const SIMILARITY = `\`similarity_bp\` compares a card with one trusted card in integers. n(s): A–Z become a–z; each maximal run of ASCII characters that are neither
letter nor digit becomes one space; spaces at the ends go; other code points stay. G(s): the set of pairs of adjacent code points of
space ‖ n(s) ‖ space, empty when n(s) is empty. d(X, Y) = ⌊20000·|X∩Y| / (|X|+|Y|)⌋, left out when both are empty. similarity_bp = ⌊Σ w·d / Σ w⌋ over
the components present: weight 5 for G of \`name\`, 2 for G of \`provider_organization\`, 3 for the set of \`skill_ids\` as they stand; null counts as
empty; no component: 0. \`closest_trusted_card_id\` is the trusted card of the greatest value, ties to the smallest card_id.`;

const reasonsPage = (): string => {
  const sections = [null, ...REPORT_FAMILIES].map((family) => {
    const entries = Object.entries(REASONS).filter(([, entry]) => entry.family === family);
    const texts = entries.map(
      ([code, entry]) =>
        `### ${code}\n\n**${entry.title}** (${entry.level})\n\n- Means: ${entry.means}\n- Does not mean: ${entry.not}\n- Next: ${entry.next}\n- False positives: ${entry.falsePositives}\n${entry.techniques.length === 0 ? '' : `- See: ${entry.techniques.join(', ')}\n`}`,
    );
    return `## ${family === null ? 'Of the evidence as a whole' : `Family ${family}`}\n\n${texts.join('\n')}`;
  });
  return `# Reason codes\n\nEvery code that a report can carry, as \`forensictrace explain CODE\` prints it. Levels: \`read\` could not be checked (exit 2);\n\`refusal\` integrity refused (exit 4); \`inadmissible\` (exit 5); \`finding\` (exit 1); \`inconclusive\` (exit 3); \`warning\` and\n\`note\` are observations and change no verdict.\n\n<!-- generated from the reason registry by \`npm run generate\` -->\n\n${sections.join('\n')}`;
};

const profilesPage = (): string =>
  `# Verification profiles\n\nA profile tells the verifier what is allowed. The receipt binds the evidence to one profile by id and digest. \`profiles/general.json\`\nserves any deployment; \`profiles/experiment.json\` is that of the demo and the experiment. Every member but \`pcm\` is required.\n\n<!-- generated from the schema by \`npm run generate\` -->\n\n${membersTable(describeMembers(Profile))}`;
