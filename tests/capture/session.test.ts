import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Session, type SessionOptions } from '../../src/capture/session.ts';
import type { JournalEntry } from '../../src/store/entry.ts';

const START = Date.UTC(2026, 0, 1);

const options = (entries: JournalEntry[], over: Partial<SessionOptions> = {}): SessionOptions => ({
  incident_id: 'incident-1',
  profile_id: 'general',
  capture_backend: 'forensictrace-test',
  versions: [],
  coverage: {
    discovery: false,
    capability_use: false,
    routing: false,
    task_load: false,
    uri_dereference: false,
    artifact_render: false,
    client_wire: false,
    server_wire: false,
  },
  coverage_notes: [],
  clock: () => START,
  random: (bytes) => new Uint8Array(bytes).fill(7),
  sink: (entry) => entries.push(entry),
  ...over,
});

const use = (capability: string) => ({ exchange_id: null, capability, basis: 'executed', caller_agent: null }) as const;

describe('a session', () => {
  test('gives each record an id, a place, a time and a salt, and ends complete', () => {
    const entries: JournalEntry[] = [];
    let filled = 0;
    const session = new Session(options(entries, { random: (bytes) => new Uint8Array(bytes).fill(filled++) }));
    const id = session.record('capability_invocations', 'application', use('pay'));
    const trace = session.end();
    expect(entries.map(({ kind }) => kind)).toEqual(['begin', 'record', 'end']);
    expect(entries[1]).toEqual({
      kind: 'record',
      collection: 'capability_invocations',
      record: {
        invocation_id: id,
        observed_at: '2026-01-01T00:00:00.000Z',
        sequence: 1,
        observer: 'application',
        salt: '01'.repeat(16),
        ...use('pay'),
      },
    });
    expect(trace).toMatchObject({
      ended: 'complete',
      gaps: [],
      redactions: [],
      incident_id: 'incident-1',
      sequence: 0,
    });
  });

  test('time never steps back along the sequence, and the end is not before any record, whatever the clock says', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1 }), (steps) => {
        const entries: JournalEntry[] = [];
        let tick = 0;
        const session = new Session(options(entries, { clock: () => START + (steps[tick++ % steps.length] ?? 0) }));
        const late = session.reserve('capability_invocations');
        for (let i = 0; i < 5; i++) session.record('capability_invocations', 'application', use(`c${i}`));
        session.write(late, 'application', use('late'));
        const { ended_at } = session.end();
        const records = entries.flatMap((entry) => (entry.kind === 'record' ? [entry.record] : []));
        const inOrder = records.sort((a, b) => a.sequence - b.sequence).map(({ observed_at }) => observed_at);
        expect(inOrder).toEqual([...inOrder].sort());
        expect(new Set(records.map(({ sequence }) => sequence)).size).toBe(6);
        expect(inOrder.every((time) => time <= ended_at)).toBe(true);
      }),
    );
  });

  test('a record that does not fit its schema, or holds an unpaired surrogate, becomes a gap', () => {
    const entries: JournalEntry[] = [];
    const session = new Session(options(entries));
    expect(session.record('capability_invocations', 'application', use(''))).toBeNull();
    expect(session.record('capability_invocations', 'application', use('\ud800'))).toBeNull();
    expect(session.record('capability_invocations', 'application', use('\\ud800'))).not.toBeNull();
    const trace = session.end();
    expect(trace.ended).toBe('incomplete');
    expect(trace.gaps.map(({ what }) => what)).toEqual([
      'could not write a record of capability_invocations: RecordError unfit capability',
      'could not write a record of capability_invocations: RangeError',
    ]);
  });

  test('whenever the sink fails, nothing reaches the caller, every id that came back was written, and it is incomplete', () => {
    for (let failing = 1; failing < 12; failing++) {
      const entries: JournalEntry[] = [];
      let calls = 0;
      const sink = (entry: JournalEntry) => {
        if (calls++ === failing) throw Object.assign(new Error('secret path'), { code: 'ENOSPC' });
        entries.push(entry);
      };
      const session = new Session(options(entries, { sink }));
      const ids = Array.from({ length: 10 }, (_, i) =>
        session.record('capability_invocations', 'application', use(`c${i}`)),
      );
      const written = entries.flatMap((entry) =>
        entry.kind === 'record' && entry.collection === 'capability_invocations' ? [entry.record.invocation_id] : [],
      );
      expect(ids.filter((id) => id !== null)).toEqual(written);
      if (failing <= 10) {
        const trace = session.end();
        expect(trace.ended).toBe('incomplete');
        expect(JSON.stringify(trace)).not.toContain('secret path');
      } else expect(() => session.end()).toThrow('secret path');
    }
  });

  test('a capture that cannot begin does not seem to run', () => {
    const sink = () => {
      throw new Error('read-only');
    };
    expect(() => new Session(options([], { sink }))).toThrow('read-only');
  });

  test('what is open at the end is closed as far as it came, and that is a gap', () => {
    const entries: JournalEntry[] = [];
    const session = new Session(options(entries));
    session.opened('exchange-1', () => session.record('capability_invocations', 'application', use('last')));
    session.opened('exchange-2', () => session.record('capability_invocations', 'application', use('never')));
    session.closed('exchange-2');
    expect(session.end().gaps).toMatchObject([{ what: 'exchange-1 was still open when the capture ended' }]);
    expect(entries.filter(({ kind }) => kind === 'record')).toHaveLength(1);
    expect(session.record('capability_invocations', 'application', use('after'))).toBeNull();
    expect(entries.at(-1)?.kind).toBe('end');
  });

  test('redactions are counted by kind', () => {
    const entries: JournalEntry[] = [];
    const session = new Session(options(entries));
    session.redacted('push token', 2);
    session.redacted('url parameter', 0);
    session.redacted('push token', 1);
    expect(session.end().redactions).toEqual([{ what: 'push token', count: 3 }]);
  });
});
