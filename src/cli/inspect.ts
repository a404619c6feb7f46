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
import { emit, json, requireNoInput, table } from './output.ts';

export type InspectOptions = {
  readonly list?: boolean;
  readonly record?: string;
  readonly extract?: string;
  readonly indicators?: boolean;
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

/** `forensictrace inspect`: what is in a bundle, without judging it or checking a signature. */
export const runInspect = (file: string, options: InspectOptions): number => {
  requireNoInput(options.out, [file]);
  const read = readBundle(readInput(file, 'bundle'));
  if (!read.ok) {
    const [first] = read.refusals;
    const place = [
      first?.at.pointer && `at ${first.at.pointer}`,
      first?.at.offset !== undefined && `byte ${first.at.offset}`,
    ];
    throw new UsageFault(`${file}: ${first?.reason}: ${[first?.detail, ...place.filter(Boolean)].join(', ')}`);
  }
  if (options.extract !== undefined) return extract(read.value, options.extract, options);
  if (options.record !== undefined) {
    const records = recordsOf(read.value, options.record);
    if (records.length === 0)
      throw new UsageFault(`the bundle has no record ${options.record}; inspect --list lists them`);
    emit(json(records), options.out);
    return EXIT.CONSISTENT;
  }
  if (options.list) {
    const listed = listOf(read.value);
    const rows = listed.map(({ collection, id, observed_at, observer }) => [observed_at, collection, id, observer]);
    emit(options.json ? json(listed) : table([['observed at', 'collection', 'id', 'observer'], ...rows]), options.out);
    return EXIT.CONSISTENT;
  }
  if (options.indicators) {
    const indicators = indicatorsOf(read.value);
    const rows = indicators.map(({ kind, value, records }) => [kind, value, records.join(', ')]);
    emit(options.json ? json(indicators) : table([['kind', 'value', 'records'], ...rows]), options.out);
    return EXIT.CONSISTENT;
  }
  const summary = summaryOf(read.value);
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
