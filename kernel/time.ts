// Times of FORMAT.md section 1: `YYYY-MM-DDTHH:MM:SS.mmmZ`.
import { byteAt } from './text';

const QUOTED_BYTES: u32 = 26;
/** More than any number of two digits. */
const NONE: u32 = 100;

function pair(at: u32): u32 {
  const high = byteAt(at) - 0x30;
  const low = byteAt(at + 1) - 0x30;
  return high > 9 || low > 9 ? NONE : 10 * high + low;
}

function daysOf(year: u32, month: u32): u32 {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Whether a quoted token is a time with a day that exists; the Gregorian calendar has no year 0. */
export function isTime(start: u32, end: u32): bool {
  if (end - start !== QUOTED_BYTES) return false;
  const at = start + 1;
  const century = pair(at);
  const year = pair(at + 2);
  const month = pair(at + 5);
  const day = pair(at + 8);
  if (century >= NONE || year >= NONE || century + year === 0) return false;
  if (month < 1 || month > 12 || day < 1 || day > daysOf(100 * century + year, month)) return false;
  if (pair(at + 11) > 23 || pair(at + 14) > 59 || pair(at + 17) > 59 || pair(at + 20) >= NONE) return false;
  const last = byteAt(at + 22);
  return (
    last >= 0x30 &&
    last <= 0x39 &&
    byteAt(at + 4) === 0x2d &&
    byteAt(at + 7) === 0x2d &&
    byteAt(at + 10) === 0x54 &&
    byteAt(at + 13) === 0x3a &&
    byteAt(at + 16) === 0x3a &&
    byteAt(at + 19) === 0x2e &&
    byteAt(at + 23) === 0x5a
  );
}

/** A number for a quoted time that is one: later times have larger ones. */
export function timeRank(start: u32): f64 {
  const at = start + 1;
  const day = 32 * (13 * (100 * pair(at) + pair(at + 2)) + pair(at + 5)) + pair(at + 8);
  const second = 60 * (60 * pair(at + 11) + pair(at + 14)) + pair(at + 17);
  return 1000 * (86_400 * <f64>day + <f64>second) + <f64>(10 * pair(at + 20) + byteAt(at + 22) - 0x30);
}
