import type * as Fs from 'node:fs';
import { ClientFactory } from '@a2a-js/sdk/client';
import { afterEach, expect, test, vi } from 'vitest';
import { agent, capture, executorOf, finish, folder, userMessage } from './lab.ts';

/** Which writes fail as on a full disk, some after half a line. */
let fails: () => boolean = () => false;
afterEach(() => {
  fails = () => false;
});
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const writeSync = (file: number, bytes: Uint8Array, offset: number, length: number, position: number): number => {
    if (!fails()) return fs.writeSync(file, bytes, offset, length, position);
    fs.writeSync(file, bytes, offset, length >> 1, position);
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  };
  return { ...fs, writeSync };
});

/** A generator of its own, so that a failing run can be run again. */
const randomOf = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
};

const program = async (
  dir: string,
): Promise<{ readonly seen: unknown; readonly evidence: ReturnType<typeof finish> }> => {
  const running = capture(dir);
  const server = await agent(
    executorOf((text) => [text, '!']),
    running,
  );
  try {
    const client = await new ClientFactory(running.client({ agent: 'a' })).createFromUrl(server.origin);
    const seen: unknown[] = [];
    for await (const { payload } of client.sendMessageStream(userMessage('one https://h.test/')))
      seen.push(payload?.$case);
    const { value, exchange_ids } = await running.observe.sending(() => client.sendMessage(userMessage('two')));
    seen.push(
      'status' in value && [
        value.status?.state,
        value.artifacts.map(({ parts }) => parts.map(({ content }) => content?.value)),
      ],
    );
    running.observe.routingStep({
      exchange_id: exchange_ids[0] ?? null,
      source_agent: 'a',
      destination_agent: 'b',
      predecessor: 'root',
    });
    fails = () => false;
    return { seen, evidence: finish(running) };
  } finally {
    await server.close();
  }
};

const inFolder = async <T>(work: (path: string) => Promise<T>): Promise<T> => {
  const place = folder();
  try {
    return await work(place.path);
  } finally {
    place.remove();
  }
};

test.each(Array.from({ length: 10 }, (_, seed) => seed + 1))(
  'with a disk that is full now and then (%i) the program runs as ever, and what was written stays admissible evidence of an incomplete capture',
  async (seed) => {
    const sound = await inFolder(program);
    expect(sound.evidence.records.trace_metadata).toMatchObject([{ ended: 'complete' }]);
    const faulty = await inFolder((path) => {
      const random = randomOf(seed);
      let writes = 0;
      let failed = false;
      // The first entries must be written, or there is no capture.
      fails = () => {
        const fail = ++writes > 2 && (random() < 0.15 || (writes > 20 && !failed));
        failed ||= fail;
        return fail;
      };
      return program(path);
    });
    expect(faulty.seen).toEqual(sound.seen);
    expect(faulty.evidence.refusals).toEqual([]);
    expect(faulty.evidence.records.trace_metadata).toMatchObject([{ ended: 'incomplete' }]);
    expect(faulty.evidence.records.trace_metadata[0]!.gaps[0]!.what).toContain('ENOSPC');
  },
);

test('a capture that cannot write its first line does not start', async () => {
  await inFolder(async (path) => {
    fails = () => true;
    expect(() => capture(path)).toThrow('the disk is full');
  });
});
