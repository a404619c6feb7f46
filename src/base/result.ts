import type { Reason } from './reasons.ts';

/** Where a refusal points: bytes of a file, a member of a document, or a record or edge of a bundle. */
export type Place = {
  /** The input file it stands in: `bundle`, `receipt`, `profile`, `trust`, `families`, `settings`. */
  readonly input?: string;
  /** RFC 6901 JSON pointer. */
  readonly pointer?: string;
  /** Byte offset of the offending token. */
  readonly offset?: number;
  /** Collection name, or `edges`. */
  readonly collection?: string;
  /** Record id or edge id; null where the row has none. */
  readonly id?: string | null;
};

/** A refusal of evidence is a value that names its reason and its place (a failing environment is thrown instead). */
export type Refusal = { readonly reason: Reason; readonly at: Place; readonly detail: string };

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const refused = (...refusals: readonly Refusal[]): Result<never> => ({ ok: false, refusals });
