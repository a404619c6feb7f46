import type * as z from 'zod';
import { escapePointer } from '../pcm/finding.ts';
import type { PcmObject } from '../pcm/value.ts';
import { invalid } from './refused.ts';

export type ShapeFault = { readonly at: string; readonly detail: string };

/** Takes a strict shape and a value; returns the first member that does not fit (RFC 6901 pointer), or null. */
export const shapeFault = (shape: z.ZodType, value: unknown): ShapeFault | null => {
  const [issue] = shape.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return null;
  const unknown = issue.code === 'unrecognized_keys';
  const path = unknown ? [...issue.path, issue.keys[0]!] : issue.path;
  return {
    at: path.map((step) => `/${escapePointer(String(step))}`).join(''),
    detail: unknown ? 'there is no such member' : issue.message,
  };
};

/**
 * Takes the params of a call; returns them as the shape says, or refuses the call. The shape judges only: what it would return has lost members such
 * as `__proto__`, which args may hold.
 */
export const paramsOf = <T extends z.ZodType>(shape: T, params: PcmObject): z.infer<T> => {
  const fault = shapeFault(shape, params);
  if (fault === null) return params as z.infer<T>;
  throw invalid(`${fault.at === '' ? 'params' : fault.at}: ${fault.detail}`);
};
