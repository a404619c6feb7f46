import { toEpochMs } from '../base/time.ts';

const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/**
 * Takes text; returns microseconds since 1970, or null unless it is exactly `YYYY-MM-DDTHH:MM:SS.ffffffZ` with a day that exists and a second
 * 00–59. A bigint: the year 9999 is past 2^53 microseconds.
 */
export const microsOf = (text: string): bigint | null => {
  if (!FORM.test(text)) return null;
  const ms = toEpochMs(`${text.slice(0, 23)}Z`);
  return ms === null ? null : BigInt(ms) * 1000n + BigInt(text.slice(23, 26));
};

/** True for a time of PCM. Two of them compare as text, since the form has one width. */
export const isPcmTime = (value: unknown): value is string => typeof value === 'string' && microsOf(value) !== null;

/** Takes milliseconds since 1970, as a clock gives them; returns the time of PCM. */
export const pcmTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}000Z`;

/** Takes times of records (at least one) and the time of the message that they are evidence in; returns the seconds from the oldest to it. */
export const ageInSeconds = (times: readonly string[], ts: string): number =>
  Number(microsOf(ts)! - microsOf([...times].sort()[0]!)!) / 1e6;
