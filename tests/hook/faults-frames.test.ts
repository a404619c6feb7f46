import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Damage, FRAME_HEAD, FrameReader, framesOf, WRITER_BYTES } from '../../src/capture/channel/frame.ts';

const LIMIT = 512;
const NOTHING = new Uint8Array();

type Sent = { readonly by: number; readonly head: string; readonly body: Uint8Array };
const writerOf = (by: number): Buffer => Buffer.alloc(WRITER_BYTES, by + 1);

/** The frames of each message, in the order in which its writer sends them. */
const framed = (messages: readonly Sent[]): readonly (readonly [by: number, frames: readonly Buffer[]])[] => {
  const next = new Map<number, number>();
  return messages.map(({ by, head, body }) => {
    const first = next.get(by) ?? 0;
    const frames = [...framesOf(writerOf(by), first, head, body, LIMIT)];
    next.set(by, first + frames.length);
    return [by, frames];
  });
};

const read = (chunks: Iterable<Buffer>) => {
  const [messages, damages]: [string[], Damage[]] = [[], []];
  const reader = new FrameReader(
    ({ writer, head, body }) => messages.push(`${writer} ${head} ${body.toString('hex')}`),
    (damage) => damages.push(damage),
  );
  for (const chunk of chunks) reader.push(chunk);
  return { messages, damages };
};
const told = ({ by, head, body }: Sent): string =>
  `${writerOf(by).toString('hex')} ${head} ${Buffer.from(body).toString('hex')}`;

const Messages = fc.array(
  fc.record({ by: fc.nat(3), head: fc.string({ maxLength: 40 }), body: fc.uint8Array({ maxLength: 2_000 }) }),
  { minLength: 1, maxLength: 12 },
);
const cut = (bytes: Buffer, sizes: readonly number[]): Buffer[] => {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
};
const Sizes = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 5 });

test('messages of several writers are put together, however their frames are mixed and the stream is cut', () => {
  fc.assert(
    fc.property(Messages, Sizes, fc.infiniteStream(fc.nat()), (messages, sizes, picks) => {
      const queues = new Map<number, Buffer[]>();
      for (const [by, frames] of framed(messages)) queues.set(by, [...(queues.get(by) ?? []), ...frames]);
      const mixed: Buffer[] = [];
      while (queues.size > 0) {
        const left = [...queues];
        const [by, frames] = left[picks.next().value % left.length]!;
        mixed.push(frames.shift()!);
        if (frames.length === 0) queues.delete(by);
      }
      const { messages: got, damages } = read(cut(Buffer.concat(mixed), sizes));
      expect(damages).toEqual([]);
      for (const by of [0, 1, 2, 3]) {
        const ofWriter = (line: string) => line.startsWith(writerOf(by).toString('hex'));
        expect(got.filter(ofWriter)).toEqual(messages.map(told).filter(ofWriter));
      }
    }),
    { numRuns: 60 },
  );
});

test('behind bytes that are no frame the others are read on, and the damage is told', () => {
  const Garbage = fc.uint8Array({ minLength: 1, maxLength: 3_000 });
  fc.assert(
    fc.property(Messages, Garbage, Messages, Sizes, (before, garbage, after, sizes) => {
      const all = framed([...before, ...after]).map(([, frames]) => Buffer.concat(frames));
      // Garbage that looks like the head of a frame swallows one frame at most: what comes after that is whole again.
      const bridge = Array.from({ length: 12 }, (_, at) =>
        Buffer.concat([...framesOf(Buffer.alloc(WRITER_BYTES, 99), at, 'bridge', new Uint8Array(480), LIMIT)]),
      );
      const stream = [...all.slice(0, before.length), Buffer.from(garbage), ...bridge, ...all.slice(before.length)];
      const { messages, damages } = read(cut(Buffer.concat(stream), sizes));
      expect(messages.filter((line) => !line.includes(' bridge '))).toEqual([...before, ...after].map(told));
      expect(damages.length).toBeGreaterThan(0);
    }),
    { numRuns: 60 },
  );
});

test('a frame that is missing costs its message and is told; later messages come whole', () => {
  fc.assert(
    fc.property(Messages, fc.nat(), (messages, pick) => {
      const sent = framed(messages.map((message) => ({ ...message, by: 0 })));
      const frames = sent.flatMap(([, own], at) => own.map((frame) => ({ frame, at })));
      const lost = frames[pick % frames.length]!;
      const { messages: got, damages } = read(frames.filter((each) => each !== lost).map(({ frame }) => frame));
      const isLast = frames.indexOf(lost) === frames.length - 1;
      expect(damages.length).toBe(isLast ? 0 : 1);
      const whole = messages.map((message) => told({ ...message, by: 0 }));
      // The message after a lost end cannot be told from its rest.
      expect(got.slice(0, lost.at)).toEqual(whole.slice(0, lost.at));
      const after = whole.slice(lost.at + 2);
      expect(got.slice(got.length - after.length)).toEqual(after);
    }),
    { numRuns: 60 },
  );
});

const more = (writer: Buffer, number: number, body: Uint8Array): Buffer => {
  const [frame] = framesOf(writer, number, '', body, FRAME_HEAD + 4 + body.length);
  // Of kind MORE: the message goes on.
  frame![1] = 0;
  return frame!;
};

test('unfinished messages are held up to a bound, oldest dropped first', () => {
  const piece = new Uint8Array(4_000);
  const writers = Array.from({ length: 12 }, (_, at) => writerOf(at));
  function* stream(): Generator<Buffer> {
    for (const writer of writers) for (let number = 0; number < 1_000; number++) yield more(writer, number, piece);
    for (const writer of writers) {
      const [last] = framesOf(writer, 1_000, '', NOTHING, LIMIT);
      yield last!;
    }
  }
  const { messages, damages } = read(stream());
  expect(damages.map(({ writer }) => writer)).toEqual(writers.slice(0, 4).map((writer) => writer.toString('hex')));
  expect(messages.length).toBe(8);
});

test('a message of endless empty pieces is dropped', () => {
  function* stream(): Generator<Buffer> {
    for (let number = 0; number < 66_000; number++) yield more(writerOf(1), number, NOTHING);
  }
  expect(read(stream())).toEqual({
    messages: [],
    damages: [{ writer: writerOf(1).toString('hex'), what: 'an observation was too long' }],
  });
});

test('more writers than a program has threads are not remembered', () => {
  function* stream(): Generator<Buffer> {
    for (let at = 0; at < 65_536 + 3; at++) {
      const writer = Buffer.alloc(WRITER_BYTES);
      writer.writeUInt32BE(at);
      yield* framesOf(writer, 0, 'x', NOTHING, LIMIT);
    }
  }
  const { messages, damages } = read(stream());
  expect([messages.length, damages.length]).toEqual([65_536, 3]);
});
