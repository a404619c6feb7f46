import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitEvents } from '../../src/base/sse.ts';
import { BodyRecorder, type StreamPiece } from '../../src/capture/body-recorder.ts';
import { EventSplitter } from '../../src/capture/event-splitter.ts';
import { Redactor } from '../../src/capture/redact.ts';
import { bodyBytes, checkBody } from '../../src/evidence/body.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';

const recorder = (isStream: boolean, limit = 1_000_000, secrets: readonly string[] = []) =>
  new BodyRecorder({ limit, crypto: nativeCrypto, redactor: new Redactor(() => undefined, secrets) }, isStream);

/** A text and the places where it comes in chunks. */
const chunked = (unit: string[], maxLength: number) =>
  fc
    .tuple(fc.string({ unit: fc.constantFrom(...unit), maxLength }), fc.array(fc.nat(maxLength), { maxLength: 6 }))
    .map(([text, cuts]) => {
      const bytes = Buffer.from(text);
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
      return { text, chunks: at.slice(1).map((end, index) => bytes.subarray(at[index], end)) };
    });

const stream = chunked(['data: ', 'event: e', ': c', 'a', '€', '\n', '\r', '\n\n', '\r\n', '\ufeff'], 30);

describe('an event stream in chunks', () => {
  test('every stream of up to four line ends and letters, cut anywhere, gives the events of the whole', () => {
    const units = ['\n', '\r', 'data:x', ':'];
    const texts = [0, 1, 2, 3].reduce<string[][]>(
      (levels) => [...levels, (levels.at(-1) ?? ['']).flatMap((text) => units.map((unit) => text + unit))],
      [['']],
    );
    for (const text of texts.flat()) {
      const bytes = Buffer.from(text);
      for (let cut = 0; cut <= bytes.length; cut++) {
        const splitter = new EventSplitter();
        const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((chunk) => splitter.push(chunk));
        const rest = splitter.rest();
        expect(Buffer.concat([...pieces, rest]).toString()).toBe(text);
        const events = pieces.flatMap((piece) =>
          splitEvents(Buffer.from(piece).toString()).events.map(({ data }) => data),
        );
        const whole = splitEvents(text);
        expect(events).toEqual(whole.events.map(({ data }) => data));
        expect(splitEvents(Buffer.from(rest).toString()).unterminated?.data ?? null).toBe(
          whole.unterminated?.data ?? null,
        );
      }
    }
  });

  test('is kept byte for byte, its events counted and their data read as of the whole', () => {
    fc.assert(
      fc.property(stream, ({ text, chunks }) => {
        const body = recorder(true);
        const pieces = chunks.flatMap((chunk) => body.push(chunk));
        const { body: kept, tail } = body.end();
        const whole = splitEvents(text);
        expect(kept.text).toBe(text);
        expect(checkBody(kept, nativeCrypto)).toBeNull();
        expect(pieces.flatMap(({ event }) => (event ? [event] : []))).toEqual(
          whole.events.map(({ data }, index) => ({ index, data })),
        );
        expect(pieces.map(({ segment }) => segment?.text).join('') + (tail ?? '')).toBe(
          tail === null ? text.slice(0, pieces.map(({ segment }) => segment?.text).join('').length) : text,
        );
        expect(tail !== null).toBe(whole.unterminated !== null);
      }),
      { numRuns: 2_000 },
    );
  });

  test('over the limit: full size and digest, kept bytes a beginning, and held is said of exactly the events within', () => {
    fc.assert(
      fc.property(stream, fc.nat(40), ({ text, chunks }, limit) => {
        const body = recorder(true, limit);
        const pieces: StreamPiece[] = chunks.flatMap((chunk) => body.push(chunk));
        const { body: kept } = body.end();
        const bytes = Buffer.from(text);
        expect(kept.size).toBe(bytes.length);
        expect(kept.sha256).toBe(nativeCrypto.sha256Hex(bytes));
        expect(checkBody(kept, nativeCrypto)).toBeNull();
        expect(bytes.subarray(0, bodyBytes(kept).length).equals(bodyBytes(kept))).toBe(true);
        const held = pieces.filter(({ event, held: isHeld }) => event && isHeld).length;
        const within = splitEvents(kept.text).events.length;
        // Cut between the CR and the LF that close it, an event is there, and nevertheless carries its own text.
        if (kept.text.endsWith('\r')) expect([within, within - 1]).toContain(held);
        else expect(held).toBe(within);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a secret in an event is replaced wherever the chunks cut it, on one data line or over several', () => {
    const secret = 'top-secret-value';
    const text = `data: {"text":"${secret}"}\r\n\r\ndata: {"pushNotificationConfig":\ndata:  {"token":\ndata: "abc"}}\n\ndata: ${secret}`;
    const redacted =
      'data: {"text":"REDACTED"}\r\n\r\ndata: {"pushNotificationConfig":\ndata:  {"token":\ndata: "REDACTED"}}\n\ndata: REDACTED';
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const body = recorder(true, 1_000, [secret]);
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((chunk) => body.push(chunk));
      expect(body.end().body.text).toBe(redacted);
      expect(pieces.map(({ event }) => event?.data)).toEqual(splitEvents(redacted).events.map(({ data }) => data));
    }
  });
});

test('any other body is kept as it is, whatever the chunks, cut at the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 6 }), fc.nat(60), (chunks, limit) => {
      const body = recorder(false, limit);
      for (const chunk of chunks) expect(body.push(chunk)).toEqual([]);
      const { body: kept } = body.end();
      const bytes = Buffer.concat(chunks);
      expect(kept.size).toBe(bytes.length);
      expect(kept.sha256).toBe(nativeCrypto.sha256Hex(bytes));
      expect(checkBody(kept, nativeCrypto)).toBeNull();
      expect(bytes.subarray(0, bodyBytes(kept).length).equals(bodyBytes(kept))).toBe(true);
    }),
  );
});

test('a chunk whose memory is used again does not change the evidence', () => {
  for (const isStream of [true, false]) {
    const body = recorder(isStream);
    const chunk = Buffer.from('data: abc');
    body.push(chunk);
    chunk.fill(0x78);
    expect(body.end().body.text).toBe('data: abc');
  }
});
