import type { JsonValue } from '../../src/base/json-value.ts';
import { portableCrypto } from '../../src/base/portable-crypto.ts';
import { readJson } from '../../src/base/read-json.ts';
import { type Edit, edits } from '../support/edit.ts';

/** Files of many pairs as text, as they go into a page; runs there and here. */
export type Pair = { readonly [R in 'bundle' | 'receipt' | 'profile' | 'trust']: string };
type Bytes = { readonly [R in keyof Pair]: Uint8Array };
export type ReportText = (files: Bytes) => string;

const encoder = new TextEncoder();
const bytes = ({ bundle, receipt, profile, trust }: Pair): Bytes => ({
  bundle: encoder.encode(bundle),
  receipt: encoder.encode(receipt),
  profile: encoder.encode(profile),
  trust: encoder.encode(trust),
});
const digestOf = (text: string): string => portableCrypto.sha256Hex(text);

/** The digest of the report on each pair. */
export const reportDigests = (pairs: readonly Pair[], report: ReportText): string[] =>
  pairs.map((pair) => digestOf(report(bytes(pair))));

const parsed = (text: string, input: 'bundle' | 'receipt'): JsonValue => {
  const read = readJson(encoder.encode(text), { input, recordAttributes: input === 'bundle' });
  if (!read.ok) throw new Error(JSON.stringify(read.refusals));
  return read.value;
};

const kindOf = (input: string, { kind, path }: Edit<JsonValue>): string =>
  `${input} ${kind} ${path.map((step) => (typeof step === 'number' ? '*' : step)).join('/')}`;

/**
 * The digest of the report on the first edit of each kind in any of the pairs: a kind is what was done to which member of which list, whatever
 * its place in the list.
 */
export const editDigests = (pairs: readonly Pair[], report: ReportText): string[] => {
  const seen = new Set<string>();
  return pairs.flatMap((pair) =>
    (['bundle', 'receipt'] as const).flatMap((input) => {
      const digests: string[] = [];
      for (const edit of edits(parsed(pair[input], input))) {
        const kind = kindOf(input, edit);
        if (seen.has(kind)) continue;
        seen.add(kind);
        digests.push(`${kind} ${digestOf(report(bytes({ ...pair, [input]: JSON.stringify(edit.value) })))}`);
      }
      return digests;
    }),
  );
};
