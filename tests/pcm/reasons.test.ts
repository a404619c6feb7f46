import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PCM_REASONS, type PcmReason } from '../../src/pcm/reasons.ts';
import { A2A_REASONS } from '../../src/pcm/reasons-a2a.ts';
import { EXTENSION_REASONS } from '../../src/pcm/reasons-extensions.ts';
import type { PcmOutcome } from '../../src/pcm/result.ts';
import { readPcmSchema } from '../../src/pcm/schema.ts';
import { readPcmTrust } from '../../src/pcm/trust.ts';
import { verifyMessage } from '../../src/pcm/verify.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import {
  approvalOf,
  bytesOf,
  callOf,
  evidenceOf,
  grantOf,
  keyOf,
  LOG,
  type Members,
  messageOf,
  receiverOf,
} from './lab.ts';
import { outcomeOf } from './vectors.ts';
import { vectorsIn } from './vectors-folder.ts';

/** Each reason of a result, and the level at which it stands there. */
const told = (outcome: PcmOutcome): readonly (readonly [PcmReason, string])[] => {
  if (outcome.verdict === 'bad-input') return outcome.findings.map(({ reason }) => [reason, 'bad-input'] as const);
  const claims = outcome.claims.map(({ reason, result }) => [reason, result] as const);
  const others = outcome.findings.filter(({ at }) => !/^\/claims\/\d/.test(at));
  const level = ({ at }: { at: string }): string => (at === '/claims' ? 'unproven' : 'reject');
  return [...claims, ...others.map((found) => [found.reason, level(found)] as const)];
};
const refused = (read: ReturnType<typeof readPcmTrust> | ReturnType<typeof readPcmSchema>) =>
  read.ok ? [] : read.findings.map(({ reason }) => [reason, 'configuration'] as const);
const trust = (document: Members) => refused(readPcmTrust(bytesOf(document), nativeCrypto));
const schema = (document: Members) =>
  refused(readPcmSchema(bytesOf({ pcm_schema: 0, name: 'n', ...document }), nativeCrypto));
const verify = (message: Uint8Array, more = {}, pins: Members = {}) =>
  told(verifyMessage(message, { ...receiverOf(undefined, pins), ...more }, null, nativeCrypto));
const message = (body: Members, more = {}, pins: Members = {}) => verify(bytesOf(messageOf(body)), more, pins);

const call = callOf('Bash', { command: 'pytest' });
const claims = (evidence: unknown, type = 'tests_passed', args: Members = { suite: 'pytest' }) => ({
  claims: [{ type, args, evidence: evidence as Members }],
});
const OTHER = keyOf(2, 'log.example');
const [W, V] = [keyOf(3, 'w', 4), keyOf(4, 'w', 4)];
const evidence = evidenceOf(call.events, call.opened);

const produced = [
  ...vectorsIn('tests/vectors/pcm').flatMap((vector) => {
    const outcome = outcomeOf(vector, nativeCrypto);
    return outcome === 'config-error' ? [] : told(outcome);
  }),
  ...verify(new Uint8Array(1 << 21)),
  ...verify(new Uint8Array([0xff])),
  ...trust({}),
  ...trust({ logs: ['x'] }),
  ...trust({ logs: [LOG.vkey, OTHER.vkey] }),
  ...trust({ logs: [LOG.vkey, keyOf(1, 'b').vkey] }),
  ...trust({ logs: [LOG.vkey], witnesses: [{ vkey: W.vkey }, { vkey: V.vkey }] }),
  ...trust({ logs: [LOG.vkey], witnesses: [{ vkey: W.vkey }, { vkey: keyOf(3, 'v', 4).vkey }] }),
  ...schema({}),
  ...schema({ fields: { a: { type: 'id', pattern: '(?=a)' } } }),
  ...message({ grants: Array.from({ length: 33 }, () => grantOf()) }),
  ...message({ grants: [grantOf({ subject: 'uid:3' })] }),
  ...message(claims(evidenceOf(call.events, {}, { key: keyOf(2, 'b') })), {}, { logs: [LOG.vkey, keyOf(2, 'b').vkey] }),
  ...message(claims({ ...evidence, records: [{ ...evidence.records[0], event: {} }] })),
  ...message(claims({ ...evidence, records: [{ ...evidence.records[0], hash: `sha256:${'0'.repeat(64)}` }] })),
  ...message(claims(evidence, 'ran_fast')),
  ...message(claims(evidence), { level: 1 }),
  ...message(claims(evidenceOf(approvalOf('pay', {})), 'approved_by', { person: 'alice', call: 'c1', covers: true })),
];

const ofVerifier = Object.entries(PCM_REASONS).filter(
  ([reason]) => !Object.hasOwn(A2A_REASONS, reason) && !Object.hasOwn(EXTENSION_REASONS, reason),
);
it.each(ofVerifier)('%s is produced, at its level and at no other', (reason, { level }) => {
  expect([...new Set(produced.filter(([one]) => one === reason).map(([, at]) => at))]).toEqual([level]);
});

it.each(Object.keys(A2A_REASONS))(
  '%s is produced by a receiver or its guard, whose tests compare the level',
  (reason) => {
    const sources = readdirSync('tests/a2a-pcm').map((name) => readFileSync(join('tests/a2a-pcm', name), 'utf8'));
    expect(sources.join('\n')).toMatch(new RegExp(`\\b${reason}\\b`));
  },
);

const rowsOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/^\| `(PCM_[A-Z0-9_]+)` \| ([\w-]+) \| (.+?) \| (.+?) \|$/gm)].map((row) =>
    row.slice(1),
  );
const isExtension = (reason: string): boolean => Object.hasOwn(EXTENSION_REASONS, reason);

it.each([
  ['docs/PCM.md', 'of PCM', (reason: string) => !isExtension(reason)],
  ['docs/PCM-EXTENSIONS.md', 'beyond it', isExtension],
] as const)('%s tells every reason %s as the data does', (page, _, isTold) => {
  expect(rowsOf(page)).toEqual(
    Object.entries(PCM_REASONS)
      .filter(([reason]) => isTold(reason))
      .map(([reason, { level, means, next }]) => [reason, level, means, next]),
  );
});

it.each(Object.keys(EXTENSION_REASONS))('%s is produced by an extension, whose tests compare the level', (reason) => {
  const folder = 'tests/pcm/extensions';
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(sources.join('\n')).toMatch(new RegExp(`\\b${reason}\\b`));
});
