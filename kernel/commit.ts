// The messages that rows are committed by (FORMAT.md sections 4 and 5), made of rows that stand in memory.

function put(from: u32, length: u32, out: u32): u32 {
  memory.copy(out, from, length);
  return out + length;
}

/** Writes a row behind a comma: S(list) piece by piece. Returns the position after it. */
export function joined(row: u32, length: u32, out: u32): u32 {
  store<u8>(out, 0x2c);
  return put(row, length, out + 1);
}

/** Writes an envelope: `begin`, one text, `between`, another, `last`. Returns the position after it. */
export function envelope(
  begin: u32,
  beginLength: u32,
  one: u32,
  oneLength: u32,
  between: u32,
  betweenLength: u32,
  other: u32,
  otherLength: u32,
  last: u32,
  lastLength: u32,
  out: u32,
): u32 {
  let to = put(begin, beginLength, out);
  to = put(one, oneLength, to);
  to = put(between, betweenLength, to);
  to = put(other, otherLength, to);
  return put(last, lastLength, to);
}
