import * as z from 'zod';
import { escapePointer, type Finding, finding } from './finding.ts';
import { PCM_LIMITS } from './limits.ts';
import type { PcmReason } from './reasons.ts';
import { isPcmTime } from './time.ts';
import { isPcmObject, type PcmObject, type PcmValue } from './value.ts';

export const HASH = /^sha256:[0-9a-f]{64}$/;
const INTENT = /^.{1,256}@sha256:[0-9a-f]{64}$/su;

/** `name@sha256:…` of a schema document. */
export const IntentType = z.string().regex(INTENT, 'an intent is name@sha256:<64 lower-case hex digits>');
export const Name = z.string().min(1).max(PCM_LIMITS.nameLength);
export const Time = z.custom<string>(isPcmTime, 'a time is YYYY-MM-DDTHH:MM:SS.ffffffZ');
export const Members = z.custom<PcmObject>(isPcmObject, 'an object is expected');
export const AnyValue = z.custom<PcmValue>((value) => value !== undefined, 'a value is expected');
/** Key reference and signature of a message or a grant. */
export const Signature = z.strictObject({ key: z.string(), sig: z.string() });

const isPresent = (value: unknown, path: readonly PropertyKey[]): boolean =>
  path.every((_, i) => {
    const holder = path
      .slice(0, i)
      .reduce<unknown>((node, step) => (node as Record<PropertyKey, unknown>)[step], value);
    return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, path[i]!);
  });

const toldOf = (issue: z.core.$ZodIssue, value: PcmValue): string => {
  if (issue.code === 'unrecognized_keys') return 'PCM 0.1 has no such member';
  return isPresent(value, issue.path) ? issue.message : 'the member is missing';
};

/**
 * Takes a value that was read and a strict shape; returns the first member that does not fit, or null. The shape judges only: the caller keeps the
 * value, since a parser may drop a member (`__proto__`) that was signed.
 */
export const misshapen = (shape: z.ZodType, value: PcmValue, reason: PcmReason, at = ''): Finding | null => {
  const [issue] = shape.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return null;
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path;
  const pointer = path.map((step) => `/${escapePointer(String(step))}`).join('');
  return finding(reason, `${at}${pointer}`, `${pointer === '' ? 'it' : pointer}: ${toldOf(issue, value)}`);
};
