import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { ANSWERS, type Answer, answerOf, bodyOf, type Peer, startPeer } from './peers.ts';
import { type Captured, type Lab, openLab } from './support.ts';
import { twice } from './twice.ts';

const READERS = 'tests/hook/programs/readers.mjs';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});

const openPeer = async (): Promise<Peer> => {
  const peer = await startPeer();
  onTestFinished(() => peer.close());
  return peer;
};

/** The exchanges of a capture by manner and answer, which their paths name. */
const exchangesOf = ({ records }: Captured): Readonly<Record<string, Captured['records']['exchanges'][number]>> =>
  Object.fromEntries(
    records.exchanges.map((row) => [decodeURIComponent(row.url.split('/').slice(-2).join(': ')), row]),
  );

const asRecorded = ({ ended, status, response_body }: Captured['records']['exchanges'][number]) => ({
  ended,
  status,
  ...(response_body !== null && { size: response_body.size, sha256: response_body.sha256 }),
});
const asSent = (answer: Answer) => {
  const { ended, status = 200 } = answer;
  const body = bodyOf(answer);
  return { ended, status, ...(status !== null && { size: body.length, sha256: nativeCrypto.sha256Hex(body) }) };
};

test('what is read to its end is recorded as it was sent, in whatever manner it is read', async () => {
  const peer = await openPeer();
  const captured = await twice(lab, 'reading', [READERS, peer.origin, Object.keys(ANSWERS).join(), 'all'], { peer });
  const exchanges = exchangesOf(captured);
  expect(Object.keys(exchanges).sort()).toEqual(Object.keys(captured.transcript).sort());
  const different = Object.entries(exchanges).flatMap(([name, row]) => {
    const [seen, sent] = [asRecorded(row), asSent(answerOf(name.split(': ')[1]!))];
    return isDeepStrictEqual(seen, sent) ? [] : [{ name, seen, sent }];
  });
  expect(different).toEqual([]);
});
