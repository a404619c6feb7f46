import { neutraliseJson } from '../base/terminal.ts';

/** A value as the JSON that every face and command writes: two spaces' indent, a line feed at the end, fit for a terminal. */
export const jsonText = (value: unknown): string => `${neutraliseJson(JSON.stringify(value, null, 2))}\n`;

/** The same on one line, without a line feed at the end. */
export const jsonLine = (value: unknown): string => neutraliseJson(JSON.stringify(value));
