import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { encodeUtf8 } from '../../../src/base/utf8.ts';
import { describeWithPython, PYTHON } from '../../interop/support/python.ts';
import { canonicalOf, type Members } from '../../pcm/lab.ts';
import { newFolder } from './lab.ts';
import { hashOf, opened, proves, trustOf, vkey } from './reading.ts';
import { fill, ORIGIN, open } from './signer.ts';

type Answer = {
  readonly read: readonly [string, number];
  readonly refused: readonly number[];
  readonly vkey: string;
  readonly checkpoint: string;
  readonly events: readonly Members[];
  readonly proofs: readonly (readonly string[])[];
};

const SIZE = 300;
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Shows our log to Tracekit; returns what it made of it, and the log of its own signer. */
const ask = async (spoil: (proofs: string[][]) => void): Promise<Answer> => {
  const log = await open(newFolder());
  await fill(log, SIZE);
  const indices = Array.from({ length: SIZE }, (_, index) => index);
  const records = indices.map((index) => Buffer.from(hashOf(log.record(index))).toString('hex'));
  const proofs = indices.map((index) => log.proof(index).map(base64));
  spoil(proofs);
  const input = JSON.stringify({ vkey, checkpoint: log.checkpoint(), records, proofs });
  await log.close();
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-B', 'tests/attest/log/tracekit_peer.py'], {
    input,
    encoding: 'utf8',
  });
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

describeWithPython('Tracekit 1.4.2', () => {
  it("reads our checkpoint and every proof, and we read its signer's", async () => {
    const answer = await ask(([first]) => {
      [first![0], first![1]] = [first![1]!, first![0]!];
    });
    expect(answer.read).toEqual([ORIGIN, SIZE]);
    expect(answer.refused).toEqual([0]);
    const checkpoint = opened(answer.checkpoint, trustOf(answer.vkey));
    expect(checkpoint).toMatchObject({ origin: 'example.com/tracekit', size: BigInt(answer.events.length) });
    expect(answer.events.length).toBeGreaterThan(40);
    const wrong = answer.events.filter(
      (event, index) =>
        event.seq !== index ||
        !proves(
          encodeUtf8(canonicalOf(event)),
          index,
          answer.proofs[index]!.map((hash) => Buffer.from(hash, 'base64')),
          checkpoint,
        ),
    );
    expect(wrong).toEqual([]);
  });
});
