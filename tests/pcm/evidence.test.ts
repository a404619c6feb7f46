import { expect, it } from 'vitest';
import { PCM_LIMITS } from '../../src/pcm/limits.ts';
import type { PcmJudged } from '../../src/pcm/result.ts';
import { verifyMessage } from '../../src/pcm/verify.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import {
  ATTESTED,
  bytesOf,
  callOf,
  eventOf,
  evidenceOf,
  keyOf,
  LOG,
  type Members,
  messageOf,
  receiverOf,
} from './lab.ts';

const OTHER = keyOf(2, 'other.example');
const [W1, W2, STRANGER] = [keyOf(3, 'w1.example', 4), keyOf(4, 'w2.example', 4), keyOf(5, 'w3.example', 4)];
const call = callOf('Bash', { command: 'pytest' });
const good = evidenceOf(call.events, call.opened);
const WITNESSED = { witnesses: [W1, W2].map(({ vkey }) => ({ vkey })), witnesses_required: 2 };

const reasonOf = (evidence: unknown, trust: Members = {}): string => {
  const claims = [{ type: 'tests_passed', args: { suite: 'pytest' }, evidence: evidence as Members }];
  const outcome = verifyMessage(
    bytesOf(messageOf({ claims })),
    receiverOf(undefined, trust),
    null,
    nativeCrypto,
  ) as PcmJudged;
  return outcome.claims[0]!.reason.replace('PCM_', '');
};
const record = (i: number, more: object) => ({
  ...good,
  records: good.records.map((one, at) => (at === i ? { ...one, ...more } : one)),
});
const without = (i: number, member: string) => record(i, { [member]: undefined });
const note = (edit: (text: string) => string) => ({ ...good, checkpoint: edit(good.checkpoint) });
const changed = (i: number, more: Members) =>
  evidenceOf(
    call.events.map((event, at) => (at === i ? { ...event, ...more } : event)),
    call.opened,
  );
const witnessed = (...witnesses: (typeof W1)[]) => evidenceOf(call.events, call.opened, { witnesses });
const line = (i: number) => good.checkpoint.split('\n')[i]!;

it.each<[string, unknown, string, Members?]>([
  ['as the log gave it', good, 'CLAIM_PROVEN'],
  ['in another order', { ...good, records: [...good.records].reverse() }, 'CLAIM_PROVEN'],
  ['with the line of an unknown key', note((text) => `${text}— x AAAAAAAA\n`), 'CLAIM_PROVEN'],
  [
    'with a valid line of another pinned log',
    note((text) => `${text}${evidenceOf(call.events, {}, { key: OTHER }).checkpoint.split('\n')[4]}\n`),
    'EVIDENCE_CHECKPOINT',
    { logs: [LOG.vkey, OTHER.vkey] },
  ],
  ['as text', 'x', 'EVIDENCE_SHAPE'],
  ['without records', { ...good, records: [] }, 'EVIDENCE_SHAPE'],
  [
    'with too many records',
    { ...good, records: Array.from({ length: PCM_LIMITS.records + 1 }, () => good.records[0]) },
    'EVIDENCE_SHAPE',
  ],
  ['with a member more', { ...good, x: 1 }, 'EVIDENCE_SHAPE'],
  ['with a member more in a record', record(0, { x: 1 }), 'EVIDENCE_SHAPE'],
  ['with a long proof', record(0, { proof: Array.from({ length: 65 }, () => '') }), 'EVIDENCE_SHAPE'],
  ['with a salt in capitals', record(0, { salt: 'AB'.repeat(32) }), 'EVIDENCE_SHAPE'],
  [
    'of another log',
    evidenceOf(call.events, call.opened, { key: OTHER }),
    'EVIDENCE_OTHER_LOG',
    { logs: [LOG.vkey, OTHER.vkey] },
  ],
  ['of a log that is not pinned', evidenceOf(call.events, call.opened, { key: OTHER }), 'EVIDENCE_CHECKPOINT'],
  ['without the last newline', note((text) => text.slice(0, -1)), 'EVIDENCE_CHECKPOINT'],
  ['without signature', note((text) => text.slice(0, text.indexOf('\n\n') + 2)), 'EVIDENCE_CHECKPOINT'],
  ['with two blank lines', note((text) => text.replace('\n\n', '\n\n\n')), 'EVIDENCE_CHECKPOINT'],
  ['with a fourth line of text', note((text) => text.replace('\n\n', '\nx\n\n')), 'EVIDENCE_CHECKPOINT'],
  ['of a size that begins with 0', note((text) => text.replace('\n2\n', '\n02\n')), 'EVIDENCE_CHECKPOINT'],
  ['of a size that is no number', note((text) => text.replace('\n2\n', '\n2x\n')), 'EVIDENCE_CHECKPOINT'],
  ['of a root that is not 32 bytes', note((text) => text.replace(line(2), 'AAAA')), 'EVIDENCE_CHECKPOINT'],
  ['signed twice', note((text) => `${text}${line(4)}\n`), 'EVIDENCE_CHECKPOINT'],
  [
    'with 65 lines',
    note((text) => text + Array.from({ length: 64 }, (_, i) => `— x${i} AAAAAAAA\n`).join('')),
    'EVIDENCE_CHECKPOINT',
  ],
  ['with a line that is no signature', note((text) => `${text}- x AAAAAAAA\n`), 'EVIDENCE_CHECKPOINT'],
  ['with a signature of four bytes', note((text) => `${text}— x AAAAAA==\n`), 'EVIDENCE_CHECKPOINT'],
  ['too long', note((text) => text + 'x'.repeat(PCM_LIMITS.noteLength)), 'EVIDENCE_CHECKPOINT'],
  ['with an edited event', record(1, { event: { ...call.events[1], source: 'x' } }), 'EVIDENCE_HASH'],
  ['without a proof', record(0, { proof: [] }), 'EVIDENCE_PROOF'],
  ['with a proof in the URL alphabet', record(0, { proof: ['_'.repeat(43) + '='] }), 'EVIDENCE_PROOF'],
  ['with a record twice', { ...good, records: [...good.records, good.records[0]] }, 'EVIDENCE_REPEATED'],
  ['of another run', changed(1, { run_id: 'run-2' }), 'EVIDENCE_OTHER_RUN'],
  ['of another tenant', changed(1, { tenant: 'other' }), 'EVIDENCE_OTHER_RUN'],
  ['of another version of events', changed(1, { schema_version: 'tracekit.event.v3' }), 'EVIDENCE_EVENT'],
  ['of an event without time', changed(1, { ts: '2026' }), 'EVIDENCE_EVENT'],
  ['of an event with a negative place', changed(1, { seq: -1 }), 'EVIDENCE_EVENT'],
  ['without the salt', without(0, 'salt'), 'EVIDENCE_OPENING'],
  ['without the args', without(0, 'args'), 'EVIDENCE_OPENING'],
  ['with another salt', record(0, { salt: 'ab'.repeat(32) }), 'EVIDENCE_OPENING'],
  ['with other args', record(0, { args: { command: 'pytest ' } }), 'EVIDENCE_OPENING'],
  ['with a result that is opened', record(1, { salt: 'ab'.repeat(32), args: {} }), 'EVIDENCE_OPENING'],
  ['of two witnesses of two', witnessed(W1, W2), 'CLAIM_PROVEN', WITNESSED],
  ['of one witness of two', witnessed(W1), 'EVIDENCE_WITNESSES', WITNESSED],
  ['of a witness that is not pinned', witnessed(W1, STRANGER), 'EVIDENCE_WITNESSES', WITNESSED],
  ['of a log that passes as its own witness', good, 'EVIDENCE_WITNESSES', { ...WITNESSED, witnesses_required: 1 }],
  [
    'with a bad cosignature',
    {
      ...good,
      checkpoint: `${good.checkpoint}${evidenceOf([eventOf(0, 'note', {})], {}, { witnesses: [W1] }).checkpoint.split('\n')[5]}\n`,
    },
    'EVIDENCE_CHECKPOINT',
    WITNESSED,
  ],
  [
    'with a cosignature without time',
    {
      ...good,
      checkpoint: `${good.checkpoint}— ${W1.name} ${Buffer.concat([W1.id, Buffer.alloc(8)]).toString('base64')}\n`,
    },
    'EVIDENCE_CHECKPOINT',
    WITNESSED,
  ],
])('evidence %s', (_, evidence, expected, trust) => {
  expect(reasonOf(evidence, trust)).toBe(expected);
});

it('a place is a number of the integer kind: 1.0 has the same hash, and is no place', () => {
  const text = JSON.stringify(
    messageOf({ claims: [{ type: 'tests_passed', args: { suite: 'pytest' }, evidence: good }] }),
  );
  expect(text).toContain('"seq":1,');
  const outcome = verifyMessage(
    bytesOf(text.replace('"seq":1,', '"seq":1.0,')),
    receiverOf(),
    null,
    nativeCrypto,
  ) as PcmJudged;
  expect([outcome.signature.ok, outcome.claims[0]!.reason]).toEqual([true, 'PCM_EVIDENCE_EVENT']);
});

it('a place beyond the tree is in no tree', () => {
  expect(
    reasonOf(
      evidenceOf([...call.events, eventOf(7, 'tool.result', { ok: true, decision_id: 'd1' }, ATTESTED)], call.opened),
    ),
  ).toBe('EVIDENCE_PROOF');
});
