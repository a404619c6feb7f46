import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otlpText, servicesIn, valuesOf } from '../report/otlp.ts';
import { COMMITTED, committed, SAMPLES } from '../report/told.ts';

const MODULE = 'tests/interop/otlp-go';
const KINDS = ['Unspecified', 'Internal', 'Server', 'Client'];
const STATUS = ['Unset', 'Ok', 'Error'];

/** Why the Collector's reader cannot be had here; null when it can. */
const lacking = (): string | null => {
  const go = spawnSync('go', ['version'], { encoding: 'utf8' });
  if (go.error !== undefined) return 'there is no Go here';
  const modules = spawnSync('go', ['mod', 'download'], { cwd: MODULE, encoding: 'utf8', timeout: 120_000 });
  return modules.status === 0 ? null : `the modules that go.sum pins cannot be had: ${modules.stderr.slice(0, 200)}`;
};
const why = lacking();
if (why !== null) process.stderr.write(`OTLP by the reader of the Collector: SKIPPED, ${why}\n`);

const TOLD = [...COMMITTED.map(committed), ...Object.values(SAMPLES).map((make) => make())];

describe.skipIf(why !== null)('OTLP by the reader of the OpenTelemetry Collector', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'otlp-'));
    // Unoptimised it builds in half the time, and it reads a few kilobytes.
    execFileSync('go', ['build', '-gcflags=all=-N -l', '-o', join(folder, 'read'), '.'], { cwd: MODULE });
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('reads the spans, ids, times, attributes, events and states that were written', () => {
    const files = TOLD.map((told, at) => {
      const file = join(folder, `${at}.json`);
      writeFileSync(file, otlpText(told));
      return file;
    });
    const out = execFileSync(join(folder, 'read'), files, { encoding: 'utf8', maxBuffer: 1 << 28 });
    const read = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const written = TOLD.flatMap(servicesIn).flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ scope, spans }) =>
        spans.map((span) => ({
          service: valuesOf(resource.attributes)['service.name'],
          scope: scope.name,
          traceId: span.traceId,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId ?? '',
          name: span.name,
          kind: KINDS[span.kind],
          start: span.startTimeUnixNano,
          end: span.endTimeUnixNano,
          attributes: valuesOf(span.attributes),
          events: span.events.map(({ name, timeUnixNano, attributes }) => ({
            name,
            time: timeUnixNano,
            attributes: valuesOf(attributes),
          })),
          status: STATUS[span.status.code ?? 0],
          message: span.status.message ?? '',
        })),
      ),
    );
    expect(written.length).toBeGreaterThan(100);
    expect(read).toEqual(written);
  });

  test('refuses what is no OTLP', () => {
    const file = join(folder, 'bad.json');
    writeFileSync(file, otlpText(TOLD[0]!).replace('"resourceSpans"', '"resourceSpans":7,"x"'));
    const ran = spawnSync(join(folder, 'read'), [file], { encoding: 'utf8' });
    expect([ran.status, ran.stdout]).toEqual([1, '']);
  });
});
