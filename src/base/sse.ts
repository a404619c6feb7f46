/** Where a `data` value stands in the text, in UTF-16 positions; `data` is these slices joined by LF. */
export type DataSlice = { readonly start: number; readonly end: number };

/** `start` is the first character of the block, `end` is after the blank line that closes it (or the end of the text). */
export type ServerSentEvent = {
  readonly data: string;
  readonly event: string | null;
  readonly start: number;
  readonly end: number;
  readonly slices: readonly DataSlice[];
};

/** The block that the text ends in before a blank line closes it; `data` is null when it has no data line. */
export type UnterminatedEvent = Omit<ServerSentEvent, 'data'> & { readonly data: string | null };

export type EventStream = {
  readonly events: readonly ServerSentEvent[];
  readonly unterminated: UnterminatedEvent | null;
};

type Block = { readonly start: number; event: string | null; readonly slices: DataSlice[] };

const LINE_END = /\r\n|\n|\r/g;

/**
 * Takes the text of a `text/event-stream` body; returns its events in order (WHATWG HTML section 9.2.6, FORMAT section 3). Lines end at CRLF, LF or
 * CR alone, a leading byte-order mark is skipped, a block without a data line is no event.
 */
export const splitEvents = (text: string): EventStream => {
  const events: ServerSentEvent[] = [];
  const lineEnd = new RegExp(LINE_END);
  let block: Block | null = null;
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (start < text.length) {
    lineEnd.lastIndex = start;
    const mark = lineEnd.exec(text);
    const end = mark === null ? text.length : mark.index;
    const next = mark === null ? text.length : end + mark[0].length;
    if (end > start) {
      block ??= { start, event: null, slices: [] };
      readLine(text, start, end, block);
    } else if (block !== null) {
      const { data, ...rest } = closed(text, block, next);
      if (data !== null) events.push({ data, ...rest });
      block = null;
    }
    start = next;
  }
  return { events, unterminated: block === null ? null : closed(text, block, text.length) };
};

const readLine = (text: string, start: number, end: number, block: Block): void => {
  const line = text.slice(start, end);
  const colon = line.indexOf(':');
  const field = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? end : start + colon + (line[colon + 1] === ' ' ? 2 : 1);
  if (field === 'data') block.slices.push({ start: value, end });
  if (field === 'event') block.event = text.slice(value, end);
};

const closed = (text: string, { start, event, slices }: Block, end: number): UnterminatedEvent => ({
  data: slices.length === 0 ? null : slices.map((slice) => text.slice(slice.start, slice.end)).join('\n'),
  event,
  start,
  end,
  slices,
});
