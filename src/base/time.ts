const MS_PER_DAY = 86_400_000;
/** Days from 0000-03-01 to 1970-01-01 in the proleptic Gregorian calendar. */
const DAYS_TO_1970 = 719_468;
const FORM = 'dddd-dd-ddTdd:dd:dd.dddZ';
const DIGIT = 'd'.charCodeAt(0);
const ZERO = 0x30;

const hasForm = (text: string): boolean => {
  if (text.length !== FORM.length) return false;
  for (let at = 0; at < FORM.length; at++) {
    const unit = text.charCodeAt(at);
    const expected = FORM.charCodeAt(at);
    if (expected === DIGIT ? unit < ZERO || unit > ZERO + 9 : unit !== expected) return false;
  }
  return true;
};

const numberAt = (text: string, from: number, to: number): number => {
  let value = 0;
  for (let at = from; at < to; at++) value = 10 * value + text.charCodeAt(at) - ZERO;
  return value;
};

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const daysOf = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (DAYS_OF_MONTHS[month - 1] ?? 0);

/** Counted from 1970-01-01. A year from March to February has its leap day at its end, and 153 days in each five months. */
const dayNumber = (year: number, month: number, day: number): number => {
  const marchYear = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return 365 * marchYear + leapDays + dayOfYear - DAYS_TO_1970;
};

/**
 * Takes text; returns milliseconds since 1970-01-01T00:00:00.000Z, or null unless the text is exactly `YYYY-MM-DDTHH:MM:SS.mmmZ` with
 * a day that exists in the Gregorian calendar and a second 00–59 (FORMAT section 1; a leap second is written :59.999).
 */
export const toEpochMs = (text: string): number | null => {
  if (!hasForm(text)) return null;
  const [year, month, day] = [numberAt(text, 0, 4), numberAt(text, 5, 7), numberAt(text, 8, 10)];
  const [hour, minute, second] = [numberAt(text, 11, 13), numberAt(text, 14, 16), numberAt(text, 17, 19)];
  // The Gregorian calendar has no year 0, and half of the date libraries refuse it.
  if (year === 0 || day === 0 || day > daysOf(year, month) || hour > 23 || minute > 59 || second > 59) return null;
  const inDay = 3_600_000 * hour + 60_000 * minute + 1000 * second + numberAt(text, 20, 23);
  return MS_PER_DAY * dayNumber(year, month, day) + inDay;
};

/** True for a timestamp of FORMAT section 1. */
export const isTimestamp = (text: string): boolean => toEpochMs(text) !== null;
