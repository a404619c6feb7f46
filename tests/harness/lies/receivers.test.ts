import { expect, test } from 'vitest';
import { openSecondVerifier, receivers } from '../../../harness/lies/receivers/receivers.ts';
import { describeWithPython } from '../../interop/support/python.ts';
import { bytesOf, type Members } from '../../pcm/lab.ts';
import * as made from './receivers-support.ts';

const everyOne = receivers();
const NAMES = everyOne.map(({ name }) => name);

/** Who refuses a message, and by which check; every other receiver accepts it. */
const refusals = async (message: Members | string, context = made.contextOf()): Promise<Record<string, string>> => {
  const decisions = await Promise.all(
    everyOne.map(async ({ name, receive }) => [name, await receive(bytesOf(message), context)] as const),
  );
  return Object.fromEntries(
    decisions.flatMap(([name, { decidedBy }]) => (decidedBy === null ? [] : [[name, decidedBy]])),
  );
};
const pcm = (reason: string): Record<string, string> => ({ 'PCM (native)': reason, 'PCM (portable)': reason });
const authority = (first: string, second: string): Record<string, string> => ({
  'AP2 mandates': first,
  'Verifiable Intent': second,
  'AP2, SCITT and RFC 9421': first,
  'All six': first,
});
const receipts = (id: string): Record<string, string> => ({
  'SCITT receipts': id,
  'AP2, SCITT and RFC 9421': id,
  'All six': id,
});

test('names every receiver, and every check once with its section', () => {
  expect(NAMES).toEqual([...new Set(NAMES)]);
  const checks = everyOne.slice(2, -2).flatMap((receiver) => receiver.checks);
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  for (const { section, text } of checks) expect(section !== '' && text.endsWith('.')).toBe(true);
});

test.each([
  ['tests that ran', made.tested],
  ['a request under a grant', made.granted],
  ['a request that a person approved', made.approved],
])('everybody accepts %s', async (_, message) => {
  expect(await refusals(message)).toEqual({});
});

test.each<[string, Members | string, Record<string, string>]>([
  ['a delegation, honest', made.delegated, authority('ap2-holder', 'vi-l3-signature')],
  [
    'an approval whose args are not shown, honest',
    made.undisclosed,
    { ...pcm('PCM_APPROVAL_NOT_OPENED'), ...authority('ap2-disclosed', 'vi-disclosed') },
  ],
  ['records that no log holds', made.fabricated, { ...pcm('PCM_EVIDENCE_PROOF'), ...receipts('scitt-inclusion') }],
  ['true records for another claim', made.misquoted, pcm('PCM_CLAIM_NOT_SAID')],
  [
    'an approval by an agent',
    made.agentApproved,
    { ...pcm('PCM_APPROVAL_NONE'), ...authority('ap2-provider', 'vi-l2-signature') },
  ],
  [
    'no grant where one is asked',
    made.unauthorised,
    { ...pcm('PCM_GRANT_MISSING'), ...authority('ap2-present', 'vi-present') },
  ],
  [
    'a grant with a bound raised',
    made.widened,
    { ...pcm('PCM_GRANT_SIGNATURE'), ...authority('ap2-provider', 'vi-l2-signature') },
  ],
  [
    'a grant that expired within the skew of Verifiable Intent',
    made.expired,
    {
      ...pcm('PCM_GRANT_EXPIRED'),
      'AP2 mandates': 'ap2-expiry',
      'AP2, SCITT and RFC 9421': 'ap2-expiry',
      'All six': 'ap2-expiry',
    },
  ],
  ['a signature that is none', made.unsigned, { ...pcm('PCM_SIGNATURE_ENCODING'), 'Signature only': 'signature' }],
  [
    'a message for another',
    made.misaddressed,
    {
      ...pcm('PCM_REPLAY_RECIPIENT'),
      'Message envelope, signed': 'envelope-audience',
      'RFC 9421, as ANP uses it': 'http-target',
      'AP2, SCITT and RFC 9421': 'http-target',
      'All six': 'envelope-audience',
    },
  ],
  [
    'no JSON',
    '{"pcm":0',
    {
      ...pcm('PCM_READ_SYNTAX'),
      'Signature only': 'readable',
      ...receipts('ap2-readable'),
      'SCITT receipts': 'scitt-readable',
      'AP2 mandates': 'ap2-readable',
      'Verifiable Intent': 'vi-readable',
      'All six': 'scitt-readable',
    },
  ],
])('%s', async (_, message, expected) => {
  expect(await refusals(message)).toEqual(expected);
});

test('a replay is known to those who keep a cache, until they start again', async () => {
  const earlier = [{ bytes: bytesOf(made.granted), now: '2026-11-30T12:00:10.000000Z' }];
  const http = { 'RFC 9421, as ANP uses it': 'http-replay' };
  expect(await refusals(made.granted, made.contextOf({ earlier }))).toEqual({
    ...pcm('PCM_REPLAY_SEEN'),
    ...http,
    'Verifiable Intent': 'vi-once',
    'AP2, SCITT and RFC 9421': 'http-replay',
    'All six': 'http-replay',
  });
  const restarted = made.contextOf({ earlier, started: '2026-11-30T12:00:11.000000Z' });
  expect(await refusals(made.granted, restarted)).toEqual({
    ...pcm('PCM_REPLAY_BEFORE_START'),
    'Verifiable Intent': 'vi-once',
    'All six': 'vi-once',
  });
});

test('a check that is turned off decides no more, and none that is not there can be', async () => {
  const off = new Set(['ap2-holder', 'ap2-provider']);
  const mandates = receivers(off).find(({ name }) => name === 'AP2 mandates')!;
  const decide = async (message: Members) => (await mandates.receive(bytesOf(message), made.contextOf())).decidedBy;
  expect(await Promise.all([made.delegated, made.widened].map(decide))).toEqual([null, null]);
  expect(() => receivers(new Set(['no-check']))).toThrow('no receiver has a check no-check');
});

describeWithPython('the second verifier as a receiver', () => {
  test('decides as ours does, until it is closed', async () => {
    const second = openSecondVerifier();
    for (const [name, message] of Object.entries(made.MESSAGES)) {
      const [ours, theirs] = await Promise.all(
        [everyOne[0]!, second].map(({ receive }) => receive(bytesOf(message), made.contextOf())),
      );
      const { accepted, decidedBy } = ours!;
      expect({ name, ...theirs }).toMatchObject({ name, accepted, decidedBy });
    }
    second.close();
    await expect(async () => {
      for (;;) await second.receive(bytesOf(made.tested), made.contextOf());
    }).rejects.toThrow(/second verifier ended|write after end/);
  });
});
