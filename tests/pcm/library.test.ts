import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  createReplay,
  nativeCrypto,
  pcmLine,
  pcmTime,
  readPcmSchema,
  readPcmTrust,
  verifyMessage,
} from '../../src/index.ts';

const bytes = (name: string): Uint8Array => readFileSync(`docs/examples/pcm/${name}.json`);

it('a receiver verifies a message with what the library exports, once', () => {
  const trust = readPcmTrust(bytes('trust'), nativeCrypto);
  const schema = readPcmSchema(bytes('refund.request'), nativeCrypto);
  if (!trust.ok || !schema.ok) throw new Error('the documents of the example are refused');
  const receiver = { trust: trust.value, schemas: [schema.value], me: 'uid:990102' };
  const now = pcmTime(Date.UTC(2026, 10, 30, 1, 44, 26));
  const freshness = { replay: createReplay(pcmTime(Date.UTC(2026, 10, 30, 1, 40))), now };
  const [first, second] = [0, 1].map(() => verifyMessage(bytes('message'), receiver, freshness, nativeCrypto));
  expect(first).toMatchObject({ verdict: 'accept', skipped: [], grants: { root: { person: 'alice' } } });
  expect(pcmLine(second!)).toMatch(/^REJECT {2}replay: this message was already received · /);
});
