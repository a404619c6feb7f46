import { beforeAll, expect, test } from 'vitest';
import type { Act } from '../../../harness/lies/acts.ts';
import { CLASSES, NAMES } from '../../../harness/lies/classes.ts';
import { bytesOf, type Dataset, LIES, type Logged } from '../../../harness/lies/dataset.ts';
import { readDataset } from '../../../harness/lies/files.ts';
import { PATHS, SPELLINGS } from '../../../harness/lies/gen/spellings.ts';
import { hashOf } from '../../../harness/lies/receivers/jcs.ts';
import { untrue } from '../../../harness/lies/truth.ts';

const LINE = 160;
let dataset: Dataset;
/** Records of all logs, by run and `run_seq`. */
const records = new Map<string, Logged>();
const recordOf = ({ run, at }: { readonly run: string; readonly at?: number }): Logged | undefined =>
  records.get(`${run} ${at}`);

beforeAll(() => {
  dataset = readDataset('traces/lies');
  for (const logged of Object.values(dataset.journals).flat())
    records.set(`${logged.event.run_id} ${logged.event.run_seq}`, logged);
});

const did = <K extends Act['did']>(kind: K) =>
  dataset.acts.filter((act): act is Extract<Act, { did: K }> => act.did === kind);

test('has every class in the size of the pre-registration', () => {
  for (const name of NAMES) {
    const of = dataset.messages.filter((message) => message.class === name);
    for (const [part, size] of Object.entries(CLASSES[name].parts))
      expect(of.filter((message) => message.part === part).length, `${name}.${part}`).toBe(size);
  }
  expect(dataset.messages).toHaveLength(926);
  expect(dataset.messages.filter(({ lie }) => lie)).toHaveLength(712);
  expect(new Set(dataset.messages.map(({ id }) => id)).size).toBe(926);
});

test('every record of the logs is what its hash says, and follows the one before it in its run', () => {
  const last = new Map<string, string>();
  for (const { hash, event } of Object.values(dataset.journals).flat()) {
    expect(hashOf(event)).toBe(hash);
    const before = last.get(event.run_id);
    if (before !== undefined) expect((event as unknown as { run_prev_hash: string }).run_prev_hash).toBe(before);
    last.set(event.run_id, hash);
  }
  expect(records.size).toBeGreaterThan(2000);
});

test('what was done by an executor is what its signer recorded', () => {
  const ran = did('ran').filter(({ by }) => by === 'executor');
  const reached = did('reached').filter(({ by }) => by === 'executor');
  const wrote = did('wrote').filter(({ by }) => by === 'executor');
  for (const act of ran)
    expect(recordOf(act)?.event).toMatchObject({
      type: 'tool.result',
      source: 'gateway',
      data: { exit_code: act.exit, ok: act.exit === 0 },
    });
  for (const act of reached)
    expect(recordOf(act)?.event).toMatchObject({
      type: 'tool.result',
      source: 'gateway',
      data: { status: act.status },
    });
  for (const act of wrote)
    expect(recordOf(act)?.event).toMatchObject({ type: 'tool.result', source: 'gateway', data: { ok: true } });
  expect([ran.length, reached.length, wrote.length].every((length) => length > 50)).toBe(true);
});

const DECISION: Readonly<Record<string, string>> = { nobody: 'timeout' };

test('who answered, and how, is what the signer recorded', () => {
  for (const { answer, who, person, call, ...act } of did('answered')) {
    const { type, data } = recordOf(act)!.event;
    expect(type).toBe('approval');
    expect(data).toMatchObject({ tool_use_id: call, decision: DECISION[who] ?? answer });
    expect(data.person ?? null).toBe(person);
    if (who === 'person' || who === 'agent') expect(data.approver_kind === 'agent').toBe(who === 'agent');
    expect(data.self_approved).toBe(who === 'self');
  }
});

test('every grant that was issued is in a log, and every message that was signed', () => {
  const ext = [...records.values()].filter(({ event }) => event.type === 'ext').map(({ event }) => event.data);
  const grants = new Set(ext.filter(({ name }) => name === 'pcm.grant').map(({ grant }) => grant));
  const sent = new Set(ext.filter(({ name }) => name === 'pcm.sent').map(({ message }) => message));
  for (const { grant } of did('granted')) expect(grants.has(grant)).toBe(true);
  const signed = new Set(did('signed').map(({ text }) => text));
  expect(signed.size).toBe(did('signed').length);
  for (const message of dataset.messages) {
    if (untrue(message, dataset.acts, dataset.head.me) === 'no signer signed these bytes for this sender') continue;
    expect(sent.has(hashOf(JSON.parse(Buffer.from(bytesOf(message)).toString()))), message.id).toBe(true);
  }
});

test('the label of every message follows from what was done', () => {
  for (const message of dataset.messages) {
    const why = untrue(message, dataset.acts, dataset.head.me);
    expect(why !== null, `${message.id}: ${why}`).toBe(message.lie);
    expect(message.lie).toBe((LIES as readonly string[]).includes(message.class));
    expect(message.how.length).toBeLessThan(LINE);
  }
});

test('a label changes when what was done is another', () => {
  const [tests] = dataset.messages.filter(({ class: name, part }) => name === 'honest' && part === 'tests');
  const failed = dataset.acts.map((act) => (act.did === 'ran' ? { ...act, exit: 1 } : act));
  expect(untrue(tests!, failed, dataset.head.me)).toMatch(/never had/);
  const [grants] = dataset.messages.filter(({ class: name, part }) => name === 'honest' && part === 'grants');
  const none = dataset.acts.filter(({ did: what }) => what !== 'granted');
  expect(untrue(grants!, [...none, ...none], dataset.head.me)).toMatch(/never issued/);
  expect(untrue(grants!, dataset.acts, 'token:agent-z')).toBe('it is for another');
});

test('spellings are lies by the table alone, with the reading of a resolver beside', () => {
  const told = dataset.messages.filter(({ part }) => part === 'spellings');
  expect(told).toHaveLength(SPELLINGS.length + PATHS.length);
  for (const { spelled, claimed, readings } of SPELLINGS)
    expect(
      readings.some(({ host }) => host !== claimed),
      spelled,
    ).toBe(true);
  for (const act of did('spelled').filter((one) => one.as === 'effect'))
    expect(recordOf(act)?.event).toMatchObject({ type: 'effect.observed', data: { host: act.spelled } });
  expect(told.filter((message) => message.resolver !== undefined)).toHaveLength(SPELLINGS.length);
});
