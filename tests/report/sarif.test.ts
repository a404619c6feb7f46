import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { default as addFormats } from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { TAXONOMIES, TECHNIQUE_NAMES, taxonomyOf } from '../../src/base/reasons/techniques.ts';
import { REASONS } from '../../src/base/reasons.ts';
import type { Told } from '../../src/report/face.ts';
import { PLAIN } from '../../src/report/layout.ts';
import { sarif } from '../../src/report/sarif/sarif.ts';
import { asObject, buildBundle } from '../support/bundle.ts';
import { sealedFiles } from '../support/pair.ts';
import { COMMITTED, committed, hostile, SAMPLES, toldOf } from './told.ts';

type Region = {
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
  byteOffset: number;
  byteLength: number;
};
type Location = {
  id?: number;
  physicalLocation: { artifactLocation: { uri: string }; region: Region };
  logicalLocations?: { name: string; fullyQualifiedName: string }[];
  message?: { text: string };
};
type Result = {
  ruleId: string;
  ruleIndex: number;
  kind: string;
  level: string;
  message: { text: string };
  locations: Location[];
  relatedLocations?: Location[];
  partialFingerprints: Record<string, string>;
  taxa?: { id: string; toolComponent: { name: string; index: number } }[];
};
type Rule = {
  id: string;
  shortDescription: { text: string };
  fullDescription: { text: string };
  help: { text: string };
  properties: { tags: string[] };
};
type Run = {
  tool: { driver: { name: string; rules: Rule[] } };
  invocations: { executionSuccessful: boolean; exitCode: number }[];
  results: Result[];
  taxonomies: { name: string; taxa: { id: string }[] }[];
};
type Log = { $schema: string; version: string; runs: [Run] };

const textOf = (told: Told): string => [...sarif(told, PLAIN)].join('');
const logOf = (told: Told): Log => JSON.parse(textOf(told)) as Log;

/** The schema is of draft 4, which names itself by `id`; no other keyword of it has another meaning in draft 7. */
const official = () => {
  const { id, $schema: _, ...schema } = JSON.parse(readFileSync('tests/vectors/sarif-schema-2.1.0.json', 'utf8'));
  const ajv = new Ajv({ strict: false, unicodeRegExp: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  return ajv.compile({ ...schema, $id: id });
};

/** What GitHub's code scanning asks beyond the schema (its page "SARIF support for code scanning"). */
const expectGitHub = ({ $schema, runs: [run] }: Log): void => {
  expect($schema).toMatch(/sarif-schema-2\.1\.0\.json$/);
  expect(run.tool.driver.name).not.toBe('');
  expect(run.results.length).toBeLessThanOrEqual(25_000);
  for (const { id, shortDescription, fullDescription, help, properties } of run.tool.driver.rules) {
    for (const text of [id, shortDescription.text, fullDescription.text, help.text]) expect(text).not.toBe('');
    expect(Math.max(shortDescription.text.length, fullDescription.text.length)).toBeLessThanOrEqual(1024);
    expect(properties.tags.length).toBeLessThanOrEqual(20);
  }
  const fingerprints = run.results.map(({ ruleId, partialFingerprints }) => [
    ruleId,
    partialFingerprints.primaryLocationLineHash,
  ]);
  expect(new Set(fingerprints.map((pair) => pair.join(' '))).size).toBe(run.results.length);
  for (const { ruleId, ruleIndex, message, locations, relatedLocations = [], partialFingerprints } of run.results) {
    expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(message.text).not.toBe('');
    expect(locations).toHaveLength(1);
    expect(partialFingerprints.primaryLocationLineHash).toMatch(/^[0-9a-f]{16}:\d+$/);
    for (const { physicalLocation } of [...locations, ...relatedLocations]) {
      expect(physicalLocation.artifactLocation.uri).toBe('run.bundle.json');
      const { startLine, startColumn, endLine, endColumn } = physicalLocation.region;
      for (const at of [startLine, startColumn, endLine, endColumn]) expect(at).toBeGreaterThan(0);
      expect(endLine > startLine || endColumn >= startColumn).toBe(true);
    }
    expect(relatedLocations.length).toBeLessThanOrEqual(100);
  }
};

/** The text of a region, by its lines and columns and by its bytes: both must be the same. */
const regionText = (
  bytes: Uint8Array,
  { startLine, startColumn, endLine, endColumn, byteOffset, byteLength }: Region,
): string => {
  const lines = Buffer.from(bytes)
    .toString()
    .split('\n')
    .slice(startLine - 1, endLine);
  const last = lines.length - 1;
  lines[last] = lines[last]!.slice(0, endColumn - 1);
  lines[0] = lines[0]!.slice(startColumn - 1);
  expect(lines.join('\n')).toBe(
    Buffer.from(bytes)
      .subarray(byteOffset, byteOffset + byteLength)
      .toString(),
  );
  return lines.join('\n');
};

const expectRecord = (told: Told, { physicalLocation, logicalLocations }: Location): void => {
  const [collection, id] = logicalLocations![0]!.fullyQualifiedName.split('/');
  const row = JSON.parse(regionText(told.files.bundle, physicalLocation.region)) as object;
  expect(Object.values(row)).toContain(id);
  expect(
    (JSON.parse(Buffer.from(told.files.bundle).toString()) as Record<string, unknown[]>)[collection!],
  ).toContainEqual(row);
};

describe('SARIF', () => {
  const validate = official();
  const all: [string, () => Told][] = [
    ...Object.entries(SAMPLES),
    ...COMMITTED.map((name): [string, () => Told] => [
      name,
      () => ({ ...committed(name), bundleUri: 'run.bundle.json' }),
    ]),
  ];

  it.each(all)('of %s fits the official schema and the rules of GitHub, and is the same each time', (_, make) => {
    const told = make();
    const log = logOf(told);
    expect([validate(log), validate.errors]).toEqual([true, null]);
    expectGitHub(log);
    expect(textOf(make())).toBe(textOf(told));
  });

  it('is held to the schema by the test', () => {
    const log = logOf(committed(COMMITTED[0]!));
    expect(validate({ ...log, version: '2.2.0' })).toBe(false);
    expect(validate({ ...log, runs: [{ ...log.runs[0], results: [{ kind: 'maybe', message: { text: 'x' } }] }] })).toBe(
      false,
    );
  });

  it.each(COMMITTED)('of %s has the line of the record, and of each record that leads to it', (name) => {
    const told = committed(name);
    const [{ results }] = logOf(told).runs;
    for (const { locations, relatedLocations = [] } of results)
      for (const location of [...locations, ...relatedLocations]) {
        expectRecord(told, location);
        expect(location.physicalLocation.region).toMatchObject({
          startColumn: 1,
          endLine: location.physicalLocation.region.startLine,
        });
      }
  });

  it.each([undefined, 2, '\t'])('finds the record in a bundle however it is spaced (%j)', (space) => {
    const files = sealedFiles();
    const bundle = Buffer.from(JSON.stringify(JSON.parse(Buffer.from(files.bundle).toString()), null, space));
    const told = toldOf({ ...files, bundle });
    const [{ results }] = logOf(told).runs;
    expect(results.length).toBeGreaterThan(0);
    for (const { locations, relatedLocations = [] } of results)
      for (const location of [...locations, ...relatedLocations]) expectRecord(told, location);
  });

  it('tells by kind and level what a report says', () => {
    const kinds = (told: Told) =>
      logOf(told).runs[0].results.map(({ ruleId, kind, level }) => `${ruleId} ${kind} ${level}`);
    expect(kinds(SAMPLES.inconclusive!())).toContain('CAPTURE_NOT_COMPLETE open none');
    expect(kinds(SAMPLES.altered!())).toContain('RECORD_ALTERED fail error');
    expect(kinds(SAMPLES.consistent!())).toEqual(['ASRF_REFERENCE_NOT_DEREFERENCED informational none']);
    expect(kinds(hostile())).toContain('CAPABILITY_NOT_DECLARED fail error');
    const open = asObject({ ...buildBundle(), edges: [] });
    expect(kinds(toldOf(sealedFiles(open)))).toContain('EDGE_MISSING fail error');
  });

  it('says of what could not be read that the run did not succeed', () => {
    const told = SAMPLES['no JSON']!();
    const [run] = logOf(told).runs;
    expect(run.invocations).toEqual([
      { executionSuccessful: false, exitCode: 2, exitCodeDescription: 'COULD_NOT_CHECK' },
    ]);
    // The second line of that file, where a value is expected.
    expect(run.results[0]!.locations[0]!.physicalLocation.region).toMatchObject({ startLine: 2, startColumn: 6 });
  });

  it('refers to techniques of the three catalogues', () => {
    const names = Object.keys(TAXONOMIES);
    const [run] = logOf(committed(COMMITTED.find((name) => name.startsWith('asrf-1'))!)).runs;
    expect(run.taxonomies.map(({ name }) => name)).toEqual(names);
    const taxa = run.results.flatMap((result) => result.taxa ?? []);
    expect(new Set(taxa.map(({ toolComponent }) => toolComponent.name))).toEqual(new Set(names));
    for (const { id, toolComponent } of taxa) {
      expect(names[toolComponent.index]).toBe(toolComponent.name);
      expect(run.taxonomies[toolComponent.index]!.taxa.map((taxon) => taxon.id)).toContain(id);
    }
  });

  it('gives the same identity to the same result of another capture', () => {
    const prints = (told: Told) => logOf(told).runs[0].results.map(({ partialFingerprints }) => partialFingerprints);
    const other = asObject(JSON.parse(JSON.stringify(buildBundle()).replaceAll('incident-1', 'incident-2')));
    expect(prints(toldOf(sealedFiles(other)))).toEqual(prints(SAMPLES.consistent!()));
  });

  it('lets no words of a stranger become a link, a placeholder or an escape', () => {
    const text = textOf(hostile());
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    const messages = logOf(hostile()).runs[0].results.map(({ message }) => message.text);
    expect(messages.join()).toContain('<script>');
    expect(messages.join()).not.toMatch(/\]\(|(?<!\{)\{\d+\}(?!\})/);
  });
});

describe('the techniques', () => {
  it('of the reason registry all have their name, and no others', () => {
    const used = new Set(Object.values(REASONS).flatMap(({ techniques }) => techniques as readonly string[]));
    expect(Object.keys(TECHNIQUE_NAMES).sort()).toEqual([...used].sort());
    expect(new Set([...used].map(taxonomyOf))).toEqual(new Set(Object.keys(TAXONOMIES)));
  });
});
