import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonical } from '../../src/base/canonical.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import { readJson } from '../../src/base/read-json.ts';
import { type Bundle, RECORD_SCHEMAS } from '../../src/evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS } from '../../src/evidence/collections.ts';
import { deriveEdges } from '../../src/relate/derive.ts';
import { assemble } from '../../src/store/assemble.ts';
import type { JournalEntry, RecordEntry } from '../../src/store/entry.ts';
import { bundleText, receiptText, writeWhole } from '../../src/store/files.ts';
import { finalize } from '../../src/store/finalize.ts';
import { createJournal } from '../../src/store/journal.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { asObject, buildBundle } from '../support/bundle.ts';
import { check, told } from '../support/check.ts';
import { statement, testSigner } from '../support/seal.ts';

const bundle = buildBundle() as unknown as Bundle;
const [trace] = bundle.trace_metadata;
const entries: RecordEntry[] = COLLECTIONS.filter((name) => name !== 'trace_metadata').flatMap((collection) =>
  bundle[collection].map((record) => ({ kind: 'record', collection, record }) as unknown as RecordEntry),
);
const begin: JournalEntry = { kind: 'begin', trace: { ...trace!, ended: 'recovered', ended_at: trace!.started_at } };
const end: JournalEntry = { kind: 'end', trace: trace! };
const put = (list: readonly JournalEntry[]): Bundle => assemble(list, deriveEdges, nativeCrypto);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a bundle from a journal', () => {
  test('is the same in whatever order records were written, and has every edge', () => {
    const written = put([begin, ...entries, end]);
    expect(canonical(put([begin, ...entries.toReversed(), end]) as unknown as JsonObject)).toBe(
      canonical(written as unknown as JsonObject),
    );
    expect(written.edges).toEqual(bundle.edges.map((edge) => ({ ...edge })));
    for (const name of COLLECTIONS) {
      const sequences = written[name].map(({ sequence }) => sequence);
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
      expect(written[name]).toHaveLength(bundle[name].length);
    }
  });

  test('holds of a record that was written again the later version', () => {
    const exchange = entries.find(({ collection }) => collection === 'exchanges')!;
    const early = { ...exchange, record: { ...exchange.record, ended: 'reset' }, open: true } as unknown as RecordEntry;
    expect(put([begin, early, ...entries, end]).exchanges).toEqual(put([begin, ...entries, end]).exchanges);
    const late = { ...exchange, record: { ...exchange.record, ended: 'reset' } } as unknown as RecordEntry;
    expect(put([begin, ...entries, late, end]).exchanges[0]).toMatchObject({ ended: 'reset' });
  });

  test('without an end is recovered: its gaps, redactions and open exchanges are told, its end is its last sign of life', () => {
    const open = { ...entries.find(({ collection }) => collection === 'exchanges')!, open: true } as RecordEntry;
    const recovered = put([
      begin,
      { kind: 'redacted', what: 'token', count: 2 },
      ...entries.filter(({ collection }) => collection !== 'exchanges'),
      open,
      { kind: 'redacted', what: 'token', count: 1 },
      { kind: 'gap', at: trace!.started_at, what: 'a gap' },
    ]);
    const [metadata] = recovered.trace_metadata;
    const last = entries
      .map(({ record }) => record.observed_at)
      .sort()
      .at(-1);
    expect(metadata).toMatchObject({ ended: 'recovered', ended_at: last, redactions: [{ what: 'token', count: 3 }] });
    expect(metadata!.gaps).toMatchObject([
      { what: 'a gap' },
      { what: expect.stringContaining(`open were: ${(open.record as { exchange_id: string }).exchange_id}`) },
    ]);
    expect(RECORD_SCHEMAS.trace_metadata.safeParse(metadata).success).toBe(true);
  });

  test('of an exchange that never ended holds what had come of its stream', () => {
    const exchange = entries.find(({ collection }) => collection === 'exchanges')!;
    const record = {
      ...exchange.record,
      response_headers: [['content-type', 'text/event-stream']],
      response_body: null,
    };
    const open = { ...exchange, record, open: true } as unknown as RecordEntry;
    const id = (exchange.record as { exchange_id: string }).exchange_id;
    const piece = (text: string): JournalEntry => ({ kind: 'segment', exchange_id: id, encoding: 'utf8', text });
    const { exchanges } = put([
      begin,
      open,
      piece('data: {"id":7}\n\n'),
      { kind: 'segment', exchange_id: id, encoding: 'base64', text: Buffer.from('data: {}\n\n').toString('base64') },
      piece(': é\n\n'),
    ]);
    expect(exchanges).toMatchObject([
      { response_body: { text: 'data: {"id":7}\n\ndata: {}\n\n: é\n\n', size: 32, truncated: null }, event_count: 2 },
    ]);
  });

  test('needs a beginning', () => {
    expect(() => put(entries)).toThrow(RangeError);
  });
});

describe('files', () => {
  test('one record or edge stands on a line, and the text reads back as the bundle', () => {
    const text = [...bundleText(bundle)].join('');
    const read = readJson(Buffer.from(text), { input: 'bundle', recordAttributes: true });
    expect(read.ok && canonical(read.value)).toBe(canonical(bundle as unknown as JsonObject));
    const lines = text.split('\n');
    for (const name of COLLECTIONS) {
      for (const record of bundle[name]) {
        const id = (record as Record<string, unknown>)[COLLECTION_INFO[name].id] as string;
        const on = lines.filter(
          (line) => line.includes(`"${COLLECTION_INFO[name].id}":"${id}"`) && line.startsWith('{'),
        );
        expect(on.length, id).toBeGreaterThan(0);
        expect(JSON.parse(on[0]!.replace(/,$/, ''))).toBeTypeOf('object');
      }
    }
    expect(lines.filter((line) => line.startsWith('{"destination_id"'))).toHaveLength(bundle.edges.length);
  });

  test('a file is written whole or not at all', () => {
    const path = join(folder, 'a');
    writeFileSync(path, 'old');
    const broken = function* () {
      yield 'new'.repeat(1 << 20);
      throw new Error('disk full');
    };
    expect(() => writeWhole(path, broken())).toThrow('disk full');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a']);
    writeWhole(path, ['new', '€']);
    expect(readFileSync(path, 'utf8')).toBe('new€');
  });

  const seal = (clock: number, signer = () => testSigner()) => {
    const paths = { journal: join(folder, 'j'), bundle: join(folder, 'b'), receipt: join(folder, 'r') };
    const journal = createJournal(paths.journal, nativeCrypto);
    for (const entry of [begin, ...entries, end]) journal.append(entry);
    journal.close();
    const { issued_at: _, ...stated } = statement();
    return {
      ...finalize({
        ...paths,
        signer,
        statement: stated,
        clock: () => clock,
        derive: deriveEdges,
        crypto: nativeCrypto,
      }),
      paths,
    };
  };

  test('a journal becomes a bundle and a receipt that verify, issued by the clock', () => {
    const { paths, receipt } = seal(Date.UTC(2026, 10, 1));
    expect(receipt.body.issued_at).toBe('2026-11-01T00:00:00.000Z');
    const read = (path: string) => asObject(JSON.parse(readFileSync(path, 'utf8')));
    expect(told(check(read(paths.bundle), read(paths.receipt)))).toEqual([]);
    expect(readFileSync(paths.receipt, 'utf8')).toBe([...receiptText(receipt)].join(''));
  });

  test('a clock that was set back does not make a receipt older than its evidence', () => {
    expect(seal(0).receipt.body.issued_at).toBe(trace!.ended_at);
  });

  test('a signer that fails leaves the journal alone', () => {
    const noKey = () => {
      throw new Error('no key');
    };
    expect(() => seal(0, noKey)).toThrow('no key');
    expect(readdirSync(folder)).toEqual(['j']);
  });

  test('a signer that no receipt may name leaves the journal alone', () => {
    expect(() => seal(0, () => testSigner(1, 'Bob Smith'))).toThrow(RangeError);
    expect(readdirSync(folder)).toEqual(['j']);
  });

  test('a receipt that cannot be written leaves no bundle of its own, and the one that was there', () => {
    mkdirSync(join(folder, 'r', 'full'), { recursive: true });
    expect(() => seal(0)).toThrow(/^cannot write .*r: /);
    expect(readdirSync(folder).sort()).toEqual(['j', 'r']);
    rmSync(join(folder, 'j'));
    writeFileSync(join(folder, 'b'), 'older');
    expect(() => seal(0)).toThrow(/^cannot write .*r: /);
    expect(readdirSync(folder).sort()).toEqual(['b', 'j', 'r']);
  });
});
