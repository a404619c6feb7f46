import type { Crypto } from '../base/crypto.ts';
import { isObject, type JsonObject } from '../base/json-value.ts';
import type { Place, Refusal, Result } from '../base/result.ts';
import { ok, refused } from '../base/result.ts';
import { BUNDLE_MEMBERS, PROFILE_VERSION } from '../evidence/bundle.ts';
import { type Commitment, commitBundle, LISTS } from '../seal/commitments.ts';
import { commitmentsDigest } from '../seal/digests.ts';
import { merkleRoot } from '../seal/merkle.ts';
import type { Receipt } from '../seal/receipt.ts';
import { listRefusals } from './integrity-list.ts';
import { localise } from './integrity-localise.ts';
import type { Parsed } from './parse.ts';
import { Refusals } from './refusals.ts';

/**
 * Step commitments: capture digest, count, root and the list of commitments, with the changed records and edges named,
 * and the incident, profile and capture backend of TraceMetadata (FORMAT.md sections 5, 6 and 8a). Needs no good shape.
 */
export const checkCommitments = (
  { bundle, texts }: Pick<Parsed, 'bundle' | 'texts'>,
  receipt: Receipt,
  crypto: Crypto,
): Result<null> => {
  const refusals = new Refusals();
  const { commitments, captureDigest } = commitBundle(bundle, crypto, texts);
  const { body } = receipt;
  const root = merkleRoot(
    commitments.map(({ h }) => h),
    crypto,
  );
  const sameCapture = captureDigest === body.capture_digest;
  const sameCount = commitments.length === body.commitment_count;
  const sameRoot = root === body.incident_root;
  const isWhole = sameCapture && sameCount && sameRoot && isListed(commitments, receipt, crypto);
  const list = isWhole ? [] : listRefusals(receipt, crypto);
  const localisable = receipt.commitments !== undefined && list.length === 0;
  const named = localisable && !isWhole ? localise(commitments, receipt.commitments) : [];

  // What explains most comes first: files that do not belong together, then the rows, then the digests these move.
  for (const refusal of [...metadataRefusals(bundle, receipt), ...list, ...named]) refusals.add(refusal);
  if (!sameCapture) {
    const blind = localisable ? '' : `; ${whyBlind(receipt)}, so the change cannot be localised`;
    const detail = `signed ${body.capture_digest}, computed ${captureDigest}${blind}`;
    refusals.add({ reason: 'CAPTURE_DIGEST_MISMATCH', at: { input: 'bundle', pointer: '' }, detail });
    if (sameCount && sameRoot) refusals.add(outsideRecords(bundle));
  }
  if (!sameCount) {
    const detail = `signed ${body.commitment_count}, the bundle has ${commitments.length}`;
    refusals.add({ reason: 'COMMITMENT_COUNT_MISMATCH', at: inBody('commitment_count'), detail });
  }
  if (!sameRoot) {
    const detail = `signed ${body.incident_root}, computed ${root ?? 'none: there is nothing to commit'}`;
    refusals.add({ reason: 'INCIDENT_ROOT_MISMATCH', at: inBody('incident_root'), detail });
  }
  const all = refusals.all();
  return all.length > 0 ? refused(...all) : ok(null);
};

/** The signed list is what the bundle commits to, entry by entry, each once: then it has nothing to be refused for, and nothing to name. */
const isListed = (computed: readonly Commitment[], { body, commitments }: Receipt, crypto: Crypto): boolean =>
  commitments !== undefined &&
  commitments.length === computed.length &&
  computed.every(({ c, i, h }, at) => {
    const listed = commitments[at]!;
    const before = computed[at - 1];
    const isSecond = before !== undefined && before.c === c && before.i === i;
    return listed.h === h && listed.i === i && listed.c === c && !isSecond;
  }) &&
  commitmentsDigest(computed, crypto) === body.commitments_digest;

const inBody = (member: string): Place => ({ input: 'receipt', pointer: `/body/${member}` });

const whyBlind = ({ commitments }: Receipt): string =>
  commitments === undefined ? 'the receipt lists no commitments' : 'the list of commitments is not the signed one';

/** FORMAT.md section 8a: count and root agree, the capture digest does not. */
const outsideRecords = (bundle: JsonObject): Refusal => {
  const names = Object.keys(bundle);
  const exact = names.length === BUNDLE_MEMBERS.length && BUNDLE_MEMBERS.every((name) => Object.hasOwn(bundle, name));
  const lists = LISTS.every((name) => Array.isArray(bundle[name]));
  return exact && lists && bundle.profile_version === PROFILE_VERSION
    ? {
        reason: 'REORDERED',
        at: { input: 'bundle', pointer: '' },
        detail: 'reordered: the records and edges are those that were signed, in another stored order',
      }
    : {
        reason: 'ALTERED_OUTSIDE_RECORDS',
        at: { input: 'bundle', pointer: '' },
        detail: 'altered-outside-records: the records and edges are those that were signed, another member is not',
      };
};

const METADATA_REASONS = {
  incident_id: 'INCIDENT_MISMATCH',
  profile_id: 'PROFILE_MISMATCH',
  capture_backend: 'CAPTURE_BACKEND_MISMATCH',
} as const;

const metadataRefusals = (bundle: JsonObject, { body }: Receipt): readonly Refusal[] => {
  const metadata = Array.isArray(bundle.trace_metadata) ? bundle.trace_metadata[0] : undefined;
  return (['incident_id', 'profile_id', 'capture_backend'] as const).flatMap((member) => {
    const stated = isObject(metadata) ? metadata[member] : undefined;
    if (stated === body[member]) return [];
    const bundleSays = typeof stated === 'string' ? `the bundle is of ${stated}` : 'the bundle does not say';
    return [{ reason: METADATA_REASONS[member], at: inBody(member), detail: `signed ${body[member]}, ${bundleSays}` }];
  });
};
