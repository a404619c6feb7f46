import type { PcmReason } from './reasons.ts';

/** What a check found against a message or a document: the reason, where (RFC 6901 pointer), and the detail for people. */
export type Finding = { readonly reason: PcmReason; readonly at: string; readonly detail: string };

export const finding = (reason: PcmReason, at: string, detail: string): Finding => ({ reason, at, detail });

/** A value that was read, or what refuses it; never thrown. */
export type PcmResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly findings: readonly [Finding, ...Finding[]] };

export const accepted = <T>(value: T): PcmResult<T> => ({ ok: true, value });
export const refusedBy = (...findings: readonly [Finding, ...Finding[]]): PcmResult<never> => ({ ok: false, findings });

/** A member name as a step of an RFC 6901 pointer. */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
