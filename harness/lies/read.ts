import type * as z from 'zod';
import { EnvironmentFault, readInput } from '../../src/index.ts';

/** Deeper than any line that was made, or (some are deep to be refused) any message: far from where recursion ends. */
const MAX_DEPTH = 64;
const MAX_MESSAGE_DEPTH = 1000;
const MAX_TOLD = 200;

const isWithin = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((member) => isWithin(member, depth - 1)));

/** True for the text of a message that every receiver can read, and for one that is no JSON, which none of them does. */
export const isReadable = (text: string): boolean => {
  try {
    return isWithin(JSON.parse(text), MAX_MESSAGE_DEPTH);
  } catch {
    return true;
  }
};

const parsed = (text: string, at: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new EnvironmentFault(`${at} is no JSON`);
  }
};

/** Takes a JSON text and its shape; returns its value. Throws EnvironmentFault, which says `at` and what is wrong with it. */
export const valueIn = <T>(text: string, shape: z.ZodType, at: string): T => {
  const value = parsed(text, at);
  if (!isWithin(value, MAX_DEPTH)) throw new EnvironmentFault(`${at} is nested deeper than ${MAX_DEPTH}`);
  const { error } = shape.safeParse(value);
  if (error === undefined) return value as T;
  const [{ path, message }] = error.issues as [z.core.$ZodIssue];
  throw new EnvironmentFault(`${at}: /${path.map(String).join('/')}: ${message}`.slice(0, MAX_TOLD));
};

/** As valueIn, of a text that has a value a line. */
export const valuesIn = <T>(text: string, shape: z.ZodType, at: string): readonly T[] =>
  text.split('\n').flatMap((line, i) => (line === '' ? [] : [valueIn<T>(line, shape, `${at} line ${i + 1}`)]));

/** The text of a file. Throws EnvironmentFault, of one that is no UTF-8 too. */
export const textIn = (file: string, what: string): string => {
  const bytes = readInput(file, what);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EnvironmentFault(`the ${what} ${file} is not UTF-8`);
  }
};
