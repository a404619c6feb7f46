/**
 * Takes text; returns milliseconds since 1970-01-01T00:00:00.000Z, or null unless the text is exactly `YYYY-MM-DDTHH:MM:SS.mmmZ` with
 * a day that exists in the Gregorian calendar and a second 00–59 (FORMAT section 1; a leap second is written :59.999).
 */
export const toEpochMs = (text: string): number | null => {
  // Twenty-four characters exclude the six-digit years that toISOString also prints.
  // The Gregorian calendar has no year 0, and half of the date libraries refuse it.
  if (text.length !== 24 || text.startsWith('0000')) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) || new Date(ms).toISOString() !== text ? null : ms;
};

/** True for a timestamp of FORMAT section 1. */
export const isTimestamp = (text: string): boolean => toEpochMs(text) !== null;
