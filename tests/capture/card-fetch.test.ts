import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Capture } from '../../src/capture/index.ts';
import type { Records } from '../../src/evidence/bundle.ts';
import { capture, finish, folder } from './lab.ts';

let place: ReturnType<typeof folder>;
beforeEach(() => {
  place = folder();
});
afterEach(() => place.remove());

const BASE = 'http://planner.test/?token=abcdefgh';
const resolve = (running: Capture, answer: () => Promise<Response>): Promise<unknown> =>
  running.client({ agent: null, fetch: answer }).cardResolver.resolve(BASE, BASE);

const captured = async (answer: () => Promise<Response>): Promise<Records> => {
  const running = capture(place.path);
  await expect(resolve(running, answer)).rejects.toThrow();
  const { refusals, records } = finish(running);
  expect(refusals).toEqual([]);
  expect(JSON.stringify(records)).not.toContain('abcdefgh');
  return records;
};
const whatOf = ({ trace_metadata: [trace] }: Records): readonly string[] => trace!.gaps.map(({ what }) => what);
const NAME = 'card fetch 1 of http://planner.test/?token=REDACTED';

const cut = (): Response =>
  new Response(
    new ReadableStream({
      pull: (controller) => {
        controller.enqueue(Buffer.from('{"na'));
        controller.error(new Error('cut'));
      },
    }),
  );

describe('an agent card that did not come', () => {
  test('for want of a connection is a gap', async () => {
    const records = await captured(() => Promise.reject(new TypeError('fetch failed')));
    expect(whatOf(records)).toEqual([`${NAME} failed (reset): no card was recorded`]);
    expect(records.candidate_cards).toEqual([]);
  });

  test('to its end is a gap', async () => {
    expect(whatOf(await captured(async () => cut()))).toEqual([`${NAME} ended reset: no card was recorded`]);
  });

  test('before the capture ended is a gap', async () => {
    const running = capture(place.path);
    void resolve(running, () => new Promise(() => undefined));
    expect(whatOf(finish(running).records)).toEqual([`${NAME} was still open when the capture ended`]);
  });

  test('because it was denied is none, though nobody read the answer; that the capture does not see it is stated', async () => {
    const records = await captured(async () => new Response('no', { status: 404 }));
    expect(whatOf(records)).toEqual([]);
    expect(records.trace_metadata[0]!.coverage_notes.join()).toContain('failed request');
  });
});
