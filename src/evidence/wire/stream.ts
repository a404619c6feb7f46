import { splitEvents } from '../../base/sse.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { bodyBytes } from '../body.ts';
import type { Body } from '../fields.ts';
import { readInvalidUtf8, readText, type Whole } from './text.ts';

/** The events of a kept `text/event-stream` body. */
export type WireStream = {
  /** Closed events within the kept bytes. */
  readonly count: number;
  /** The kept bytes are not all. */
  readonly cut: boolean;
  /** A whole stream ends in an event that no blank line closes. */
  readonly unterminated: boolean;
  /** Takes 0 ≤ index < count. */
  readonly event: (index: number) => Whole;
  /** The data text of such an event; null when its bytes are not UTF-8. */
  readonly text: (index: number) => string | null;
};

/** Splits a kept body into events (FORMAT section 3). Invalid UTF-8 spoils the event in which it stands, not the others. */
export const readStream = (body: Body): WireStream => {
  const isText = body.encoding === 'utf8';
  const { events, unterminated } = splitEvents(isText ? body.text : toUnits(bodyBytes(body)));
  const text = (index: number): string | null => {
    const { data } = events[index]!;
    return isText ? data : decodeUtf8(fromUnits(data));
  };
  return {
    count: events.length,
    cut: body.truncated !== null,
    unterminated: body.truncated === null && unterminated !== null && unterminated.data !== null,
    event: (index) => {
      const data = text(index);
      return data === null ? readInvalidUtf8(fromUnits(events[index]!.data)) : readText(data);
    },
    text,
  };
};

const CHUNK = 8192;
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

/** One UTF-16 unit per byte: the delimiters of an event stream are ASCII, so it can be split before it is decoded. */
const toUnits = (bytes: Uint8Array): string => {
  let units = '';
  for (let i = 0; i < bytes.length; i += CHUNK) units += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return units.startsWith(BYTE_ORDER_MARK) ? units.slice(BYTE_ORDER_MARK.length) : units;
};

const fromUnits = (units: string): Uint8Array => {
  const bytes = new Uint8Array(units.length);
  for (let i = 0; i < units.length; i++) bytes[i] = units.charCodeAt(i);
  return bytes;
};
