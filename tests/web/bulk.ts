import type { JsonValue } from '../../src/base/json-value.ts';
import { portableCrypto } from '../../src/base/portable-crypto.ts';
import { readJson } from '../../src/base/read-json.ts';
import type { ReportFiles } from '../../src/report/face.ts';
import { type Edit, edits } from '../support/edit.ts';

/** Files of many pairs as text, as they go into a page; runs there and here. */
export type Pair = { readonly [R in 'bundle' | 'receipt' | 'profile' | 'trust']: string };
type Bytes = { readonly [R in keyof Pair]: Uint8Array };
export type ReportText = (files: ReportFiles) => string;

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

/** What an edit does to which member of which list, whatever its place in the list. */
const kindOf = (input: string, { kind, path }: Edit<JsonValue>): string =>
  `${input} ${kind} ${path.map((step) => (typeof step === 'number' ? '*' : step)).join('/')}`;

/** Edits of one file of a pair, by their numbers among all single edits of it. */
export type Tampering = {
  readonly pair: Pair;
  readonly input: 'bundle' | 'receipt';
  readonly numbers: readonly number[];
};

/** The kind of each edit, and the digest of the report on it. */
export function* tamperedDigests({ pair, input, numbers }: Tampering, report: ReportText): Generator<string> {
  const wanted = new Set(numbers);
  let number = 0;
  for (const edit of edits(parsed(pair[input], input))) {
    if (wanted.has(number++))
      yield `${kindOf(input, edit)} ${digestOf(report(bytes({ ...pair, [input]: JSON.stringify(edit.value) })))}`;
  }
}

/** Up to `perKind` edits of each kind, of bundle and receipt of all pairs. */
export const tamperings = (pairs: readonly Pair[], perKind: number): readonly Tampering[] => {
  const tried = new Map<string, number>();
  return pairs.flatMap((pair) =>
    (['bundle', 'receipt'] as const).map((input) => {
      const numbers: number[] = [];
      let number = 0;
      for (const edit of edits(parsed(pair[input], input))) {
        const kind = kindOf(input, edit);
        const before = tried.get(kind) ?? 0;
        if (before < perKind) numbers.push(number);
        tried.set(kind, before + 1);
        number++;
      }
      return { pair, input, numbers };
    }),
  );
};
