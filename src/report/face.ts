import type { Crypto } from '../base/crypto.ts';
import { readDocument } from '../base/read-canonical.ts';
import type { Bundle } from '../evidence/bundle.ts';
import type { Outcome } from '../verify/outcome.ts';
import type { VerifyInput } from '../verify/verify.ts';
import type { Paint } from './layout.ts';
import type { Report } from './model.ts';

/** The files of a verification as received, and the incident it was asked about. */
export type ReportFiles = Omit<VerifyInput, 'mode' | 'otherProfile'>;

/** All that a face may tell: the normative report, and what was signed. */
export type Told = {
  readonly report: Report;
  readonly files: ReportFiles;
  /** The bundle, where it passed integrity; else null, and nothing of it may be shown as if it were evidence. */
  readonly intact: Bundle | null;
  /** Where the reader of the face finds the bundle file: a relative reference of RFC 3986. */
  readonly bundleUri: string;
  readonly crypto: Crypto;
};

/**
 * A face of a report: derived from it, adding no judgement. Returns the text in pieces, for a bundle may be longer than one string; the same
 * for the same. Only the text face asks how to colour.
 */
export type Face = (told: Told, paint: Paint) => Iterable<string>;

/** The bundle of an outcome, unless the outcome refused it; only integrity that passed has counted its records. */
export const intactOf = ({ counts }: Outcome, bundle: Uint8Array): Bundle | null => {
  if (counts === null) return null;
  const read = readDocument(bundle, { input: 'bundle', recordAttributes: true });
  if (!read.ok) throw new Error('a bundle that passed integrity is no longer read');
  return read.value.value as unknown as Bundle;
};
