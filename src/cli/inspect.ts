import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../base/json-value.ts';
import { requireFormat, requireObject } from '../base/read-document.ts';
import { readJson } from '../base/read-json.ts';
import type { Result } from '../base/result.ts';
import { ok } from '../base/result.ts';
import { BUNDLE_FORMAT } from '../evidence/bundle.ts';
import { indicatorsOf } from '../report/indicators.ts';
import { listOf, recordsOf } from '../report/records.ts';
import { contentOf, summaryOf } from '../report/summary.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { readInput } from '../store/read.ts';
import { EXIT, UsageFault } from './exit.ts';
import { diffBundles } from './inspect-diff.ts';
import { showGraph } from './inspect-graph.ts';
import { emit, json, requireNoInput, table } from './output.ts';

export type InspectOptions = {
  readonly list?: boolean;
  readonly record?: string;
  readonly extract?: string;
  readonly indicators?: boolean;
  readonly graph?: string | true;
  readonly diff?: string;
  readonly json?: boolean;
  readonly out?: string;
};

const readBundle = (bytes: Uint8Array): Result<JsonObject> => {
  const read = readJson(bytes, { input: 'bundle', recordAttributes: true });
  if (!read.ok) return read;
  const object = requireObject(read.value, 'bundle', '');
  if (!object.ok) return object;
  const format = requireFormat(object.value, BUNDLE_FORMAT, 'bundle', '');
  return format.ok ? ok(object.value) : format;
};

/** How a journal begins: the checksum of its first line, and its format. */
const JOURNAL = /^[0-9a-f]{16} \{"format":"a2aft\.journal\./;

/** Reads a bundle whatever its shape. Throws UsageFault on what is none, and names the command for what is the journal of one. */
const bundleOf = (file: string): JsonObject => {
  const bytes = readInput(file, 'bundle');
  const read = readBundle(bytes);
  if (read.ok) return read.value;
  const [first] = read.refusals;
  const place = [
    first?.at.pointer && `at ${first.at.pointer}`,
    first?.at.offset !== undefined && `byte ${first.at.offset}`,
  ];
  const told = `${file}: ${first?.reason}: ${[first?.detail, ...place.filter(Boolean)].join(', ')}`;
  const isJournal = JOURNAL.test(new TextDecoder().decode(bytes.subarray(0, 64)));
  throw new UsageFault(
    told,
    isJournal
      ? [
          'It is the journal of a capture; this makes a bundle of it:',
          `forensictrace recover ${file} --profile profiles/general.json`,
        ]
      : [],
  );
};

const VIEWS = ['list', 'record', 'extract', 'indicators', 'graph', 'diff'] as const satisfies (keyof InspectOptions)[];

/** `forensictrace inspect`: what is in a bundle, without judging it or checking a signature. Throws UsageFault on two views at once. */
export const runInspect = (file: string, options: InspectOptions): number => {
  const asked = VIEWS.filter((view) => options[view] !== undefined);
  if (asked.length > 1)
    throw new UsageFault(`one view at a time: ${asked.map((view) => `--${view}`).join(' and ')} were given`);
  requireNoInput(options.out, [file, options.diff]);
  const bundle = bundleOf(file);
  if (options.diff !== undefined) return diffBundles(bundle, bundleOf(options.diff), options);
  if (options.graph !== undefined) return showGraph(bundle, options.graph, options);
  if (options.extract !== undefined) return extract(bundle, options.extract, options);
  if (options.record !== undefined) {
    const records = recordsOf(bundle, options.record);
    if (records.length === 0)
      throw new UsageFault(`the bundle has no record ${options.record}; inspect --list lists them`);
    emit(json(records), options.out);
    return EXIT.CONSISTENT;
  }
  if (options.list) {
    const listed = listOf(bundle);
    const rows = listed.map(({ collection, id, observed_at, observer }) => [observed_at, collection, id, observer]);
    emit(options.json ? json(listed) : table([['observed at', 'collection', 'id', 'observer'], ...rows]), options.out);
    return EXIT.CONSISTENT;
  }
  if (options.indicators) {
    const indicators = indicatorsOf(bundle);
    const rows = indicators.map(({ kind, value, records }) => [kind, value, records.join(', ')]);
    emit(options.json ? json(indicators) : table([['kind', 'value', 'records'], ...rows]), options.out);
    return EXIT.CONSISTENT;
  }
  const summary = summaryOf(bundle);
  const text = [
    'Nothing below was checked: run forensictrace verify.\n\n',
    table(summary.facts.map(({ name, value }) => [name, value])),
    '\n',
    table([['collection', 'records'], ...summary.collections.map(({ name, count }) => [name, String(count)])]),
    '\n',
    table([['relation', 'edges'], ...summary.relations.map(({ name, count }) => [name, String(count)])]),
  ].join('');
  emit(options.json ? json(summary) : text, options.out);
  return EXIT.CONSISTENT;
};

/** Writes an artifact's bytes under a name that no program opens by itself, not executable, and prints their digest. */
const extract = (bundle: JsonObject, id: string, options: InspectOptions): number => {
  const bytes = contentOf(bundle, id);
  if (bytes === null)
    throw new UsageFault(`the bundle has no artifact record ${id} with content; inspect --list lists the records`);
  const sha256 = nativeCrypto.sha256Hex(bytes);
  const file =
    options.out ?? join('.', `${id.replace(/[^A-Za-z0-9._-]/g, '_').replace(/^\.+/, '_')}.${sha256.slice(0, 8)}.bin`);
  try {
    writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw EnvironmentFault.of(error, `cannot write ${file}`);
    throw new UsageFault(`${file} exists and is not overwritten; name another file with --out`);
  }
  const made = { file, size: bytes.length, sha256 };
  emit(
    options.json
      ? json(made)
      : table([
          ['file', file],
          ['size', String(bytes.length)],
          ['sha256', sha256],
        ]),
  );
  return EXIT.CONSISTENT;
};
