import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { answer } from '../../src/attest/answer.ts';
import { Book } from '../../src/attest/book.ts';
import { evidenceOf } from '../../src/attest/client/evidence.ts';
import type { Wire } from '../../src/attest/client/wire.ts';
import { readConfig } from '../../src/attest/config.ts';
import type { Identity } from '../../src/attest/identity.ts';
import type { Log } from '../../src/attest/log/types.ts';
import { openSigner } from '../../src/attest/open-signer.ts';
import type { Signer } from '../../src/attest/signer.ts';
import type { PcmObject } from '../../src/pcm/value.ts';
import { EnvironmentFault } from '../../src/store/fault.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { REF, refusalOf } from './lab.ts';

/** A log in memory that publishes, or fails, when it is told to. */
class MemoryLog implements Log {
  private readonly records: Uint8Array[] = [];
  private readonly waiting: {
    resolve: (at: { index: number }) => void;
    reject: (error: Error) => void;
    index: number;
  }[] = [];
  size = 0;

  get next(): number {
    return this.records.length;
  }
  append(record: Uint8Array): Promise<{ index: number }> {
    const index = this.records.push(record) - 1;
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject, index }));
  }
  publish(): void {
    this.size = this.records.length;
    for (const { resolve, index } of this.waiting.splice(0)) resolve({ index });
  }
  fail(): void {
    for (const { reject } of this.waiting.splice(0)) reject(new EnvironmentFault('the disk is full'));
  }
  record(index: number): Uint8Array {
    return this.records[index]!;
  }
  checkpoint(): string {
    return `checkpoint of ${this.size}`;
  }
  proof(): readonly Uint8Array[] {
    return [];
  }
  async close(): Promise<void> {}
}

const A: Identity = { id: 'token:a', role: 'agent', tenant: 'default' };

const signerOn = async (log: MemoryLog, clock = Date.now): Promise<Signer> => {
  const folder = mkdtempSync(join(tmpdir(), 'ft-memory-'));
  writeFileSync(join(folder, 'policy.json'), '{"tools":{"ls":"app"}}');
  const config = {
    origin: 'log.example',
    data_dir: '.',
    socket: 's',
    policy: 'policy.json',
    identities: [{ name: 'a', role: 'agent', token_file: 'a' }],
  };
  writeFileSync(join(folder, 'signer.json'), JSON.stringify(config));
  const signer = await openSigner(readConfig(join(folder, 'signer.json')), nativeCrypto, clock);
  onTestFinished(async () => {
    await signer.log.close();
    rmSync(folder, { recursive: true });
  });
  return { ...signer, log, book: new Book(log, 'log.example', nativeCrypto, clock) };
};
const begun = async (signer: Signer, log: MemoryLog): Promise<string> => {
  const beginning = answer(signer, A, 'run_begin', { name: 'x' });
  log.publish();
  return (await beginning).run as string;
};

it('a record that no checkpoint covers is pending, and neither read nor proven', async () => {
  const log = new MemoryLog();
  const signer = await signerOn(log);
  const run = await begun(signer, log);
  const deciding = answer(signer, A, 'decide', { run, call: 'c', tool: 'ls', args: {} });
  const evidence = await answer(signer, A, 'pcm_evidence', { run, run_seqs: [1, 0] });
  expect(evidence).toMatchObject({ checkpoint: 'checkpoint of 1', records: [{ run_seq: 0 }], pending: [1] });
  expect((await answer(signer, A, 'read', { run })).events).toHaveLength(1);
  log.publish();
  await deciding;
  expect(await answer(signer, A, 'pcm_evidence', { run, run_seqs: [1] })).toMatchObject({
    records: [{ run_seq: 1, salt: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    pending: [],
  });
});

it('nothing is signed that the log did not keep', async () => {
  const log = new MemoryLog();
  const signer = await signerOn(log);
  const run = await begun(signer, log);
  const body: PcmObject = {
    from: { agent: 'token:a', run, tenant: 'default' },
    to: { agent: 'token:b' },
    intent: { type: REF, args: {} },
  };
  let signed = false;
  const signing = answer(signer, A, 'pcm_sign', { run, body }).then(() => {
    signed = true;
  });
  await new Promise((done) => setImmediate(done));
  expect(signed).toBe(false);
  log.fail();
  expect(await refusalOf(signing)).toBe(
    'unavailable: the signer cannot write its log: nothing was signed; its operator must look at it',
  );
});

it('a record that the log would refuse never becomes known: the next one takes its place', async () => {
  const log = new MemoryLog();
  const signer = await signerOn(log);
  const run = { id: await begun(signer, log), tenant: 'default' };
  const large = { type: 'ext', source: 'sdk', data: { text: 'x'.repeat(2 ** 20) } } as const;
  await expect(signer.book.record(run, large)).rejects.toThrow('more than the log takes');
  const small = signer.book.record(run, { ...large, data: { text: 'x' } });
  log.publish();
  expect(await small).toMatchObject({ runSeq: 1, event: { seq: 1 } });
});

it('its times never go back, whatever its clock does, also after a restart', async () => {
  const log = new MemoryLog();
  let ms = Date.UTC(2026, 10, 30, 12);
  const signer = await signerOn(log, () => ms);
  await begun(signer, log);
  ms -= 3_600_000;
  expect(signer.book.now()).toBe('2026-11-30T12:00:00.000000Z');
  expect(new Book(log, 'log.example', nativeCrypto, () => ms).now()).toBe('2026-11-30T12:00:00.000000Z');
});

it('the client waits for a checkpoint that covers what it asked for, and no longer than it was told', async () => {
  const answers = [{ pending: [1] }, { pending: [1] }, { pending: [] }].map((more) => ({
    checkpoint: 'c',
    records: [],
    ...more,
  }));
  const wire = { call: async () => (answers.length > 1 ? answers.shift() : answers[0]) } as unknown as Wire;
  expect(await evidenceOf(wire, 'r', [1], {})).toEqual({ checkpoint: 'c', records: [] });
  const never = { call: async () => ({ checkpoint: 'c', records: [], pending: [1, 2] }) } as unknown as Wire;
  expect(await refusalOf(evidenceOf(never, 'r', [1, 2], { waitS: 0 }))).toBe(
    'unavailable: no checkpoint covers the records 1, 2 after 0 s',
  );
});

it('the client keeps the salt of a decision that is not opened, which would let others try args', async () => {
  const records = [0, 1, 2].map((run_seq) => ({
    run_seq,
    event: {},
    hash: 'h',
    proof: [],
    ...(run_seq < 2 ? { salt: 's' } : {}),
  }));
  const wire = { call: async () => ({ checkpoint: 'c', records, pending: [] }) } as unknown as Wire;
  const evidence = await evidenceOf(wire, 'r', [0, 1, 2], { args: { 1: { a: 1 }, 2: { b: 2 } } });
  const bare = { event: {}, hash: 'h', proof: [] };
  expect(evidence.records).toEqual([bare, { ...bare, salt: 's', args: { a: 1 } }, bare]);
});
