import { describe, expect, it } from 'vitest';
import { toEpochMs } from '../../src/base/time.ts';
import { COLLECTIONS } from '../../src/evidence/collections.ts';
import type { Told } from '../../src/report/face.ts';
import { PLAIN } from '../../src/report/layout.ts';
import { timesketch } from '../../src/report/timesketch.ts';
import { bundleOf } from '../support/bundle.ts';
import { sealedFiles } from '../support/pair.ts';
import { records } from '../support/records.ts';
import { COMMITTED, committed, SAMPLES, toldOf } from './told.ts';

type Event = Readonly<Record<string, unknown>>;

const linesOf = (told: Told): string[] => [...timesketch(told, PLAIN)].join('').split('\n').slice(0, -1);
const eventsOf = (told: Told): Event[] => linesOf(told).map((line) => JSON.parse(line) as Event);

/** What the importer removes from an event (timesketch/lib/utils.py, FIELDS_TO_REMOVE). */
const RESERVED = ['_id', '_type', '_index', '_source', '__ts_timeline_id'];
const OWN = /^a2aft_[a-z_]+$/;
const TIMESKETCH = ['message', 'datetime', 'timestamp', 'timestamp_desc', 'tag'];

/** The rules of the importer: read_and_validate_jsonl, the guide "Create timeline from JSONL or CSV file", and issues 1752, 1869, 2467 and 3087. */
const expectImportable = (lines: readonly string[], types: Map<string, string>): void => {
  expect(lines.length).toBeGreaterThanOrEqual(3);
  for (const line of lines) {
    const event = JSON.parse(line) as Event;
    for (const name of ['message', 'datetime', 'timestamp_desc']) expect(event[name]).toMatch(/./);
    expect(event.datetime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    // Read as text: past the year 2255 the number is more than JavaScript holds.
    const [, timestamp] = /"timestamp":(-?\d+)\}$/.exec(line)!;
    expect(BigInt(timestamp!)).toBe(BigInt(toEpochMs(event.datetime as string)!) * 1000n);
    expect(event.tag).toEqual(expect.arrayContaining(['forensictrace']));
    for (const [name, value] of Object.entries(event)) {
      expect(TIMESKETCH.includes(name) || OWN.test(name)).toBe(true);
      expect(RESERVED).not.toContain(name);
      const type = Array.isArray(value)
        ? `list of ${new Set(value.map((item) => typeof item)).size === 1 ? typeof value[0] : 'several'}`
        : typeof value;
      expect([name, types.get(name) ?? type]).toEqual([name, type]);
      types.set(name, type);
      // A longer one is no longer kept whole (data/generic.mappings: wildcard, ignore_above).
      if (typeof value === 'string') expect(value.length).toBeLessThan(32_766);
    }
  }
};

const recordEvents = (events: readonly Event[]) => events.filter(({ a2aft_kind }) => a2aft_kind === 'record');

describe('the timeline', () => {
  const types = new Map<string, string>();
  it.each([
    ...Object.entries(SAMPLES),
    ...COMMITTED.map((name): [string, () => Told] => [name, () => committed(name)]),
  ])('of %s is importable, and the same each time', (_, make) => {
    const lines = linesOf(make());
    expectImportable(lines, types);
    expect(linesOf(make())).toEqual(lines);
  });

  it.each(COMMITTED)('of %s holds each record once at its time, and each finding at the time of its record', (name) => {
    const told = committed(name);
    const events = eventsOf(told);
    const expected = COLLECTIONS.flatMap((collection) =>
      told.intact![collection].map(({ observed_at }) => observed_at),
    ).sort();
    expect(
      recordEvents(events)
        .map(({ datetime }) => String(datetime))
        .sort(),
    ).toEqual(expected);
    for (const { reason, affected } of told.report.findings) {
      const finding = events.find((event) => event.a2aft_reason === reason && event.a2aft_kind === 'finding')!;
      const record = recordEvents(events).find(({ a2aft_record }) => a2aft_record === finding.a2aft_record)!;
      expect(record.message).toContain(affected.id);
      expect(finding.datetime).toBe(record.datetime);
    }
  });

  it('of what was refused holds no record, and says that its time is a claim', () => {
    const events = eventsOf(SAMPLES.altered!());
    expect(recordEvents(events)).toEqual([]);
    expect(events.map(({ message }) => message).join('\n')).toContain('INTEGRITY_REFUSED');
    const unsigned = eventsOf(SAMPLES['not signed by a trusted key']!());
    expect(new Set(unsigned.map(({ timestamp_desc }) => timestamp_desc))).toEqual(
      new Set(['Claimed by a receipt that was refused']),
    );
    expect(unsigned[0]!.a2aft_incident).toBe('incident-1 (claimed)');
    const empty = eventsOf(SAMPLES.empty!());
    expect(new Set(empty.map(({ timestamp_desc }) => timestamp_desc))).toEqual(new Set(['No time known']));
  });

  it('holds times before 1970 and after 2255 exactly', () => {
    for (const time of ['0001-01-01T00:00:00.001Z', '9999-12-31T23:59:59.999Z']) {
      const rows = records();
      const told = toldOf(sealedFiles(bundleOf(rows)));
      const [trace] = told.intact!.trace_metadata;
      const moved = { ...told, intact: { ...told.intact!, trace_metadata: [{ ...trace!, started_at: time }] } };
      const lines = linesOf(moved);
      expectImportable(lines, new Map());
      expect(lines.join('\n')).toContain(time);
    }
  });
});
