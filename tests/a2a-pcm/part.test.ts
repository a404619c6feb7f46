import { Part } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { isPcmPart, pcmFilePart, pcmPart, receivePcm, requireActable } from '../../src/a2a-pcm/part.ts';
import { PcmRefused } from '../../src/a2a-pcm/refused.ts';
import { PCM_MEDIA_TYPE } from '../../src/pcm/a2a-parts.ts';
import { createReplay } from '../../src/pcm/replay.ts';
import { verifyMessage } from '../../src/pcm/verify.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { bytesOf, receiverOf, TS } from '../pcm/lab.ts';
import { fresh, receiverB, textOf } from './lab.ts';

/** What the codec of the SDK makes of a part on the wire and back. */
const sent = (part: Part): Part => Part.fromJSON(JSON.parse(JSON.stringify(Part.toJSON(part))));
const said = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof PcmRefused ? [error.verdict, error.findings[0]!.reason] : error;
};

describe.each([
  ['pcmPart', pcmPart],
  ['pcmFilePart', pcmFilePart],
])('%s', (_, partOf) => {
  it('carries the text of a message as it is, and the other side receives it once', async () => {
    const receiver = receiverB();
    const message = fresh({ payload: { kind: 'text', text: 'é\u{1f600} "\\' } });
    const parts = [sent(partOf(textOf(message)))];
    expect(parts.map(isPcmPart)).toEqual([true]);
    expect(await receivePcm({ parts }, receiver)).toMatchObject([
      { message, outcome: { verdict: 'accept', skipped: [] } },
    ]);
    expect(await said(receivePcm({ parts }, receiver))).toEqual(['reject', 'PCM_REPLAY_SEEN']);
  });

  it.each(['', '{}', '{"pcm":0,"pcm":0}', '\ud800', JSON.stringify({ ...fresh(), more: 1 })])(
    'refuses to send %j',
    (text) => {
      expect(() => partOf(text)).toThrow(RangeError);
    },
  );
});

describe('receivePcm', () => {
  const part = (content: Part['content']): Part => ({
    content,
    mediaType: PCM_MEDIA_TYPE,
    filename: '',
    metadata: undefined,
  });

  it('leaves other parts alone', async () => {
    const text = { $case: 'text' as const, value: textOf(fresh()) };
    const parts = [{ ...part(text), mediaType: 'application/json' }];
    expect(await receivePcm({ parts }, receiverB())).toEqual([]);
  });

  it.each<[string, Part['content']]>([
    ['data, which has lost repeated names', { $case: 'data', value: fresh() }],
    ['a URL', { $case: 'url', value: 'https://a.example/' }],
    ['half a surrogate pair', { $case: 'text', value: '"\ud800"' }],
    ['nothing', undefined],
  ])('refuses a part that holds %s', async (_, content) => {
    expect(await said(receivePcm({ parts: [part(content)] }, receiverB()))).toEqual(['bad-input', 'PCM_A2A_PART']);
  });
});

describe('requireActable', () => {
  const verify = (bytes: Uint8Array, { replay = true, me = true } = {}) => {
    const { trust, schemas, me: own } = receiverOf();
    const freshness = replay ? { replay: createReplay('2026-11-30T11:59:00.000000Z'), now: TS } : null;
    return verifyMessage(bytes, { trust, schemas, ...(me ? { me: own } : {}) }, freshness, nativeCrypto);
  };
  const reasonOf = (...given: Parameters<typeof verify>) => {
    try {
      return requireActable(verify(...given)).verdict;
    } catch (error) {
      return error instanceof PcmRefused ? error.findings.map(({ reason, detail }) => `${reason} ${detail}`) : error;
    }
  };

  it('returns what was checked in full', () => {
    expect(reasonOf(bytesOf(fresh()))).toBe('accept');
  });
  it.each([
    [{ replay: false }, ['PCM_NOT_CHECKED replay was not checked']],
    [{ me: false }, ['PCM_NOT_CHECKED recipient was not checked']],
    [
      { replay: false, me: false },
      ['PCM_NOT_CHECKED replay was not checked', 'PCM_NOT_CHECKED recipient was not checked'],
    ],
  ])('refuses a result for audit: %j', (skipping, told) => {
    expect(reasonOf(bytesOf(fresh()), skipping)).toEqual(told);
  });
  it('refuses bad input and a reject', () => {
    expect(reasonOf(bytesOf('{'))).toEqual([expect.stringMatching(/^PCM_READ_SYNTAX /)]);
    expect(reasonOf(bytesOf({ ...fresh(), id: '2'.repeat(32) }))).toEqual([expect.stringMatching(/^PCM_SIGNATURE /)]);
  });
});
