import { neutralise } from '../../base/terminal.ts';
import { VERSION } from '../../base/version.ts';
import type { Face, Told } from '../face.ts';
import { jsonLine as line } from '../json.ts';
import { collectionOf, type Said, saidBy } from '../statements.ts';
import { type Region, type Regions, regionsOf } from './regions.ts';
import { kindOf, rulesOf, SUPPORTED_TAXONOMIES, taxaOf, taxonomiesOf } from './rules.ts';

/** GitHub refuses a file with more results, and shows no more than so many locations of one. */
const RESULTS = 25_000;
const LOCATIONS = 100;

/**
 * A stranger's words as a message: braces would be placeholders (SARIF 2.1.0 section 3.11.5), and a bracket before a parenthesis would be a link
 * (3.11.6), which a space makes none.
 */
const message = (text: string) => ({
  text: neutralise(text).replaceAll('{', '{{').replaceAll('}', '}}').replaceAll('](', '] ('),
});

const physical = ({ bundleUri }: Told, region: Region) => ({
  physicalLocation: { artifactLocation: { uri: bundleUri, index: 0 }, region },
});

const logical = (collection: string, id: string) => ({
  logicalLocations: [{ name: neutralise(id), fullyQualifiedName: neutralise(`${collection}/${id}`), kind: 'object' }],
});

/** The records that lead to the affected one. */
const relatedTo = (told: Told, { path, row }: Said, regions: Regions) =>
  path
    .flatMap((element) =>
      'relation' in element ? [] : [{ collection: collectionOf(element.type) ?? '', id: element.id }],
    )
    .filter(({ collection, id }) => collection !== row?.collection || id !== row.id)
    .flatMap(({ collection, id }) => {
      const region = regions.row({ collection, id });
      return region === null
        ? []
        : [{ ...physical(told, region), ...logical(collection, id), message: message(`${collection} ${id}`) }];
    })
    .slice(0, LOCATIONS);

/** One identity for a reason at a record, in whichever run; counted where a run says it twice. */
const fingerprints = (told: Told) => {
  const seen = new Map<string, number>();
  return ({ reason, row, place }: Said): string => {
    const identity = JSON.stringify([reason, row?.collection, row?.id, row === null ? place : null]);
    const hash = told.crypto.sha256Hex(identity).slice(0, 16);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return `${hash}:${count}`;
  };
};

const resultsOf = function* (told: Told, said: readonly Said[]) {
  const regions = regionsOf(told, said);
  const fingerprint = fingerprints(told);
  const ids = Object.keys(told.report.reasons);
  for (const one of said) {
    const related = relatedTo(told, one, regions);
    const techniques = told.report.reasons[one.reason]?.techniques ?? [];
    yield {
      ruleId: one.reason,
      ruleIndex: ids.indexOf(one.reason),
      ...kindOf(one.level),
      message: message(one.text),
      locations: [
        {
          ...physical(told, regions.of(one)),
          ...(one.row === null ? {} : logical(one.row.collection, one.row.id)),
        },
      ],
      ...(related.length === 0 ? {} : { relatedLocations: related }),
      partialFingerprints: { primaryLocationLineHash: fingerprint(one) },
      ...(techniques.length === 0 ? {} : { taxa: taxaOf(techniques) }),
      ...(one.family === null ? {} : { properties: { family: one.family } }),
    };
  }
};

const invocationOf = ({ report }: Told, left: number) => ({
  executionSuccessful: report.verdict !== 'COULD_NOT_CHECK',
  exitCode: report.exit_code,
  exitCodeDescription: report.verdict,
  ...(left === 0
    ? {}
    : {
        toolExecutionNotifications: [
          { level: 'warning', message: message(`${left} more results, all in the JSON report`) },
        ],
      }),
});

/** The members of the run beside its results. */
const runOf = (told: Told, left: number) => {
  const { report, files, crypto } = told;
  return {
    tool: {
      driver: {
        name: 'forensictrace',
        version: VERSION,
        semanticVersion: VERSION,
        supportedTaxonomies: SUPPORTED_TAXONOMIES,
        rules: rulesOf(report.reasons),
      },
    },
    invocations: [invocationOf(told, left)],
    artifacts: [
      {
        location: { uri: told.bundleUri },
        length: files.bundle.length,
        mimeType: 'application/json',
        roles: ['analysisTarget'],
        hashes: { 'sha-256': crypto.sha256Hex(files.bundle) },
      },
    ],
    taxonomies: taxonomiesOf(report.reasons),
    columnKind: 'utf16CodeUnits',
    properties: {
      verdict: report.verdict,
      mode: report.mode,
      signature_accepted: report.signature_accepted,
      families: Object.fromEntries(report.families.map(({ family, status }) => [family, status])),
      not_checked: report.not_checked,
    },
  };
};

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** A log of SARIF 2.1.0 (OASIS, Errata 01) with one run, as GitHub's code scanning takes it; one result a line. */
export const sarif: Face = function* (told) {
  const said = saidBy(told.report);
  const run = runOf(told, Math.max(0, said.length - RESULTS));
  yield `{"$schema":"${SCHEMA}","version":"2.1.0","runs":[{\n`;
  for (const [name, value] of Object.entries(run)) yield `"${name}":${line(value)},\n`;
  yield '"results":[';
  let before = '\n';
  for (const result of resultsOf(told, said.slice(0, RESULTS))) {
    yield before + line(result);
    before = ',\n';
  }
  yield '\n]}]}\n';
};
